import { Dialog } from "radix-ui";

/** What darkens the window below a dialog; toasts know by it that one is open. */
export function Scrim() {
  return <Dialog.Overlay data-scrim="" className="fixed inset-0 z-40 animate-appear bg-scrim" />;
}
