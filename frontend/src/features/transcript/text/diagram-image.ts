// What is drawn of a diagram, and what is not. It does not know Mermaid, which is large.

/** A source of more characters is not drawn: the layout takes the window's own time. */
export const mostChars = 10_000;

/** A drawn diagram. */
export interface Diagram {
  /** An address for an image. */
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

/** Elements that a label may have, without attributes. */
const harmless = new Set(["br", "b", "i", "u", "em", "strong", "small", "sub", "sup"]);

/** Reports whether a source may be given to Mermaid: it is short, and its labels have no HTML but for line breaks and weights. */
export function isDrawable(source: string): boolean {
  if (source.length > mostChars) return false;
  for (const [, name = "", rest = ""] of source.matchAll(/<\/?([a-z][a-z0-9-]*)([^<>]*)/gi)) {
    const isPlain = harmless.has(name.toLowerCase()) && /^\s*\/?$/.test(rest);
    if (!isPlain && (isElement(name) || /[\s"'/]on[a-z]+\s*=/i.test(rest))) return false;
  }
  return true;
}

/** Reports whether a page knows an element: "x<y" is a comparison. */
function isElement(name: string): boolean {
  const inert = document.implementation.createHTMLDocument();
  return name.includes("-") || !(inert.createElement(name) instanceof HTMLUnknownElement);
}

/** The drawing as an image of its own size. */
export function imageOf(svg: string): Diagram {
  const root = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  if (!root) throw new Error("draw the diagram: no drawing");
  for (const active of root.querySelectorAll("script, iframe, object, embed")) active.remove();
  const [, , width = 0, height = 0] = (root.getAttribute("viewBox") ?? "")
    .split(/[\s,]+/)
    .map(Number);
  if (!(width > 0 && height > 0 && width < 20_000 && height < 20_000))
    throw new Error("draw the diagram: no size");
  root.setAttribute("width", `${width}`);
  root.setAttribute("height", `${height}`);
  root.removeAttribute("style");
  root.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const text = new XMLSerializer().serializeToString(root);
  return { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, width, height };
}
