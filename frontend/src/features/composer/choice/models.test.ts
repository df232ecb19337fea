import { expect, test } from "vitest";
import { composerOptions } from "@/testing/fake-run";
import { isBudget } from "./limits-popover";
import { contextWords, groupModels, matchModels, priceWords, typedReference } from "./models";

const { models } = composerOptions("");
const find = (id: string) => {
  const found = models.find((one) => one.id === id);
  if (!found) throw new Error(`no model ${id}`);
  return found;
};

test("models stand by their provider, scripts last", () => {
  const [demo, ...others] = [...models].reverse();
  if (!demo) throw new Error("no models");
  const groups = groupModels([demo, ...others.reverse()]);
  expect(groups.map(({ provider }) => provider)).toEqual([
    "anthropic",
    "openai",
    "ollama",
    "script",
  ]);
});

test("what is typed is found in any order of words", () => {
  expect(matchModels(models, "mini GPT").map(({ id }) => id)).toEqual(["gpt-5.2-mini"]);
  expect(matchModels(models, "anthropic/").length).toBe(3);
  expect(matchModels(models, "nothing")).toEqual([]);
});

test("sizes and prices are shown in words, unknown ones too", () => {
  expect(contextWords(find("gpt-5.2"))).toBe("400K");
  expect(contextWords({ ...find("gpt-5.2"), contextTokens: 1_048_576 })).toBe("1M");
  expect(contextWords({ ...find("gpt-5.2"), contextTokens: 0 })).toBe("");
  expect(priceWords(find("claude-haiku-5"))).toBe("$0.8 / $4");
  expect(priceWords(find("qwen3-coder:30b"))).toBe("free");
  expect(priceWords(find("demo"))).toBe("");
  const { inputNanoUsdPerMillion: _, ...unpriced } = find("gpt-5.2");
  expect(priceWords(unpriced)).toBe("price unknown");
});

test("a model that no list has can be typed", () => {
  expect(typedReference(" openrouter/meta/llama-4 ")).toBe("openrouter/meta/llama-4");
  expect(typedReference("llama")).toBe("");
  expect(typedReference("a/ b")).toBe("");
});

test.each([
  ["", true],
  ["2", true],
  ["0.05", true],
  ["1.", true],
  ["-1", false],
  ["1,5", false],
  ["lots", false],
])("a budget of %o", (text, ok) => {
  expect(isBudget(text)).toBe(ok);
});
