import { expect, test } from "vitest";
import { atWindow } from "./hints";

test("a hint for the terminal is one for the window", () => {
  for (const [hint, want] of [
    [
      "set OPENAI_API_KEY, or run: coppice config key set openai",
      "Set OPENAI_API_KEY, or run in a terminal: coppice config key set openai",
    ],
    ["run: coppice config key set mine", "Run in a terminal: coppice config key set mine"],
    ["see what there is: coppice models", "See what there is"],
    [
      "add credit there, or choose another model: coppice models",
      "Add credit there, or choose another model",
    ],
    [
      "choose a model that calls tools, or an agent without tools; coppice models tells which can",
      "Choose a model that calls tools, or an agent without tools",
    ],
    [
      "a model is PROVIDER/MODEL, such as openai/gpt-5.5 or script/demo; run: coppice models",
      "A model is PROVIDER/MODEL, such as openai/gpt-5.5 or script/demo",
    ],
    ["start it, or give its address with --base-url", "Start it"],
    ["Try again, or go on with another model.", "Try again, or go on with another model."],
    ["", ""],
  ])
    expect(atWindow(hint as string)).toBe(want);
});
