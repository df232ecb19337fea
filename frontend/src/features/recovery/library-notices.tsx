import { useQuery, useQueryClient } from "@tanstack/react-query";
import { TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { IconButton } from "@/components/form/icon-button";
import { api, type LibraryState, type LocationRisk } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";

interface LibraryNoticesProps {
  state: LibraryState;
  /** Shows the ways out of a damaged library. */
  onRepair: () => void;
}

/** What the user should know about the file of an open library: damaged pages, a full disk, a folder in which it is at risk. */
export function LibraryNotices({ state, onRepair }: LibraryNoticesProps) {
  const client = useQueryClient();
  const { data: risk } = useQuery({ queryKey: keys.locationRisk(), queryFn: api.getLocationRisk });
  const dismiss = async () => {
    try {
      await api.dismissLocationRisk();
      await client.invalidateQueries({ queryKey: keys.locationRisk() });
    } catch (reason) {
      toastError(t("Could not dismiss the notice"), reason);
    }
  };
  const warning = risk && riskText(risk);
  return (
    <>
      {state.damage.length > 0 && (
        <Notice
          urgent
          action={
            <Button title={state.damage.join("\n")} onClick={onRepair}>
              {t("Repair…")}
            </Button>
          }
        >
          {t("Parts of the library are damaged and cannot be read. Nothing was changed.")}
        </Notice>
      )}
      {state.state === "reading" && (
        <Notice>
          {t(
            "Read-only: {{reason}}. Free disk space or grant write access, then start Coppice again.",
            { reason: state.message },
          )}
        </Notice>
      )}
      {warning && (
        <Notice
          action={
            <IconButton icon={X} label={t("Dismiss for today")} onClick={() => void dismiss()} />
          }
        >
          {warning}
        </Notice>
      )}
    </>
  );
}

interface NoticeProps {
  /** It is announced at once. */
  urgent?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

function Notice({ urgent = false, action, children }: NoticeProps) {
  return (
    <div
      role={urgent ? "alert" : "status"}
      className="flex min-h-9 items-center gap-2 border-b border-border bg-sunken py-1 pe-2 ps-4 text-sm"
    >
      <TriangleAlert size={16} className="shrink-0 text-warn" aria-hidden="true" />
      <p className="selectable min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</p>
      {action}
    </div>
  );
}

/** What puts the library at risk, and what to do; empty: nothing. */
export function riskText({ syncedBy, folder, network }: LocationRisk): string {
  if (network)
    return t(
      "The library is on a network file system ({{network}}). Open it on one computer at a time, or move it to a local disk.",
      { network },
    );
  if (syncedBy)
    return t(
      "{{service}} synchronises {{folder}}, which can damage the library while it is open. Move the library to another folder, and synchronise its backups instead.",
      { service: syncedBy, folder },
    );
  return "";
}
