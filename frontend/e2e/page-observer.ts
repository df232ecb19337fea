// Opens pages in WebKitGTK, as a browser does.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { end, startScreen } from "./program";

const run = promisify(execFile);

/**
 * Opens pages in WebKitGTK, and returns the lines that page-observer.c printed of each. `options` precede the files on its command line;
 * the program and what WebKit stores are in the folder `home`.
 */
export async function observe(
  home: string,
  options: readonly string[],
  files: readonly string[],
): Promise<Map<string, string[]>> {
  const observer = join(home, "page-observer");
  const { stdout: flags } = await run("pkg-config", ["--cflags", "--libs", "webkit2gtk-4.1"]);
  const source = join(import.meta.dirname, "page-observer.c");
  await run("gcc", [source, "-o", observer, ...flags.trim().split(/\s+/)]);
  const screen = await startScreen();
  try {
    const env = { ...process.env, HOME: home, DISPLAY: screen.display };
    const { stdout } = await run(observer, [...options, ...files], { env });
    const pages = stdout.split(/^page /m).slice(1);
    return new Map(files.map((file, at) => [file, pages[at]?.trim().split("\n").slice(1) ?? []]));
  } finally {
    await end(screen.server);
  }
}
