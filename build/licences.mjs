// Lists the packages of others that are part of the program, with their licences: Go modules of the window and of the command line, and
// packages of the interface. Run "make licences" when dependencies change; tests compare the list with go.mod and package.json.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Licences by words that only their texts have. */
const known = [
  ["Apache-2.0", /Apache License\s+Version 2\.0/],
  ["MPL-2.0", /Mozilla Public License,? (Version|v\.) ?2\.0/i],
  ["ISC", /Permission to use, copy, modify, and\/?o?r? ?distribute this software/],
  ["BSD-3-Clause", /Neither the name of|names of its contributors/],
  ["BSD-2-Clause", /Redistributions in binary form/],
  ["MIT", /Permission is hereby granted, free of charge/],
  ["Unlicense", /This is free and unencumbered software/],
];

function licenceOf(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.|-|$)/i.test(name));
  if (!file) return "";
  const text = readFileSync(join(folder, file), "utf8");
  return known.find(([, words]) => words.test(text))?.[0] ?? "";
}

function goModules() {
  const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}";
  const modules = new Map();
  for (const tags of ["", "desktop,production,webkit2_41"]) {
    const list = execFileSync("go", ["list", "-deps", "-tags", tags, "-f", format, "."], { cwd: root });
    for (const line of list.toString().split("\n").filter(Boolean)) {
      const [name, version, folder] = line.split(" ");
      modules.set(name, { name, version: version.replace(/^v/, ""), licence: licenceOf(folder) });
    }
  }
  return [...modules.values()];
}

/** The build leaves these out: see vite.config.ts. */
const leftOut = new Set(["elkjs"]);

/** The packages that package.json needs at run time, and what those need. */
function npmPackages() {
  const packages = new Map();
  const read = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const add = (name) => {
    const folder = join(root, "frontend/node_modules", name);
    if (packages.has(name) || leftOut.has(name) || !existsSync(folder)) return;
    const { version, license = "", dependencies = {} } = read(folder);
    packages.set(name, { name, version, licence: license || licenceOf(folder) });
    for (const other of Object.keys(dependencies)) add(other);
  };
  for (const name of Object.keys(read(join(root, "frontend")).dependencies)) add(name);
  return [...packages.values()];
}

const all = [...goModules(), ...npmPackages()].sort((a, b) => (a.name < b.name ? -1 : 1));
const lines = all.map((one) => `  ${JSON.stringify(one).replace(/":/g, '": ').replace(/,"/g, ', "').replace(/^\{/, "{ ").replace(/\}$/, " }")}`);
writeFileSync(join(root, "frontend/src/features/settings/packages.json"), `[\n${lines.join(",\n")}\n]\n`);
