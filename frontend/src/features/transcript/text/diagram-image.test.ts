import { expect, test } from "vitest";
import { imageOf, isDrawable, mostChars } from "./diagram-image";

test.each([
  ["flowchart TD\n  A[one<br/>two] --> B[<b>bold</b>]", true],
  ["classDiagram\n  Animal <|-- Duck\n  <<interface>> Animal", true],
  ["flowchart LR\n  A <--> B", true],
  ['flowchart TD\n  A["<img src=x onerror=alert(1)>"]', false],
  ['flowchart TD\n  A["<b onclick=alert(1)>x</b>"]', false],
  ["flowchart TD\n  A[<script>alert(1)</script>]", false],
  ["flowchart TD\n  A[<SVG/onload=alert(1)>]", false],
  ["flowchart TD\n  A[<iframe src=x>]", false],
  [`flowchart TD\n  A[${"x".repeat(mostChars)}]`, false],
])("%j may be drawn: %j", (source, expected) => {
  expect(isDrawable(source)).toBe(expected);
});

test("a drawing becomes an image of its own size, without scripts", () => {
  const { src, width, height } = imageOf(
    '<svg viewBox="0 0 320 200" style="max-width: 320px"><text>One</text><script>alert(1)</script></svg>',
  );
  const text = decodeURIComponent(src.replace(/^data:[^,]*,/, ""));
  expect([width, height]).toEqual([320, 200]);
  expect(text).toMatch(/^<svg/);
  expect(text).toContain("One");
  expect(text).not.toContain("script");
});

test.each(["<svg></svg>", '<svg viewBox="0 0 0 9"></svg>', "<p>no</p>"])(
  "%s is no drawing",
  (svg) => {
    expect(() => imageOf(svg)).toThrow("draw the diagram");
  },
);
