import { expect, test } from "vitest";
import { untranslatedTexts } from "@/testing/strings";

test("texts on the screen are in the catalogues", () => {
  expect(untranslatedTexts()).toEqual([]);
});
