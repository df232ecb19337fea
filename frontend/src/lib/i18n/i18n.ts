// Texts of the window in the user's language. The English text in the sources is the key in the catalogues; see CONTRIBUTING.md.

import i18next from "i18next";
import { createStore, useStore } from "@/lib/store/store";
import { formatInteger, setLocale } from "./intl";
import { type Language, localeOf, resolveLanguage } from "./languages";
import { pseudo } from "./pseudo";

declare const marked: unique symbol;

/** An English text that is in the catalogues: the result of `msg`. */
export type Message = string & { readonly [marked]: true };

/** The names of the placeholders of a text. */
type Placeholder<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

type Value = string | number;
type Context = {
  /** Distinguishes texts that are equal in English alone: "Open" as a verb and as a state. */
  context?: string;
};
type Values<Text> = Record<Placeholder<Text>, Value> & Context;
type AnyValues = Partial<Record<string, Value>> & Context;
/** Only texts that are in the sources: a text that is put together at run time cannot be in a catalogue. */
type Literal<Text extends string> = string extends Text ? never : Text;
type Rest<Text> = [Placeholder<Text>] extends [never] ? [values?: Context] : [values: Values<Text>];

const instance = i18next.createInstance();
const fallback: Language = "en";
void instance.init({
  lng: fallback,
  fallbackLng: false,
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  contextSeparator: "|",
  returnEmptyString: false,
  resources: {},
  // React and visible.ts make every text safe.
  interpolation: { escapeValue: false },
});

const language = createStore<Language>(fallback);
const isPseudo = () => language.get().startsWith("pseudo");

/** Texts without placeholders, which lists ask for in each of their rows. */
const plain = new Map<string, string>();

/** Returns a text in the user's language, with its placeholders replaced; numbers are written as in the user's locale. */
export function t<const Text extends string>(text: Literal<Text>, ...[values]: Rest<Text>): string {
  return look(text, values);
}

/** Marks a text outside of functions as part of the catalogue; `translate` returns it in the user's language. */
export function msg<const Text extends string>(text: Literal<Text>): Message {
  return text as unknown as Message;
}

/** Returns a marked text in the user's language. */
export function translate(message: Message, values?: Record<string, Value>): string {
  return look(message, values);
}

/**
 * Returns the text for a number, by the plural rules of the user's language: `plural(3, "{{count}} message", "{{count}} messages")`.
 * The second text is the key.
 */
export function plural<const One extends string, const Many extends string>(
  count: number,
  one: Literal<One>,
  many: Literal<Many>,
  ...[values]: [Exclude<Placeholder<Many>, "count">] extends [never]
    ? [values?: Context]
    : [values: Record<Exclude<Placeholder<Many>, "count">, Value> & Context]
): string {
  return pluralOf(count, one, many, values);
}

/** As `plural`, for texts that the caller puts together; the caller sees to it that the catalogues have them. */
export function pluralOf(count: number, one: string, many: string, values: AnyValues = {}): string {
  return instance.t(many, {
    ...found(many, { ...values, count }),
    count,
    defaultValue_one: isPseudo() ? pseudo(one) : one,
    defaultValue_other: isPseudo() ? pseudo(many) : many,
  });
}

function look(text: string, values: AnyValues | undefined): string {
  if (values) return instance.t(text, found(text, values));
  let known = plain.get(text);
  if (known === undefined) {
    known = instance.t(text, found(text, {}));
    plain.set(text, known);
  }
  return known;
}

/** Returns the options for a text: what replaces its placeholders, and the English text for the case that the catalogue has none. */
function found(text: string, { context = "", ...values }: AnyValues) {
  const replace: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    replace[name] = typeof value === "number" ? formatInteger(value) : String(value);
  }
  const defaultValue = isPseudo() ? pseudo(text) : text;
  return context === "" ? { replace, defaultValue } : { replace, defaultValue, context };
}

const catalogues: Partial<Record<Language, () => Promise<{ default: Record<string, string> }>>> = {
  de: () => import("./catalogues/de.json"),
  es: () => import("./catalogues/es.json"),
  "zh-Hans": () => import("./catalogues/zh-Hans.json"),
};

// Without a language (LANG=C) the locale is one for machines, which does not group digits.
function systemLocale(): string {
  const { locale } = Intl.NumberFormat().resolvedOptions();
  return locale.includes("posix") ? "en-US" : locale;
}

/** The setting that is being applied; a newer one wins. */
let wanted: string | undefined;

/** Applies the language of a setting (empty: the system's) to texts, numbers, dates and the page. */
export async function setLanguage(setting: string): Promise<void> {
  if (wanted === setting) return;
  wanted = setting;
  const system = systemLocale();
  const next = resolveLanguage(setting, system);
  if (!instance.hasResourceBundle(next, "translation")) {
    const texts = (await catalogues[next]?.())?.default;
    if (texts) instance.addResourceBundle(next, "translation", withMany(texts));
  }
  if (wanted !== setting) return;
  await instance.changeLanguage(next.startsWith("pseudo") ? fallback : next);
  plain.clear();
  setLocale(localeOf(next, system));
  const page = document.documentElement;
  page.lang = next.startsWith("pseudo") ? fallback : next;
  page.dir = directionOf(next);
  language.set(next);
}

/** Spanish has a form of its own for whole millions, for which the catalogue need not have a text. */
function withMany(texts: Record<string, string>): Record<string, string> {
  const all = { ...texts };
  for (const [key, text] of Object.entries(texts)) {
    if (key.endsWith("_other")) all[key.replace(/_other$/, "_many")] ??= text;
  }
  return all;
}

/** Returns the direction of a language's script. */
export function directionOf(of: Language): "ltr" | "rtl" {
  return of === "pseudo-rtl" ? "rtl" : instance.dir(of);
}

/** The language on screen. What it labels is drawn again when it changes: the window's root has it as its key. */
export function useLanguage(): Language {
  return useStore(language, (now) => now);
}
