import { describe, expect, it } from "vitest";
import type { Block, MessageView } from "@/lib/api/api";
import { block } from "@/testing/fake-blocks";
import { foldNames, type Page, planPage, type Row } from "./plan";

const nothing = block({ html: "<p>x</p>", chars: 1, lines: 1, sizeBytes: 1 });
const prose = nothing;
const read = { ...nothing, type: "tool", readOnly: true, state: "done", toolName: "Read" };
const edit = { ...nothing, type: "tool", state: "done", toolName: "Edit" };

let uid = 0;

function message(role: string, blocks: Block[], more: Partial<MessageView> = {}): MessageView {
  uid++;
  return {
    uid: `u${uid}`,
    seq: uid,
    turn: 0,
    branch: 0,
    depth: uid,
    parentUid: "",
    siblings: 1,
    siblingIndex: 1,
    role,
    kind: "message",
    name: "",
    agent: "",
    model: role === "assistant" ? "m" : "",
    inputTokens: 0,
    isEstimated: false,
    outputTokens: 0,
    finishReason: "",
    error: "",
    label: "",
    cites: [],
    turnStart: false,
    hidden: false,
    createdAtMs: 0,
    blocks: blocks.map((block, part) => ({ ...block, part })),
    ...more,
  };
}

const you = (more?: Partial<MessageView>) => message("user", [prose], more);
const step = (blocks: Block[], more?: Partial<MessageView>) => message("assistant", blocks, more);
const result = () => message("tool", [], { hidden: true });

function plan(messages: MessageView[], page: Partial<Page> = {}): Row[] {
  return planPage({ from: 0, messages, before: null, after: [], isLast: true, ...page });
}

/** H: a header. -: absent. Then the items: numbers are runs of so many reads, letters are blocks. */
function draw(rows: Row[]): string {
  return rows
    .map((row) => {
      const items = row.items.map((item) =>
        item.type === "reads"
          ? item.cards.length
          : item.card.block.type === "tool"
            ? (item.card.block.toolName[0] ?? "")
            : "p",
      );
      return `${row.header ? "H" : ""}${items.join("")}${row.absent ? "-" : ""}`;
    })
    .join(" ");
}

describe("headers", () => {
  it("are shared by the steps of one turn, also across hidden results", () => {
    expect(draw(plan([you(), step([edit]), result(), step([prose]), you(), step([prose])]))).toBe(
      "Hp HE - p Hp Hp",
    );
  });

  it.each([
    ["another model", { model: "n" }],
    ["another agent", { agent: "critic" }],
    ["another name", { name: "Ada" }],
    ["another turn", { turn: 1 }],
    ["alternatives", { siblings: 2 }],
    ["a label", { label: "plan" }],
  ])("stand again for %s", (_, more) => {
    expect(draw(plan([step([prose]), step([prose], more)]))).toBe("Hp Hp");
  });

  it("stand again after a summary and for every prompt", () => {
    const summary = message("user", [prose], { kind: "compaction" });
    expect(draw(plan([you(), you(), step([prose]), summary, step([prose])]))).toBe(
      "Hp Hp Hp Hp Hp",
    );
  });

  it("look at what is shown before the page", () => {
    expect(draw(plan([step([prose])], { before: step([prose]) }))).toBe("p");
    expect(draw(plan([step([prose])], { before: you() }))).toBe("Hp");
    expect(draw(plan([step([prose])], { before: undefined }))).toBe("Hp");
  });
});

