import { Dialog } from "radix-ui";

/** Darkens the window behind a dialog; toasts use it to detect that a dialog is open. */
export function Scrim() {
  return <Dialog.Overlay data-scrim="" className="fixed inset-0 z-40 animate-appear bg-scrim" />;
}
