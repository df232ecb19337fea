import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { modelFamily, shortModel } from "./model";

interface Name {
  id: string;
  family: string;
  short: string;
}

// The test of the Go package reads the same table.
const names: Name[] = JSON.parse(readFileSync("../backend/modelname/testdata/names.json", "utf8"));

test.each(names)("$id", ({ id, family, short }) => {
  expect(modelFamily(id)).toBe(family);
  expect(shortModel(id)).toBe(short);
});
