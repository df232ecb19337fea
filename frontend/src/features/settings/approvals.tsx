import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { toastError } from "@/components/feedback/toast";
import { IconButton } from "@/components/form/icon-button";
import { type Approval, api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { baseName } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";

/** The permissions that are remembered: imported ones can be confirmed, each one removed. */
export function Approvals({ sessionId }: { sessionId: string }) {
  const client = useQueryClient();
  const queryKey = keys.approvals(sessionId);
  const { data, error } = useQuery({ queryKey, queryFn: () => api.listApprovals(sessionId) });
  const change = async (failed: string, done: Promise<void>) => {
    try {
      await done;
      await client.invalidateQueries({ queryKey: ["approvals"] });
    } catch (reason) {
      toastError(failed, reason);
    }
  };
  if (error)
    return (
      <p className="text-error">
        {t("Could not read the permissions: {{message}}", { message: error.message })}
      </p>
    );
  if (!data) return null;
  if (data.length === 0)
    return (
      <p className="text-text-2">
        {sessionId === ""
          ? t(
              "No remembered permissions. Coppice asks for each call that the permission mode does not allow.",
            )
          : t(
              "No remembered permissions apply to this session. Coppice asks for each call that the permission mode does not allow.",
            )}
      </p>
    );
  return (
    <ul className="divide-y divide-border rounded border border-border">
      {data.map((approval) => (
        <li key={approval.id} className="flex min-h-9 items-center gap-3 py-1 pe-1 ps-3">
          <span className="min-w-0 flex-1">
            <span className={approval.decision === "deny" ? "text-error" : undefined}>
              {decisionWords(approval)}
            </span>{" "}
            <span className="selectable font-mono [overflow-wrap:anywhere]">
              {approval.tool} {approval.matcher === "*" ? "" : approval.matcher}
            </span>
          </span>
          <span className="shrink-0 text-sm text-text-3" title={approval.workspacePath}>
            {scopeWords(approval)}
          </span>
          {approval.unconfirmed && (
            <IconButton
              icon={Check}
              label={t("Allow {{call}}", { call: `${approval.tool} ${approval.matcher}` })}
              className="!size-6"
              onClick={() =>
                void change(t("Could not allow the permission"), api.confirmApproval(approval.id))
              }
            />
          )}
          <IconButton
            icon={X}
            label={t("Remove {{call}}", { call: `${approval.tool} ${approval.matcher}` })}
            className="!size-6"
            onClick={() =>
              void change(t("Could not remove the permission"), api.forgetApproval(approval.id))
            }
          />
        </li>
      ))}
    </ul>
  );
}

function decisionWords({ decision, unconfirmed }: Approval): string {
  if (unconfirmed) return t("imported, not in force:");
  return decision === "deny" ? t("never") : t("allow");
}

function scopeWords({ scope, workspacePath }: Approval): string {
  if (scope === "always") return t("everywhere");
  if (scope === "workspace") return t("in {{folder}}", { folder: baseName(workspacePath) });
  return t("in this session");
}
