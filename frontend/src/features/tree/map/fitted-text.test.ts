import { describe, expect, it } from "vitest";
import { cutText } from "./fitted-text";

const measure = (text: string) => [...text].length * 10;

describe("cutText", () => {
  it("leaves what fits", () => {
    expect(cutText("short", 50, measure)).toBe("short");
    expect(cutText("", 0, measure)).toBe("");
  });

  it("cuts with an ellipsis, never in the middle of a letter, and leaves no space before it", () => {
    expect(cutText("a longer text", 60, measure)).toBe("a lon…");
    expect(cutText("a longer text", 30, measure)).toBe("a…");
    expect(cutText("😀😀😀😀", 30, measure)).toBe("😀😀…");
  });

  it("is empty where not even one letter fits", () => {
    expect(cutText("word", 15, measure)).toBe("");
  });
});
