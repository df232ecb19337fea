import { beforeAll, beforeEach, expect, test } from "vitest";
import { type Fake, installFake } from "@/testing/fake-api";
import { connectLinks } from "./links";

let fake: Fake;
beforeAll(() => void connectLinks());
beforeEach(() => {
  fake = installFake({ sessions: 0 });
});

/** Clicks on something inside of a link; reports whether the page would have followed it. */
function click(href: string, type = "click"): boolean {
  document.body.innerHTML = `<a href="${href}"><em>text</em></a>`;
  const event = new MouseEvent(type, { bubbles: true, cancelable: true });
  return document.querySelector("em")?.dispatchEvent(event) === true;
}

test.each(["https://example.com/a", "HTTP://example.com", "mailto:ada@example.com"])(
  "%s opens in the browser",
  async (href) => {
    expect(click(href)).toBe(false);
    expect(fake.calls).toEqual([{ name: "OpenURL", args: [href] }]);
  },
);

test.each(["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "/blob/x", "other"])(
  "%s goes nowhere",
  (href) => {
    expect(click(href)).toBe(false);
    expect(fake.calls).toEqual([]);
  },
);

test("the middle button does the same, and a link within the page stays one", () => {
  expect(click("https://example.com", "auxclick")).toBe(false);
  expect(fake.calls).toHaveLength(1);
  expect(click("#note-1")).toBe(true);
});
