// What the processes of a page and of the program hold, on Linux.

import { readdir, readFile } from "node:fs/promises";

/** The memory of the largest process below another one that was started with a word; what is shared counts in part. */
export async function pageBytes(ancestor: number | undefined, word: string): Promise<number> {
  const parents = new Map<number, number>();
  const named: number[] = [];
  for (const entry of await readdir("/proc")) {
    const pid = Number(entry);
    if (!pid) continue;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.includes(word)) named.push(pid);
  }
  let most = 0;
  for (const pid of named) {
    let above = pid;
    while (above > 1 && above !== ancestor) above = parents.get(above) ?? 0;
    if (above === ancestor) most = Math.max(most, await processBytes(pid));
  }
  return most;
}

/** The memory of a process; what is shared counts in part. */
export async function processBytes(pid: number | undefined): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return 1024 * Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
}
