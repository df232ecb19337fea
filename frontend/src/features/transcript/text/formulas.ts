// Formulas in LaTeX. Go marks them as <code class="math">; KaTeX, which is loaded for the first one, typesets them in place.

import katex from "katex";
import "katex/dist/katex.min.css";

/** A formula of which the source is longer is not typeset. */
const mostChars = 4000;

/** The source without the marks around it. */
export function texOf(source: string): string {
  const text = source.trim();
  for (const [open, end] of [
    ["$$", "$$"],
    ["\\[", "\\]"],
    ["\\(", "\\)"],
    ["$", "$"],
  ] as const)
    if (text.startsWith(open) && text.endsWith(end) && text.length > open.length + end.length)
      return text.slice(open.length, -end.length);
  return text;
}

/** Typesets a formula in place of its code. One that KaTeX does not understand stays code. */
export function typeset(code: HTMLElement): void {
  const source = code.textContent ?? "";
  if (source.length > mostChars) return;
  const box = document.createElement("span");
  try {
    // KaTeX escapes what it does not typeset.
    box.innerHTML = katex.renderToString(texOf(source), {
      displayMode: code.classList.contains("display"),
      throwOnError: true,
      // A source with links, styles or classes of its own stays code.
      trust: () => {
        throw new Error("typeset the formula: a command that is not trusted");
      },
      strict: "ignore",
      maxExpand: 200,
      maxSize: 20,
    });
  } catch {
    return;
  }
  box.className = code.classList.contains("display") ? "formula display" : "formula";
  box.dir = "ltr";
  box.title = source;
  code.replaceWith(box);
}
