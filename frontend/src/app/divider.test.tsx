import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { Divider } from "./divider";

function Moved({ mirrored }: { mirrored?: boolean }) {
  const [width, setWidth] = useState(300);
  return (
    <Divider
      label="Width"
      value={width}
      initial={280}
      min={220}
      max={480}
      mirrored={mirrored}
      onChange={setWidth}
    />
  );
}

const line = () => screen.getByRole("separator", { name: "Width" });
const now = () => Number(line().getAttribute("aria-valuenow"));

test("arrow keys, Home and End move it within its limits", () => {
  render(<Moved />);
  fireEvent.keyDown(line(), { key: "ArrowRight" });
  expect(now()).toBe(316);
  fireEvent.keyDown(line(), { key: "Home" });
  fireEvent.keyDown(line(), { key: "ArrowLeft" });
  expect(now()).toBe(220);
  fireEvent.keyDown(line(), { key: "End" });
  expect(now()).toBe(480);
  fireEvent.doubleClick(line());
  expect(now()).toBe(280);
});

test("at the other side it grows to the left", () => {
  render(<Moved mirrored />);
  fireEvent.keyDown(line(), { key: "ArrowLeft" });
  expect(now()).toBe(316);
});
