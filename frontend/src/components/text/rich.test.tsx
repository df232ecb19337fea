import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Rich } from "./rich";

test.each([
  ["Press <key>Esc</key> to close", "Press <kbd>Esc</kbd> to close"],
  ["<key>Esc</key>: close", "<kbd>Esc</kbd>: close"],
  ["in <here/>.", "in <b>a</b>."],
  ["a < b", "a &lt; b"],
  ["<img>x</img>", "&lt;img&gt;x&lt;/img&gt;"],
])("%j", (text, html) => {
  const { container } = render(
    <Rich text={text} parts={{ key: (key) => <kbd>{key}</kbd>, here: () => <b>a</b> }} />,
  );
  expect(container.innerHTML).toBe(html);
});
