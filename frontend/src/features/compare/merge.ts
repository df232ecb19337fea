// The prompt that merges two branches: prefilled for the user to edit before it is sent.

import { type Answer, api, type Comparison, type Side } from "@/lib/api/api";
import type { CiteRequest } from "@/lib/store/compose";

/** Where the merge continues: at the end of one branch, or at their last common message. */
export type MergePlace = "left" | "right" | "fork";

/** Writes the prompt: it quotes the last answers of the branches that the model will not see. */
export async function mergePrompt(c: Comparison, place: MergePlace): Promise<CiteRequest> {
  const sides = [c.left, c.right];
  const answers = await Promise.all(
    sides.map((side) => api.getAnswer(c.sessionId, side.leafUid, c.shared)),
  );
  const quoted = sides.flatMap((side, at) => {
    const isSeen = place === (at === 0 ? "left" : "right");
    return isSeen ? [] : [quote(side, answers[at])];
  });
  const here = place === "left" ? c.left : place === "right" ? c.right : undefined;
  return {
    kind: "cite",
    act: "merge",
    sessionId: c.sessionId,
    title: `Merging n${c.left.turn} and n${c.right.turn}`,
    fromUid: here?.leafUid ?? c.ancestorUid,
    fromTurn: here?.turn ?? c.ancestorTurn,
    cites: sides.map((side, at) => answers[at]?.uid || side.leafUid),
    text: [intent(c, here), ...quoted].join("\n\n"),
  };
}

function intent({ left, right }: Comparison, here: Side | undefined): string {
  const ask =
    "Merge them: keep the best of both, and state where they disagree and what you chose.";
  if (!here)
    return `This conversation branches here, to n${left.turn} and to n${right.turn}. ${ask}`;
  const other = here === left ? right : left;
  return `Another branch of this conversation, n${other.turn}, took a different direction. ${ask}`;
}

function quote(side: Side, answer: Answer | undefined): string {
  if (!answer || answer.text === "") return `(n${side.turn} ends without a text answer.)`;
  const lines = answer.text.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
  if (answer.cut) lines.push("> …");
  return [`n${answer.turn} ends with:`, "", ...lines].join("\n");
}
