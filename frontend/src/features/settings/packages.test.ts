import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import packages from "./packages.json";

const root = `${import.meta.dirname}/../../../..`;
const versions = new Map(packages.map(({ name, version }) => [name, version]));

test("every package has a licence", () => {
  expect(packages.filter(({ licence }) => licence === "")).toEqual([]);
});

test("the packages of the interface are listed", () => {
  const { dependencies } = JSON.parse(readFileSync(`${root}/frontend/package.json`, "utf8"));
  expect(Object.keys(dependencies).filter((name) => !versions.has(name))).toEqual([]);
});

test("Go modules are listed in the versions of go.mod", () => {
  const lines = readFileSync(`${root}/go.mod`, "utf8").matchAll(/^\t(\S+) v(\S+)/gm);
  const stale = [...lines].filter(([, name = "", version]) => {
    const listed = versions.get(name);
    return listed !== undefined && listed !== version;
  });
  expect(stale.map(([, name]) => name)).toEqual([]);
  expect(versions.has("modernc.org/sqlite")).toBe(true);
});
