import { expect, test } from "vitest";
import { modelFamily, shortModel } from "./model";

test.each([
  ["claude-opus-4-5-20251101", "claude-opus-4-5", "opus 4.5"],
  ["claude-opus-4-5", "claude-opus-4-5", "opus 4.5"],
  ["anthropic/claude-opus-4.5", "claude-opus-4.5", "opus 4.5"],
  ["us.anthropic.claude-sonnet-4-20250514-v1:0", "claude-sonnet-4", "sonnet 4"],
  ["claude-3-5-sonnet-latest", "claude-3-5-sonnet", "sonnet 3.5"],
  ["claude-sonnet-4@20250514", "claude-sonnet-4", "sonnet 4"],
  ["gpt-4o-2024-08-06", "gpt-4o", "gpt-4o"],
  ["models/gemini-2.5-pro", "gemini-2.5-pro", "gemini-2.5-pro"],
  ["llama3.2", "llama3.2", "llama3.2"],
  ["anthropic/claude-sonnet-5", "claude-sonnet-5", "sonnet 5"],
  ["qwen2.5-coder:7b", "qwen2.5-coder:7b", "qwen2.5-coder:7b"],
  ["gpt-5.5", "gpt-5.5", "gpt-5.5"],
  ["", "", ""],
])("%s", (id, family, label) => {
  expect(modelFamily(id)).toBe(family);
  expect(shortModel(id)).toBe(label);
});
