import { expect, test } from "vitest";
import { shortModel } from "./model";

test.each([
  ["claude-opus-4-5-20251101", "opus 4.5"],
  ["anthropic/claude-sonnet-5", "sonnet 5"],
  ["gpt-5.5", "gpt-5.5"],
  ["openai/gpt-4o-2024-08-06", "gpt-4o"],
  ["qwen2.5-coder:7b", "qwen2.5-coder:7b"],
  ["", ""],
])("%s is called %s", (model, name) => expect(shortModel(model)).toBe(name));
