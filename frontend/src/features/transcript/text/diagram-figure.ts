// A diagram in the place of its source, with a button that shows the source again.

import { t } from "@/lib/i18n/i18n";
import { type Diagram, isDrawable } from "./diagram-image";

const diagrams = () => import("./diagrams");

const theme = () => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");

/** Draws the diagram of a code block, again when the theme changes, until the returned function is called. A source that is not understood stays code. */
export function diagramFigure(pre: HTMLElement): () => void {
  const source = pre.textContent ?? "";
  const block = pre.closest<HTMLElement>(".code-block");
  const line = block?.querySelector(".code-line");
  if (!block || !line || !isDrawable(source)) return () => {};
  let live = true;
  const figure = document.createElement("figure");
  figure.className = "diagram";
  const image = document.createElement("img");
  image.alt = t("Diagram");
  figure.append(image);
  const button = sourceButton(figure, pre);
  const show = ({ src, width, height }: Diagram) => {
    image.src = src;
    image.width = width;
    image.height = height;
    if (figure.isConnected) return;
    pre.hidden = true;
    pre.before(figure);
    line.insertBefore(button, line.lastElementChild);
  };
  const draw = async () => {
    try {
      const { drawDiagram } = await diagrams();
      if (!live) return;
      const diagram = await drawDiagram(source, theme());
      if (live) show(diagram);
    } catch {
      // It stays code, which says as much as an error would.
    }
  };
  void draw();
  const observer = new MutationObserver(() => void draw());
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    live = false;
    observer.disconnect();
  };
}

/** The button that turns between the diagram and its source. */
function sourceButton(figure: HTMLElement, pre: HTMLElement): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "ms-auto";
  button.textContent = t("Show source");
  button.addEventListener("click", () => {
    pre.hidden = !pre.hidden;
    figure.hidden = !pre.hidden;
    button.textContent = pre.hidden ? t("Show source") : t("Show diagram");
  });
  return button;
}
