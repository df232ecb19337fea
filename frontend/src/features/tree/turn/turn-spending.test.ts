import { describe, expect, it } from "vitest";
import type { Block, MessageView } from "@/lib/api/api";
import { spendingOf } from "./turn-spending";

const message = (fields: Partial<MessageView>) =>
  ({ role: "assistant", inputTokens: 0, outputTokens: 0, blocks: [], ...fields }) as MessageView;
const edit = (target: string, added: number, removed: number) =>
  ({ target, added, removed }) as Block;

describe("spendingOf", () => {
  it("sums up tokens, costs and files", () => {
    const spending = spendingOf([
      message({ role: "user", createdAtMs: 1000 }),
      message({
        model: "m",
        inputTokens: 100,
        outputTokens: 20,
        costNanoUsd: 5,
        blocks: [edit("a", 1, 2), edit("b", 3, 0)],
      }),
      message({
        inputTokens: 10,
        costNanoUsd: 7,
        createdAtMs: 4000,
        blocks: [edit("a", 4, 0), edit("c", 0, 0)],
      }),
    ]);
    expect(spending).toEqual({
      model: "m",
      tokens: 130,
      costNanoUsd: 12,
      durationMs: 3000,
      files: [
        { path: "a", added: 5, removed: 2 },
        { path: "b", added: 3, removed: 0 },
      ],
    });
  });

  it("does not know the cost where one answer's is not known", () => {
    expect(spendingOf([message({ costNanoUsd: 5 }), message({})]).costNanoUsd).toBeUndefined();
    expect(spendingOf([]).costNanoUsd).toBeUndefined();
    const unknown = { costNanoUsd: null } as unknown as Partial<MessageView>; // as Go sends it
    expect(spendingOf([message(unknown)]).costNanoUsd).toBeUndefined();
  });
});
