// Models that play what is written here, so that a run goes the same way each time.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Program } from "./program";

interface Step {
  reasoning?: string;
  text?: string;
  toolCalls?: { name: string; arguments: object }[];
  delayMs?: number;
  costNanoUsd?: number;
  error?: { code: string; message: string; retryAfterMs?: number; times?: number };
}

export interface Script {
  contextTokens?: number;
  tokensPerSecond?: number;
  turns: { match?: string; alternatives: Step[][] }[];
}

/** Writes a script and makes it the model of every run; returns its name as people type it. */
export async function useScript({ home }: Pick<Program, "home">, script: Script): Promise<string> {
  const file = join(home, "tale.json");
  await writeFile(file, JSON.stringify({ name: "tale", ...script }));
  const folder = join(home, "config", "coppice");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "config.yaml"), `model: script/${file}\nlocal_servers: false\n`);
  return `script/${file}`;
}
