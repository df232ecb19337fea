import { Button } from "@/components/form/button";
import type { MessageView, Session } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { commandSpec } from "@/lib/keys/commands";

interface PathBarProps {
  session: Session;
  /** The last message of the path; undefined while it loads. */
  leaf: MessageView | undefined;
  /** Messages on the path. */
  length: number;
  /** The leaf of the path that continues below the last message; empty if nothing follows. */
  furtherUid: string;
  onContinue: () => void;
  onFurther: () => void;
}

/** The line below a path that is not the session's whole: which one it is, and the ways on. */
export function PathBar({ session, leaf, length, furtherUid, ...on }: PathBarProps) {
  const atHead = leaf?.uid === session.headUid;
  if (!leaf || (atHead && furtherUid === "")) return null;
  return (
    <footer className="flex h-10 shrink-0 items-center gap-2 border-t border-border px-6 text-sm text-text-3">
      <p className="min-w-0 truncate">
        {atHead ? t("At the current position") : t("Not at the current position")}
        {" · "}
        {formatPlural(length, "message")}
        {session.branchCount > 1 &&
          ` · ${t("branch {{number}} of {{total}}", { number: leaf.branch + 1, total: session.branchCount })}`}
      </p>
      <span className="flex-1" />
      {furtherUid !== "" && (
        <Button variant="quiet" onClick={on.onFurther}>
          {t("Show what follows")}
        </Button>
      )}
      {!atHead && <Button onClick={on.onContinue}>{commandSpec("move-head").title}</Button>}
    </footer>
  );
}
