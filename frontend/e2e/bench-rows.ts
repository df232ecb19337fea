// Lines of the table of app/bench, which reads them from the file that COPPICE_BENCH_ROWS names.

import { appendFile } from "node:fs/promises";

/** A line: a measurement with its budget, or only a measurement. */
export interface Row {
  what: string;
  /** As it is printed, with its unit; of what could not be measured, why. */
  figure: string;
  /** The ratio to the budget; 0: no budget. */
  ratio: number;
  budget: string;
  failed?: boolean;
}

/** Adds a line; without a file it is printed. */
export async function addRow(row: Row): Promise<void> {
  const file = process.env.COPPICE_BENCH_ROWS;
  if (file) await appendFile(file, `${JSON.stringify(row)}\n`);
  else process.stdout.write(`${row.what}: ${row.figure} ${row.budget}\n`);
}

/** A line that prints a time and judges it. */
export function timed(what: string, ms: number, budgetMs: number): Row {
  return {
    what,
    figure: `${ms.toFixed(1)} ms`,
    ratio: ms / budgetMs,
    budget: `budget: ${budgetMs} ms`,
  };
}

/** A line that only prints. */
export function plainRow(what: string, figure: string): Row {
  return { what, figure, ratio: 0, budget: "" };
}

/** A line of what could not be measured. */
export function failed(what: string, reason: unknown): Row {
  return { what, figure: `failed: ${String(reason)}`, ratio: 0, budget: "", failed: true };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
