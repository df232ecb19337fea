import { Trash2 } from "lucide-react";
import { Button } from "@/components/form/button";
import { Dialog } from "@/components/overlay/dialog";
import { plural, t } from "@/lib/i18n/i18n";

interface TrashBarProps {
  /** Turns in the trash. */
  turns: number;
  shown: boolean;
  onShow: (shown: boolean) => void;
  onRestore: () => void;
  onEmpty: () => void;
  /** The question whether to empty it is open. */
  asking: boolean;
  onAsk: (asking: boolean) => void;
}

/** Narrow, so that the count stays readable in a narrow pane. */
const buttonLook = "flex-none px-2!";

/** The line below the tree with the number of turns in the session's trash; nothing if it is empty. */
export function TrashBar(props: TrashBarProps) {
  const { turns, shown, onShow, onRestore, onEmpty, asking, onAsk } = props;
  if (turns === 0) return null;
  return (
    <section
      aria-label={t("Trash of the session")}
      className="flex h-9 flex-none items-center border-t border-border pe-2 ps-4 text-sm text-text-3"
    >
      <Trash2 size={13} aria-hidden="true" className="me-2" />
      <span className="min-w-0 flex-1 truncate">
        {plural(turns, "{{count}} turn in the trash", "{{count}} turns in the trash")}
      </span>
      <Button
        variant="quiet"
        className={buttonLook}
        aria-pressed={shown}
        onClick={() => onShow(!shown)}
      >
        {shown ? t("Hide") : t("Show")}
      </Button>
      {shown && (
        <>
          <Button variant="quiet" className={buttonLook} onClick={onRestore}>
            {t("Restore all")}
          </Button>
          <Button variant="quiet" className={buttonLook} onClick={() => onAsk(true)}>
            {t("Empty…")}
          </Button>
        </>
      )}
      <Dialog
        open={asking}
        onClose={() => onAsk(false)}
        title={t("Empty the session's trash?")}
        footer={
          <>
            <Button onClick={() => onAsk(false)}>{t("Cancel")}</Button>
            <Button
              variant="danger"
              onClick={() => {
                onAsk(false);
                onEmpty();
              }}
            >
              {t("Empty trash")}
            </Button>
          </>
        }
      >
        <p className="text-text-2">
          {plural(
            turns,
            "Deletes {{count}} turn for good, and the remaining turns are renumbered. This cannot be undone.",
            "Deletes {{count}} turns for good, and the remaining turns are renumbered. This cannot be undone.",
          )}
        </p>
      </Dialog>
    </section>
  );
}
