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
    const name = at === 0 ? "left" : "right";
    return place === name ? [] : [quote(name, answers[at])];
  });
  return {
    kind: "cite",
    act: "merge",
    sessionId: c.sessionId,
    title: t("Merging two branches"),
    fromUid: here?.leafUid ?? c.ancestorUid,
    cites: sides.map((side, at) => answers[at]?.uid || side.leafUid),
    text: [intent(here), ...quoted].join("\n\n"),
  };
}

function intent(here: Side | undefined): string {
  const ask = t(
    "Merge them: keep the best of both, and state where they disagree and what you chose.",
  );
  const what = here
    ? t("Another branch of this conversation took a different direction.")
    : t("This conversation branches here, in two directions.");
  return `${what} ${ask}`;
}

/** Quotes the last answer of a branch, which has the name that it has on screen. */
function quote(branch: "left" | "right", answer: Answer | undefined): string {
  const isLeft = branch === "left";
  if (!answer || answer.text === "")
    return isLeft
      ? t("(The left branch ends without a text answer.)")
      : t("(The right branch ends without a text answer.)");
  const lines = answer.text.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
  if (answer.cut) lines.push("> …");
  const heading = isLeft ? t("The left branch ends with:") : t("The right branch ends with:");
  return [heading, "", ...lines].join("\n");
}
