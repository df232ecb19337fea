import { expect, test } from "vitest";
import { untranslatedTexts } from "@/testing/strings";

/** Folders that are not converted yet. */
const pending = /^features\/tree\//;

test("texts on the screen are in the catalogues", () => {
  expect(untranslatedTexts().filter(({ file }) => !pending.test(file))).toEqual([]);
});
