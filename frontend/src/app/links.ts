// A plain link would navigate the window away from the program, for good. No click gets that far.

import { toastError } from "@/components/feedback/toast";
import { api } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

/** Opens links of prose in the user's browser. Returns a function that disconnects. */
export function connectLinks(): () => void {
  const listener = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!link) return;
    const href = link.getAttribute("href") ?? "";
    if (href.startsWith("#")) return;
    event.preventDefault();
    if (!/^(https?|mailto):/i.test(href)) return;
    api.openURL(href).catch((error) => toastError(t("Could not open the link"), error));
  };
  // Before any component, and for the middle button too.
  document.addEventListener("click", listener, true);
  document.addEventListener("auxclick", listener, true);
  return () => {
    document.removeEventListener("click", listener, true);
    document.removeEventListener("auxclick", listener, true);
  };
}
