// Code blocks of prose come from Go as <pre class="code" data-lang>; here they get their line with
// the language and the button that copies them.

import { t } from "@/lib/i18n/i18n";

/** Gives every code block inside its line, and what scrolls by keys a name for screen readers. */
export function dressCodeBlocks(root: HTMLElement): void {
  for (const table of root.querySelectorAll(".table[tabindex]")) {
    nameGroup(table, t("Table"));
  }
  for (const pre of root.querySelectorAll<HTMLElement>("pre.code, pre.verbatim")) {
    if (pre.parentElement?.classList.contains("code-block")) continue;
    nameGroup(pre, pre.dataset.lang || t("Code"));
    const box = document.createElement("div");
    box.className = "code-block";
    const line = document.createElement("div");
    line.className = "code-line";
    const language = document.createElement("span");
    language.textContent = pre.dataset.lang ?? "";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = t("Copy");
    button.dataset.copyCode = "";
    line.append(language, button);
    pre.replaceWith(box);
    box.append(line, pre);
  }
}

function nameGroup(element: Element, label: string): void {
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", label);
}

const saidMs = 2000;

/** Copies the block whose button was clicked; false where the click was elsewhere. */
export function copyCodeBlock(
  target: EventTarget,
  write: (text: string) => Promise<boolean>,
): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const button = target.closest<HTMLElement>("[data-copy-code]");
  const pre = button?.closest(".code-block")?.querySelector("pre");
  if (!button || !pre) return false;
  void write(pre.textContent ?? "").then((copied) => {
    if (!copied) return;
    button.textContent = t("Copied");
    setTimeout(() => {
      button.textContent = t("Copy");
    }, saidMs);
  });
  return true;
}
