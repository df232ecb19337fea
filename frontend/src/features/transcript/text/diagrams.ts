// Diagrams in Mermaid, drawn as images. An image runs no scripts and loads nothing, whatever a diagram makes of its source.

import mermaid from "mermaid";
import { type Diagram, imageOf, mostChars } from "./diagram-image";

const mostEdges = 200;

type Theme = "light" | "dark";

/** The newest diagrams by theme and source: scrolling back draws none again. */
const drawn = new Map<string, Diagram>();
const mostDrawn = 60;
let count = 0;
let last: Promise<unknown> = Promise.resolve();

const keyOf = (source: string, theme: Theme) => `${theme} ${source}`;

/** The diagram of a source if it was drawn before. */
export function drawnDiagram(source: string, theme: Theme): Diagram | undefined {
  return drawn.get(keyOf(source, theme));
}

/** Draws a diagram, one after the other. Rejects if the source is not understood. */
export function drawDiagram(source: string, theme: Theme): Promise<Diagram> {
  const next = last.then(() => drawnDiagram(source, theme) ?? draw(source, theme));
  last = next.catch(() => {});
  return next;
}

async function draw(source: string, theme: Theme): Promise<Diagram> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    theme: theme === "dark" ? "dark" : "neutral",
    layout: "dagre",
    maxTextSize: mostChars,
    maxEdges: mostEdges,
    // Labels as text of the image: HTML is not drawn in one.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    class: { htmlLabels: false },
    // A source must not set these again.
    secure: [
      "secure",
      "securityLevel",
      "startOnLoad",
      "maxTextSize",
      "maxEdges",
      "suppressErrorRendering",
      "htmlLabels",
      "flowchart",
      "class",
      "themeCSS",
      "fontFamily",
    ],
  });
  const { svg } = await mermaid.render(`diagram-${++count}`, source);
  const diagram = imageOf(svg);
  if (drawn.size >= mostDrawn) drawn.delete(drawn.keys().next().value ?? "");
  drawn.set(keyOf(source, theme), diagram);
  return diagram;
}
