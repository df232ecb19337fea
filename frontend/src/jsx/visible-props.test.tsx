import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

const hostile = "a\u202eb\u0007";
const shown = "a[U+202E]b␇";

function Passes({ title }: { title: string }) {
  return <input aria-label="field" defaultValue={title} />;
}

test("texts and names of elements are visible, however they are written", () => {
  render(
    <button type="button" title={hostile} aria-label={`open ${hostile}`}>
      {hostile} {["x", hostile]}
      <b>{`b ${hostile}`}</b>
    </button>,
  );
  const button = screen.getByRole("button");
  expect(button.title).toBe(shown);
  expect(button.getAttribute("aria-label")).toBe(`open ${shown}`);
  expect(button.textContent).toBe(`${shown} x${shown}b ${shown}`);
});

test("what a component is given to edit stays", () => {
  render(<Passes title={hostile} />);
  expect(screen.getByLabelText<HTMLInputElement>("field").value).toBe(hostile);
});
