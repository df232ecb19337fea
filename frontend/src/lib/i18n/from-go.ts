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
  msg("Add another key first"),
  msg("Choose another name, or remove that checkpoint first"),
  msg("Choose another name, or restore that session or remove it for good"),
  msg("Continue without a worktree."),
  msg("Enter it again."),
  msg("Export it again"),
  msg("Export it as a file."),
  msg("Export it, and print the parts that you need from a browser"),
  msg("Give a task"),
  msg("Import a regular file or a folder"),
  msg("Import again"),
  msg("Label it first"),
  msg("Letters and digits, with single _ or - between them, 32 at most"),
  msg("PNG, JPEG, GIF and WebP can be sent to models"),
  msg("Remove it and the files of the mirror, or choose another folder"),
  msg("Send it as a new prompt"),
  msg("Set its base_url, such as https://host/v1"),
  msg("Small letters, digits, - and _"),
  msg("Stop it, or wait until it has ended"),
  msg("To look for the text itself, put it in quotes"),
  msg("Try again; nothing was changed"),
  msg("Try again; what was saved before is kept"),
  msg("Wait until it ends, or stop it there"),
  msg("Write it like 2026-01-31"),
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
const patterns: readonly { test: RegExp; write: (part: string, other: string) => string }[] = [
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
  { test: /^Check ([A-Z][A-Z0-9_]*)$/, write: (name) => t("Check {{name}}", { name }) },
  {
    test: /^Check the network, and the address (\S+)$/,
    write: (address) => t("Check the network, and the address {{address}}", { address }),
  },
  {
    test: /^Start the server at (\S+), or set the address of (.+)$/,
    write: (address, name) =>
      t("Start the server at {{address}}, or set the address of {{name}}", { address, name }),
  },
  {
    test: /^Download it with: (ollama pull \S+)$/,
    write: (command) => t("Download it with: {{command}}", { command }),
  },
  {
    test: /^(?:Use one|One) of:? (.+)$/,
    write: (names) => t("Use one of: {{names}}", { names }),
  },
];

/** Returns a sentence of Go in the user's language, or as it is if the catalogues do not have it. */
export function fromGo(sentence: string): string {
  if (known.has(sentence)) return translate(sentence as Message);
  for (const { test, write } of patterns) {
    const [, part, other = ""] = test.exec(sentence) ?? [];
    if (part !== undefined) return write(part, other);
  }
  return sentence;
}
