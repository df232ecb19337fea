import { afterEach, expect, test, vi } from "vitest";
import { connectTitles } from "./titles";

afterEach(() => {
  vi.useRealTimers();
  document.body.innerHTML = "";
});

const over = (element: Element) =>
  element.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));

test("a title is shown after a moment and given back to its element", () => {
  vi.useFakeTimers();
  document.body.innerHTML = '<p title="All of it"><b>All…</b></p><i>other</i>';
  const disconnect = connectTitles();
  const [p, b, i] = ["p", "b", "i"].map((name) => document.querySelector(name) as Element);
  over(b as Element);
  expect(p?.hasAttribute("title")).toBe(false);
  vi.advanceTimersByTime(600);
  expect(document.querySelector(".title-tip")?.textContent).toBe("All of it");
  over(i as Element);
  expect(document.querySelector(".title-tip")).toBeNull();
  expect(p?.getAttribute("title")).toBe("All of it");
  disconnect();
});

test("a title that was changed meanwhile stays changed", () => {
  document.body.innerHTML = '<p title="old">x</p>';
  const disconnect = connectTitles();
  const p = document.querySelector("p") as Element;
  over(p);
  p.setAttribute("title", "new");
  disconnect();
  expect(p.getAttribute("title")).toBe("new");
});
