// Sentences that arrive from Go in English, such as hints of errors, in the user's language.

import { type Message, msg, t, translate } from "./i18n";

/** Whole sentences. One that is not here stays English. */
const sentences: readonly Message[] = [
  // Remedies, of app/window/internal/remedy.
  msg("Enter the key in Settings"),
  msg("Choose another model"),
  msg("Add a server in Settings"),
  msg("Change its address in Settings"),
  msg("Choose a session of the library"),
  msg("Open the settings to repair the library or to restore a backup"),
  msg("Open another library"),
  msg("Choose another file"),
  msg("Close every other program that uses this library, and try again"),
  msg("If that machine is off, take the session over"),
  msg("Choose another folder to work in"),
  msg("Enter its passphrase or recovery code"),
  // Hints.
  msg("Start it"),
  msg("Add credit there"),
  msg("Set a key such as ANTHROPIC_API_KEY, or start a server such as Ollama"),
  msg("Check the address: most end with /v1"),
  msg("If that is the right server, set its address as base_url"),
  msg("Try again, or set a longer idle_timeout in the configuration"),
  msg("Choose a model that reasons, or remove the effort"),
  msg("Choose a model that calls tools, or an agent without tools"),
  msg("Stop it, or wait until it ends"),
  msg("Wait until it ends, or stop it"),
  msg("Review it again"),
  msg("Try again"),
  msg("Choose another name"),
  msg("Close it first"),
  msg("Close it, or wait for it, and try again"),
  msg("Import it again"),
  msg("Update Coppice"),
  msg("Make room on the disk"),
  msg("Make room on the disk and try again; reading still works"),
  msg("Check that the disk is writable, then restart Coppice"),
  msg(
    "Make the file and its folder writable, or copy the library to another disk; reading still works",
  ),
  msg("Install the newest Coppice; the file was not touched"),
  msg("It may have been downloaded in part only: download it again"),
  msg("Download the export again, or unpack what can be unpacked and import that"),
  msg("Only answers that Coppice received from a model have one"),
  // Reasons to skip a file, of backend/importer.
  msg("not a session file of a known tool"),
  msg("contains no session"),
  msg("removed for good"),
  msg("cannot be read, see the problems"),
  // Questions of runs.
  msg("The model has answered"),
];

const known = new Set<string>(sentences);

/** Sentences with a part of their own. */
const patterns: readonly { test: RegExp; write: (part: string) => string }[] = [
  {
    test: /^(.+), or enter the key in Settings$/,
    write: (hint) => t("{{hint}}, or enter the key in Settings", { hint: fromGo(hint) }),
  },
  {
    test: /^(.+), or choose another model$/,
    write: (hint) => t("{{hint}}, or choose another model", { hint: fromGo(hint) }),
  },
  {
    test: /^(.+), or add a server in Settings$/,
    write: (hint) => t("{{hint}}, or add a server in Settings", { hint: fromGo(hint) }),
  },
  {
    test: /^(.+), or change its address in Settings$/,
    write: (hint) => t("{{hint}}, or change its address in Settings", { hint: fromGo(hint) }),
  },
  {
    test: /^(.+), or open another library$/,
    write: (hint) => t("{{hint}}, or open another library", { hint: fromGo(hint) }),
  },
  { test: /^Set ([A-Z][A-Z0-9_]*)$/, write: (name) => t("Set {{name}}", { name }) },
];

/** Returns a sentence of Go in the user's language, or as it is if the catalogues do not have it. */
export function fromGo(sentence: string): string {
  if (known.has(sentence)) return translate(sentence as Message);
  for (const { test, write } of patterns) {
    const part = test.exec(sentence)?.[1];
    if (part !== undefined) return write(part);
  }
  return sentence;
}
