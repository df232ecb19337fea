/** The action of a key in the composer's field; undefined: the key is typed. */
type ComposerAct = "send" | "cancel" | "stop";

interface Typing {
  /** Whether the draft is empty. */
  empty: boolean;
  running: boolean;
  /** A message is being edited or answered again. */
  editing: boolean;
}

type KeyPress = Pick<
  KeyboardEvent,
  "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "isComposing"
>;

/** Enter and Ctrl+Enter send, Shift+Enter inserts a line break, Escape cancels an edit or stops the run. */
export function actOf(
  press: KeyPress,
  { empty, running, editing }: Typing,
): ComposerAct | undefined {
  if (press.isComposing || press.altKey) return undefined;
  if (press.key === "Enter") return press.shiftKey ? undefined : "send";
  if (press.key !== "Escape" || press.ctrlKey || press.metaKey || press.shiftKey) return undefined;
  if (editing) return "cancel";
  return running && empty ? "stop" : undefined;
}
