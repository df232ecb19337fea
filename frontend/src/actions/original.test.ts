import { describe, expect, test } from "vitest";
import type { Session } from "@/lib/api/api";
import { continueTitle, isFromTool } from "./original";

const session = (source: string, relation = "") => ({ source, relation }) as Session;

describe("sessions of other tools", () => {
  test("are continued in the tool by its name", () => {
    expect(continueTitle(session("claude_code"))).toBe("Continue in Claude Code");
    expect(continueTitle(session("pi"))).toBe("Continue in pi");
    expect(continueTitle(undefined)).toBe("Continue in its own tool");
  });

  test("only where the tool can", () => {
    expect(isFromTool(session("codex"))).toBe(true);
    expect(isFromTool(session("chatgpt"))).toBe(false);
    expect(isFromTool(session("coppice"))).toBe(false);
    expect(isFromTool(session("claude_code", "subagent"))).toBe(false);
  });
});
