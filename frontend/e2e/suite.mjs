// Runs the end-to-end tests. A file that fails is run once more by itself: it fails if it fails twice, and is named as flaky otherwise.
// Three real windows, browsers and programs share two cores here; one late frame must not hide what the other tests found.

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { relative, resolve } from "node:path";

const report = resolve(import.meta.dirname, "../../build/bin/e2e.json");

/** Runs test files, all of them where none is named, and returns those that failed; undefined where there is no report. */
function run(files) {
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = ["vitest", "run", "--config", "vitest.e2e.config.ts", ...reporters, ...files];
  const { status } = spawnSync("npx", args, { stdio: "inherit" });
  try {
    const failed = JSON.parse(readFileSync(report, "utf8")).testResults.filter(
      (file) => file.status !== "passed",
    );
    return failed.length > 0 || status === 0 ? failed : undefined;
  } catch {
    return undefined;
  }
}

/** Prints each failed test with the first lines of its error at the end of the output, where it is looked for. */
function print(title, failed) {
  for (const { name, message, assertionResults } of failed) {
    const file = relative(".", name);
    const tests = assertionResults.filter(({ status }) => status === "failed");
    if (tests.length === 0) console.log(`${title}: ${file}: ${message}`);
    for (const { fullName, failureMessages } of tests) {
      const lines = failureMessages.join("\n").split("\n");
      const cause = lines.filter((line) => !line.includes("node_modules")).join("\n  ");
      console.log(`${title}: ${file} › ${fullName}\n  ${cause}`);
    }
  }
}

const first = run(process.argv.slice(2));
const second = first?.length ? run(first.map(({ name }) => relative(".", name))) : first;
if (first) print(second?.length === 0 ? "flaky, passed when run again" : "failed", first);
if (first && second !== first) print("failed again", second ?? []);
process.exitCode = second?.length === 0 ? 0 : 1;
