import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fromGo } from "./from-go";
import { setLanguage } from "./i18n";

beforeEach(() => setLanguage("de"));
afterEach(() => setLanguage("en"));

const root = join(import.meta.dirname, "../../../..");
const textsOf = (path: string, pattern: RegExp) =>
  [...readFileSync(join(root, path), "utf8").matchAll(pattern)].map(([, text]) => text ?? "");

const remedies = textsOf("app/window/internal/remedy/remedy.go", /joined\(text, ".*?", "(.+?)"\)/g);
const additions = textsOf("app/window/internal/remedy/remedy.go", /joined\(text, "(, .+?)"/g);
const reasons = textsOf("backend/importer/skipped.go", /= "(.+)"/g);

test("remedies and reasons of Go are translated", () => {
  expect([remedies.length, additions.length, reasons.length].every((count) => count > 3)).toBe(
    true,
  );
  const all = [...remedies, ...reasons, ...additions.map((more) => `Start it${more}`)];
  expect(all.filter((text) => fromGo(text) === text)).toEqual([]);
});

test.each([
  ["Set OPENAI_API_KEY", "OPENAI_API_KEY setzen"],
  [
    "Set OPENAI_API_KEY, or enter the key in Settings",
    "OPENAI_API_KEY setzen, oder den Schlüssel in den Einstellungen eingeben",
  ],
  [
    "Check OPENAI_API_KEY, or enter the key in Settings",
    "OPENAI_API_KEY prüfen, oder den Schlüssel in den Einstellungen eingeben",
  ],
  [
    "Check the network, and the address http://127.0.0.1:1",
    "Das Netz und die Adresse http://127.0.0.1:1 prüfen",
  ],
  [
    "Start the server at http://127.0.0.1:1, or set the address of Ollama",
    "Den Server unter http://127.0.0.1:1 starten oder die Adresse von Ollama setzen",
  ],
  ["Download it with: ollama pull llama3", "Herunterladen mit: ollama pull llama3"],
  ["One of: build, plan", "Eines von diesen verwenden: build, plan"],
  ["Use one of simple, llm", "Eines von diesen verwenden: simple, llm"],
  ["Name a message by m17", "Name a message by m17"],
])("%s", (english, german) => {
  expect(fromGo(english)).toBe(german);
});
