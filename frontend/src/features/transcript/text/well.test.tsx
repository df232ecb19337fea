import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderApp } from "@/testing/render-app";
import { missingOf, Well } from "./well";

const sizes = { lines: 12_345, sizeBytes: 4_200_000 };

test("a text that is whole says nothing of a rest", async () => {
  await renderApp(<Well label="Result" text="one\ntwo" missing="nothing" {...sizes} blob="" />);
  const well = screen.getByRole("figure", { name: "Result" });
  expect(well.textContent).not.toMatch(/beginning|model|Show all/);
  screen.getByRole("button", { name: "Copy" });
});

test.each([
  ["rest", "sha256:a", /This is the first part\. Show all 4\.2 MB/],
  ["rest", "", /This is the first part\. Export the session for the rest\./],
  ["unseen", "sha256:a", /The model received this part of 12,345 lines\. Show all 4\.2 MB/],
] as const)("what is not there (%s, in %j) is told", async (missing, blob, words) => {
  await renderApp(<Well label="Result" text="one" missing={missing} {...sizes} blob={blob} />);
  expect(screen.getByRole("figure", { name: "Result" }).textContent).toMatch(words);
  expect(screen.queryAllByRole("button", { name: /Show all/ })).toHaveLength(blob ? 2 : 0);
  screen.getByRole("button", { name: "Copy what is shown" });
});

test.each([
  [{ cut: true, shown: true }, "rest"],
  [{ cut: false, shown: true }, "unseen"],
  [{ cut: false }, "nothing"],
] as const)("of %j there is missing: %s", (text, missing) => {
  expect(missingOf(text)).toBe(missing);
});

test("a long text opens in place, and scrolls no box of its own", async () => {
  const text = Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n");
  const { user } = await renderApp(<Well label="Result" text={text} />);
  const pre = screen.getByRole("figure", { name: "Result" }).querySelector("pre");
  expect(pre?.className).toMatch(/overflow-hidden/);
  await user.click(screen.getByRole("button", { name: "Show all 40 lines" }));
  expect(pre?.className).not.toMatch(/max-h|overflow-hidden/);
  expect(screen.queryByRole("button", { name: /Show all/ })).toBeNull();
});
