// The prompt that merges two branches: prefilled for the user to edit before it is sent.

import { type Answer, api, type Comparison, type Side } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import type { CiteRequest } from "@/lib/store/compose";

/** Where the merge continues: at the end of one branch, or at their last common message. */
export type MergePlace = "left" | "right" | "fork";

/** Writes the prompt: it quotes the last answers of the branches that the model will not see. */
export async function mergePrompt(c: Comparison, place: MergePlace): Promise<CiteRequest> {
  const sides = [c.left, c.right];
  const answers = await Promise.all(
    sides.map((side) => api.getAnswer(c.sessionId, side.leafUid, c.shared)),
  );
  const here = place === "left" ? c.left : place === "right" ? c.right : undefined;
  const quoted = sides.flatMap((_, at) => {
    const isSeen = place === (at === 0 ? "left" : "right");
    return isSeen ? [] : [quote(here ? t("That branch") : (branchNames[at] ?? ""), answers[at])];
  });
  return {
    kind: "cite",
    act: "merge",
    sessionId: c.sessionId,
    title: t("Merging two branches"),
    fromUid: here?.leafUid ?? c.ancestorUid,
    fromTurn: here?.turn ?? c.ancestorTurn,
    cites: sides.map((side, at) => answers[at]?.uid || side.leafUid),
    text: [intent(here), ...quoted].join("\n\n"),
  };
}

function intent(here: Side | undefined): string {
  const ask =
    "Merge them: keep the best of both, and state where they disagree and what you chose.";
  if (!here) return `This conversation branches here, in two directions. ${ask}`;
  return `Another branch of this conversation took a different direction. ${ask}`;
}

/** The branches, as the model receives them. */
const branchNames = ["The first branch", "The second branch"];

function quote(branch: string, answer: Answer | undefined): string {
  if (!answer || answer.text === "") return `(${branch} ends without a text answer.)`;
  const lines = answer.text.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
  if (answer.cut) lines.push("> …");
  return [`${branch} ends with:`, "", ...lines].join("\n");
}
