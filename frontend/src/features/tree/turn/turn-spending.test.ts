import { describe, expect, it } from "vitest";
import type { Block, MessageView } from "@/lib/api/api";
import { spendingOf } from "./turn-spending";

const message = (fields: Partial<MessageView>) =>
  ({ role: "assistant", blocks: [], ...fields }) as MessageView;
const edit = (target: string, added: number, removed: number) =>
  ({ target, added, removed }) as Block;

describe("spendingOf", () => {
  it("returns the model, the time and the files", () => {
    const spending = spendingOf([
      message({ role: "user", createdAtMs: 1000 }),
      message({
        model: "m",
        blocks: [edit("a", 1, 2), edit("b", 3, 0)],
      }),
      message({
        createdAtMs: 4000,
        blocks: [edit("a", 4, 0), edit("c", 0, 0)],
      }),
    ]);
    expect(spending).toEqual({
      model: "m",
      durationMs: 3000,
      files: [
        { path: "a", added: 5, removed: 2 },
        { path: "b", added: 3, removed: 0 },
      ],
    });
  });
});