describe("runs of reads", () => {
  it("fold where there are two or more, within a message and across its neighbours", () => {
    const rows = plan([
      step([prose, read, read, edit, read]),
      result(),
      step([read]),
      step([read, prose, read]),
    ]);
    expect(draw(rows)).toBe("Hp2E3 - - pR");
    expect(rows.map(({ host }) => host)).toEqual([0, 1, 0, 3]);
  });

  it("end at whatever is no finished read", () => {
    const failed = { ...read, state: "failed" };
    const agent = { ...read, childId: "session" };
    expect(draw(plan([step([read, failed, read])]))).toBe("HRRR");
    expect(draw(plan([step([read, agent, read, read])]))).toBe("HRR2");
    expect(draw(plan([step([read]), you(), step([read])]))).toBe("HR Hp HR");
    expect(draw(plan([step([read]), step([read], { error: "broken" }), step([read])]))).toBe(
      "H2  R",
    );
  });

  it("keep the row that has alternatives", () => {
    expect(draw(plan([step([read]), step([read], { siblings: 3 }), step([read])]))).toBe("HR H2 -");
  });
});

describe("what is absent", () => {
  it("is what has nothing to show", () => {
    const silent = step([]);
    expect(draw(plan([you(), step([prose]), silent, step([prose])]))).toBe("Hp Hp - p");
    expect(draw(plan([you(), silent]))).toBe("Hp H");
  });
});

describe("totals", () => {
  it("add up list prices apart from costs", () => {
    const billed = { inputTokens: 100, outputTokens: 10, costNanoUsd: 5 };
    const listed = { inputTokens: 100, outputTokens: 10, estimatedCostNanoUsd: 7 };
    const [row] = plan([step([prose], billed), result(), step([prose], listed), you()]);
    expect(row?.totals).toMatchObject({ costNanoUsd: 5, estimatedCostNanoUsd: 7 });
  });
  const spent = { inputTokens: 100, outputTokens: 10, costNanoUsd: 5 };

  it("add up the steps under a header, and leave unknown costs out", () => {
    const rows = plan([
      step([prose], spent),
      result(),
      step([prose], spent),
      step([prose], { outputTokens: 1 }),
      you(),
    ]);
    expect(rows[0]?.totals).toEqual({
      steps: 3,
      inputTokens: 200,
      outputTokens: 21,
      costNanoUsd: 10,
      estimatedCostNanoUsd: null,
      isEstimated: false,
    });
    expect(rows[4]?.totals?.costNanoUsd).toBeNull();
  });

  it("are estimates if one step is", () => {
    const rows = plan([
      step([prose], spent),
      result(),
      step([prose], { ...spent, isEstimated: true }),
    ]);
    expect(rows[0]?.totals?.isEstimated).toBe(true);
  });

  it("go on into the next page, and are not told where that is not enough", () => {
    const page = [step([prose], spent)];
    const more = { isLast: false };
    expect(plan(page, { ...more, after: [step([prose], spent), you()] })[0]?.totals?.steps).toBe(2);
    expect(plan(page, { ...more, after: [step([prose], spent)] })[0]?.totals).toBeNull();
    expect(plan(page, { ...more, after: undefined })[0]?.totals).toBeNull();
    expect(plan([...page, you()], { ...more, after: undefined })[0]?.totals?.steps).toBe(1);
  });
});

describe("fold names", () => {
  it("name what a row can open, each once", () => {
    const [row] = plan([step([prose, read, read, edit, { ...nothing, type: "reasoning" }])]);
    const names = row ? foldNames(row) : [];
    expect(names).toHaveLength(3);
    expect(new Set(names).size).toBe(3);
  });

  it("are also those of long texts, which fold sooner where they are shown in short", () => {
    const [row] = plan([message("user", [{ ...prose, lines: 40 }])]);
    const [item] = row?.items ?? [];
    if (row === undefined || item?.type !== "block") throw new Error("no text");
    expect(foldNames(row)).toEqual([]);
    const short = { ...row, items: [{ ...item, card: { ...item.card, brief: true as const } }] };
    expect(foldNames(short)).toHaveLength(1);
  });

  it("name a folded message as a whole", () => {
    const [row] = plan([message("user", [prose, prose], { kind: "meta" })]);
    expect(row && foldNames(row)).toEqual([`row ${row?.message.uid}`]);
  });
});
