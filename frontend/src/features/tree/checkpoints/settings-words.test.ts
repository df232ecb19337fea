import { expect, test } from "vitest";
import { settingsWords } from "./settings-words";

const plain = {
  agent: "build",
  model: "demo/one",
  baseUrl: "",
  effort: "",
  mode: "yolo",
  damaged: false,
};

test.each([
  ["the first one", plain, undefined, "build · demo/one · yolo"],
  ["nothing changed", plain, plain, ""],
  ["another model", { ...plain, model: "demo/two" }, plain, "demo/two"],
  [
    "another mode and server",
    { ...plain, mode: "plan", baseUrl: "http://x" },
    plain,
    "http://x · plan",
  ],
  ["an effort", { ...plain, effort: "high" }, plain, "effort high"],
  ["no effort any more", plain, { ...plain, effort: "high" }, "usual effort"],
  ["a damaged one", { ...plain, damaged: true }, plain, ""],
  ["after a damaged one", plain, { ...plain, damaged: true }, "build · demo/one · yolo"],
])("%s", (_, now, before, want) => {
  expect(settingsWords(now, before)).toBe(want);
});
