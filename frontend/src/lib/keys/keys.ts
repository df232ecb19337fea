// Key chords in readable form: "Mod+Shift+F", "F6", "Alt+ArrowUp", "Mod+Plus". Mod is Command on a
// Mac and Ctrl elsewhere.

const mac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

const words: Record<string, string> = {
  Mod: mac ? "⌘" : "Ctrl",
  Ctrl: "Ctrl",
  Alt: mac ? "⌥" : "Alt",
  Shift: mac ? "⇧" : "Shift",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Delete: "Del",
  PageUp: "PgUp",
  PageDown: "PgDn",
  Plus: "+",
  Minus: "−",
};

/** The keys of chords that have a name in place of their character. */
const named: Record<string, string> = { Plus: "+", Minus: "-", Space: " " };

/** Returns the chord's keys as labelled on a keyboard, one string each. */
export function chordLabels(chord: string): string[] {
  return chord.split("+").map((key) => words[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}

/** Returns the chord in the format of the attribute aria-keyshortcuts. */
export function ariaChord(chord: string): string {
  return chord.replace("Mod", mac ? "Meta" : "Control").replace("Minus", "-");
}

/** The fields of a keyboard event that select a command. */
export type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Reports whether a key press is the chord. Shift is ignored for symbols, because layouts differ in which need it. */
export function matchesChord(event: KeyPress, chord: string): boolean {
  const keys = chord.split("+");
  const last = keys.pop() ?? "";
  const key = named[last] ?? last;
  const wants = (name: string) => keys.includes(name);
  const sign = key.length === 1 && !/[a-z0-9 ]/i.test(key);
  const control = wants("Ctrl") || (wants("Mod") && !mac);
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    event.ctrlKey === control &&
    event.metaKey === (wants("Mod") && mac) &&
    event.altKey === wants("Alt") &&
    (sign || event.shiftKey === wants("Shift"))
  );
}

/** Reports whether keys pressed there are text: then chords without Mod or a function key are ignored. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement)
    return !["button", "checkbox", "radio", "range", "submit"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
