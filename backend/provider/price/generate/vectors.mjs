// Writes what calls cost as the package itself reckons, one case a line, to standard output:
// provider, model, input, output, cache read, cache write and reasoning tokens, time in ms, US dollars.
//
//   node vectors.mjs [--all] [FOLDER]    every model, or with no --all a few hundred
import { open } from "./package.mjs";

const args = process.argv.slice(2);
const all = args[0] === "--all";
if (all) args.shift();
const { providers, calcPrice } = await open(args[0]);

const usages = [
  [1000, 500, 0, 0, 0],
  [150_000, 8_192, 120_000, 10_000, 4_000],
  [272_001, 1, 272_000, 0, 0],
  [1_234_567, 65_537, 7, 1_000_003, 65_536],
  [0, 0, 0, 0, 0],
];
const times = ["2026-11-21T00:29:59.999Z", "2026-03-01T12:00:00Z", "2027-06-30T02:00:00Z", "2026-08-17T00:00:00Z"].map((t) => Date.parse(t));

// Whether a model is priced by what a session counts; see Table.Cost for what is not known.
function counted({ prices }) {
  return ["input_mtok", "output_mtok", "requests_kcount"].some((key) => prices[key] !== undefined);
}

let number = 0;
for (const provider of providers) {
  for (const model of provider.models) {
    const entries = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }];
    const special = entries.length > 1 || entries.some((e) => Object.values(e.prices).some((p) => typeof p === "object" || e.prices.requests_kcount !== undefined));
    number++;
    if (!all && number % (special ? 1 : 7) !== 0) continue;
    usages.forEach(([input, output, read, write, reasoning], u) => {
      if (!all && u !== number % 4) return;
      for (const at of all && entries.length > 1 ? times : [times[number % times.length]]) {
        const usage = { input_tokens: input, output_tokens: output, cache_read_tokens: read, cache_write_tokens: write, output_reasoning_tokens: reasoning };
        const result = calcPrice(usage, model.id, { providerId: provider.id, timestamp: new Date(at) });
        const dollars = result && counted({ prices: result.model_price }) ? result.total_price : "unknown";
        process.stdout.write(`${[provider.id, model.id, input, output, read, write, reasoning, at, dollars].join("\t")}\n`);
      }
    });
  }
}
