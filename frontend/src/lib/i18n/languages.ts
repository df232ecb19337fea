// The languages of the window.

/** A language that the window has texts in. The pseudo-locales are English, altered so that a text that is not in the catalogue shows. */
export type Language = "en" | "de" | "es" | "zh-Hans" | "pseudo" | "pseudo-rtl";

/** The languages that the settings offer, by their own names. */
export const languageNames = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  "zh-Hans": "简体中文",
} as const satisfies Partial<Record<Language, string>>;

/** The pseudo-locales, which the settings offer in development. */
export const pseudoNames = {
  pseudo: "Pseudo",
  "pseudo-rtl": "Pseudo, right to left",
} as const satisfies Partial<Record<Language, string>>;

/** Languages with a catalogue; English is in the sources. */
export const translatedLanguages = ["de", "es", "zh-Hans"] as const satisfies Language[];

/** Returns the language of a locale such as "de-AT" or "zh-Hans-CN"; undefined if the window has no texts in it. */
export function languageOf(locale: string): Language | undefined {
  if (locale in languageNames || locale in pseudoNames) return locale as Language;
  const { language, script, region } = new Intl.Locale(locale).maximize();
  if (language === "zh") return script === "Hant" || region === "TW" ? undefined : "zh-Hans";
  return language in languageNames ? (language as Language) : undefined;
}

/** Returns the language for a setting; empty: that of the system, else English. */
export function resolveLanguage(setting: string, system: string): Language {
  return languageOf(setting || system) ?? "en";
}

/**
 * Returns the locale for numbers and dates: the language with the user's region, so that a German in Switzerland reads
 * 1’204 and an English window on a German system writes its months in English.
 */
export function localeOf(language: Language, system: string): string {
  const spoken = language.startsWith("pseudo") ? "en" : language;
  const { region } = new Intl.Locale(system).maximize();
  const locale = languageOf(system) === spoken ? system : `${spoken}-${region}`;
  return Intl.NumberFormat.supportedLocalesOf([locale])[0] ?? spoken;
}
