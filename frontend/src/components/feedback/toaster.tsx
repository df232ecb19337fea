import { Toaster as Sonner } from "sonner";
import { t } from "@/lib/i18n/i18n";
import { overDialog } from "./toast";

/** Where toasts appear; mounted once, in the shell. Toasts from before a dialog opened are below it, its own toasts above. */
export function Toaster() {
  return (
    <>
      <Layer depth={40} label={t("Notifications")} />
      <Layer id={overDialog} depth={60} label={t("Notifications of the dialog")} />
    </>
  );
}

interface LayerProps {
  id?: string;
  /** Dialogs are at 40, after everything drawn before them. */
  depth: number;
  label: string;
}

function Layer({ id, depth, label }: LayerProps) {
  return (
    <Sonner
      id={id}
      containerAriaLabel={label}
      position="bottom-center"
      style={{ "--width": "420px", zIndex: depth } as React.CSSProperties}
      // Above the composer.
      offset={152}
      gap={8}
      visibleToasts={4}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-center gap-3 rounded-lg border border-border bg-surface py-2 pe-2 ps-4 text-base text-text shadow-float",
          content: "min-w-0 flex-1",
          title: "[overflow-wrap:anywhere]",
          description: "selectable mt-0.5 text-sm text-text-2 [overflow-wrap:anywhere]",
          actionButton:
            "h-7 shrink-0 rounded px-2.5 font-semibold text-accent hover:bg-accent-soft",
          closeButton:
            "order-last size-7 shrink-0 inline-flex items-center justify-center rounded text-text-2 hover:bg-sunken",
          error: "text-text",
          icon: "text-error shrink-0",
        },
      }}
    />
  );
}
