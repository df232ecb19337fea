// Writes data/prices.json.gz and data/LICENSE from the npm package of package.mjs.
//
//   node generate.mjs [FOLDER]    FOLDER is the unpacked package; without it npm fetches it
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { open } from "./package.mjs";

// What the prices of the package are called here. Sounds, images and searches are not counted, so they have no price.
const names = {
  input_mtok: "input",
  output_mtok: "output",
  cache_read_mtok: "cacheRead",
  cache_write_mtok: "cacheWrite",
  cache_write_1h_mtok: "cacheWrite1h",
  output_reasoning_mtok: "reasoning",
  requests_kcount: "requests",
};

const operators = { equals: "=", starts_with: "^", ends_with: "$", contains: "*" };

// Returns the alternatives of a rule, each a list of conditions that must all hold. A condition is a
// sign and a text: = the same, ^ begins, $ ends, * contains, ~ matches the expression, ! does not.
function alternatives(rule) {
  if (rule.or) return rule.or.flatMap(alternatives);
  if (rule.and) {
    return rule.and.map(alternatives).reduce((left, right) => left.flatMap((l) => right.map((r) => [...l, ...r])), [[]]);
  }
  const [[kind, text]] = Object.entries(rule);
  if (kind === "regex") return [expression(text)];
  if (!operators[kind]) throw new Error(`unknown match rule ${kind}`);
  return [[operators[kind] + text.toLowerCase()]];
}

// Go has no look-ahead: ^(?!A)B becomes "not ^A, and ^B".
function expression(text) {
  const ahead = "^(?!";
  if (!text.startsWith(ahead)) return [`~${text}`];
  let open = 1;
  let at = ahead.length;
  for (; open > 0; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "(") open++;
    else if (text[at] === ")") open--;
  }
  const conditions = [`!^(?:${text.slice(ahead.length, at - 1)})`];
  if (at < text.length) conditions.push(`~^(?:${text.slice(at)})`);
  return conditions;
}

// Returns US dollars as billionths of one, as exactly as the package says them.
function nano(dollars) {
  const [whole, fraction = ""] = dollars.toFixed(12).split(".");
  return Number((BigInt(whole + fraction) + 500n) / 1000n);
}

function amount(value) {
  if (typeof value === "number") return { base: nano(value) };
  const tiers = value.tiers.map(({ start, price }) => ({ above: start, price: nano(price) }));
  return { base: nano(value.base), tiers: tiers.sort((a, b) => a.above - b.above) };
}

function prices({ constraint, prices }) {
  const entry = {};
  for (const [key, name] of Object.entries(names)) {
    if (prices[key] !== undefined) entry[name] = amount(prices[key]);
  }
  if (!constraint) return entry;
  if (constraint.type === "start_date") return { fromMs: Date.parse(constraint.start_date), ...entry };
  if (constraint.type === "time_of_date") {
    return { dayFromMs: ofDay(constraint.start_time), dayToMs: ofDay(constraint.end_time), ...entry };
  }
  throw new Error(`unknown constraint ${constraint.type}`);
}

function ofDay(time) {
  const ms = Date.parse(`1970-01-01T${time}`);
  if (Number.isNaN(ms)) throw new Error(`unknown time ${time}`);
  return ((ms % 86_400_000) + 86_400_000) % 86_400_000;
}

const model = (m) => ({
  id: m.id,
  match: alternatives(m.match),
  contextTokens: m.context_window,
  prices: (Array.isArray(m.prices) ? m.prices : [{ prices: m.prices }]).map(prices),
});

const provider = (p) => ({
  id: p.id,
  match: p.provider_match && alternatives(p.provider_match),
  fallback: p.fallback_model_providers,
  models: p.models.map(model),
});

const origin = await open(process.argv[2]);
const table = { source: origin.source, version: origin.version, providers: origin.providers.map(provider) };
const data = fileURLToPath(new URL("../data/", import.meta.url));
const packed = gzipSync(JSON.stringify(table), { level: 9 });
writeFileSync(`${data}prices.json.gz`, packed);
writeFileSync(
  `${data}LICENSE`,
  `prices.json.gz is made from the data of the npm package ${origin.source} ${origin.version},\n` +
    `https://github.com/pydantic/genai-prices, under this licence:\n\n${origin.license}`,
);
process.stdout.write(`${origin.source} ${origin.version}: ${table.providers.length} providers, ${packed.length} bytes\n`);
