// Key chords in readable form: "Mod+Shift+F", "F6", "Alt+ArrowUp", "Mod+Plus". Mod is Command on a
// Mac and Ctrl elsewhere.

import { t } from "@/lib/i18n/i18n";

const mac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

const signs: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Plus: "+",
  Minus: "−",
};

const macSigns: Record<string, string> = { Mod: "⌘", Alt: "⌥", Shift: "⇧" };

/** Reports whether the system shows the commands in a menu bar of its own. */
export const hasNativeMenu = mac;

/** Keys with a name, as labelled on keyboards of the user's language. */
function nameOfKey(key: string): string | undefined {
  switch (key) {
    case "Mod":
    case "Ctrl":
      return t("Ctrl");
    case "Shift":
      return t("Shift");
    case "Escape":
      return t("Esc");
    case "Delete":
      return t("Del");
    case "PageUp":
      return t("PgUp");
    case "PageDown":
      return t("PgDn");
    case "Enter":
      return t("Enter", { context: "key" });
    case "Home":
      return t("Home", { context: "key" });
    case "End":
      return t("End", { context: "key" });
    case "Space":
      return t("Space", { context: "key" });
    default:
      return undefined;
  }
}

/** The keys of chords that have a name in place of their character. */
const named: Record<string, string> = { Plus: "+", Minus: "-", Space: " " };

/** Returns the chord's keys as labelled on a keyboard, one string each. */
export function chordLabels(chord: string): string[] {
  return chord.split("+").map((key) => {
    const sign = (mac && macSigns[key]) || signs[key];
    return sign ?? nameOfKey(key) ?? (key.length === 1 ? key.toUpperCase() : key);
  });
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
