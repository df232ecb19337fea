import type { LiveQuestion } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

/** How long a yes holds. */
export type Scope = "once" | "session" | "workspace" | "always";

/** What a key on the card of a question does. */
type QuestionAct = { allow: Scope } | "deny" | "wider";

interface Offer {
  scope: Scope;
  title: string;
  key: string;
}

/** The ways to say yes, the usual one first. */
export const offers = (): readonly Offer[] => [
  { scope: "once", title: t("Allow once"), key: "Y" },
  { scope: "session", title: t("This session"), key: "S" },
  { scope: "workspace", title: t("This workspace"), key: "W" },
  { scope: "always", title: t("Always"), key: "A" },
];

/** A call with a risk is asked about each time: a yes is for it alone. A yes for files holds in their workspace only. */
export function offersOf({
  risk,
  inWorkspace,
}: Pick<LiveQuestion, "risk" | "inWorkspace">): readonly Offer[] {
  if (risk !== "") return offers().slice(0, 1);
  return inWorkspace ? offers().filter(({ scope }) => scope !== "always") : offers();
}

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "isComposing">;

/** What a key does on the card; undefined: nothing. Enter is the focused button's. */
export function actOfKey(
  press: KeyPress,
  question: Pick<LiveQuestion, "risk" | "wider" | "inWorkspace">,
): QuestionAct | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey || press.isComposing) return undefined;
  const key = press.key.toUpperCase();
  if (key === "N") return "deny";
  if (key === "X") return question.wider.length > 0 && question.risk === "" ? "wider" : undefined;
  const offer = offersOf(question).find((one) => one.key === key);
  return offer && { allow: offer.scope };
}
