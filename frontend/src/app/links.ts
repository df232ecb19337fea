// A plain link would navigate the window away from the program, for good. No click gets that far.

import { toastError } from "@/components/toast";
import { api } from "@/lib/api";

/** Sends links of prose to the person's browser. Returns the way to disconnect. */
export function connectLinks(): () => void {
  const listener = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!link) return;
    const href = link.getAttribute("href") ?? "";
    if (href.startsWith("#")) return;
    event.preventDefault();
    if (!/^(https?|mailto):/i.test(href)) return;
    api.openURL(href).catch((error) => toastError("The link could not be opened", error));
  };
  // Before any component, and for the middle button too.
  document.addEventListener("click", listener, true);
  document.addEventListener("auxclick", listener, true);
  return () => {
    document.removeEventListener("click", listener, true);
    document.removeEventListener("auxclick", listener, true);
  };
}
