// The npm package that prices come from.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const source = "@pydantic/genai-prices";
const version = "0.1.8";

// Returns the package in a folder, or fetches it from the registry where no folder is given.
export async function open(folder) {
  folder = resolve(folder ?? fetch());
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const api = createRequire(import.meta.url)(join(folder, manifest.main));
  return {
    source: manifest.name,
    version: manifest.version,
    license: readFileSync(join(folder, "LICENSE"), "utf8"),
    providers: await api.waitForUpdate(),
    calcPrice: api.calcPrice,
  };
}

function fetch() {
  const folder = mkdtempSync(join(tmpdir(), "prices-"));
  const archive = execFileSync("npm", ["pack", "--silent", `${source}@${version}`], { cwd: folder, encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", archive], { cwd: folder });
  return join(folder, "package");
}
