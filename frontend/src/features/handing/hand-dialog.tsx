import { useState } from "react";
import { copyText } from "@/actions/session-changes";
import { ErrorState } from "@/components/feedback/error-state";
import { Button } from "@/components/form/button";
import { Checkbox } from "@/components/form/checkbox";
import { RadioCards } from "@/components/form/radio-cards";
import { Dialog } from "@/components/overlay/dialog";
import { api, type Handed } from "@/lib/api/api";
import { sourceName } from "@/lib/format/sources";
import { t } from "@/lib/i18n/i18n";
import { type HandTarget, handRequest } from "@/lib/store/hand-request";
import { useStore } from "@/lib/store/store";

/** The tools that continue sessions, by the name of their program. */
const sources = {
  claude: "claude_code",
  codex: "codex",
  pi: "pi",
  gemini: "gemini_cli",
  opencode: "opencode",
} as const;

type Tool = keyof typeof sources;

const tools = (Object.keys(sources) as Tool[]).map((value) => ({
  value,
  title: sourceName(sources[value]),
  text: value,
}));

/** Writes a new session of another tool, and shows the command that continues it. */
export function HandDialog() {
  const target = useStore(handRequest, (state) => state);
  return target && <Hand {...target} />;
}

function Hand({ sessionId, leafUid }: HandTarget) {
  const [to, setTo] = useState<Tool>("claude");
  const [worktree, setWorktree] = useState(false);
  const [redact, setRedact] = useState(false);
  const [handed, setHanded] = useState<Handed>();
  const [error, setError] = useState<unknown>();
  const [isWriting, setWriting] = useState(false);

  const close = () => handRequest.set(undefined);
  const write = async () => {
    setWriting(true);
    setError(undefined);
    try {
      setHanded(await api.handOver({ sessionId, leafUid, to, worktree, redact }));
    } catch (reason) {
      setError(reason);
    } finally {
      setWriting(false);
    }
  };
  return (
    <Dialog
      open
      wide
      title={t("Continue in…")}
      description={t(
        "Coppice writes a new session of the tool, which continues from this message. Existing sessions are not changed.",
      )}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{handed ? t("Close") : t("Cancel")}</Button>
          {handed ? (
            <Button
              data-autofocus
              variant="primary"
              onClick={() => void copyText(handed.command, t("Copied the command"))}
            >
              {t("Copy command")}
            </Button>
          ) : (
            <Button data-autofocus variant="primary" disabled={isWriting} onClick={write}>
              {t("Write session")}
            </Button>
          )}
        </>
      }
    >
      {handed ? (
        <Written handed={handed} />
      ) : (
        <div className="flex flex-col gap-4">
          <RadioCards label={t("Tool")} value={to} onChange={setTo} cards={tools} />
          <Checkbox
            title={t("In a new worktree")}
            text={t("On a Git branch of its own, beside the workspace.")}
            checked={worktree}
            onChange={setWorktree}
          />
          <Checkbox
            title={t("Redact secrets")}
            text={t("Keys, passwords, e-mail addresses and home folders are replaced.")}
            checked={redact}
            onChange={setRedact}
          />
          {error !== undefined && (
            <ErrorState title={t("Could not write the session")} error={error} />
          )}
        </div>
      )}
    </Dialog>
  );
}

/** The command that continues the new session, and why it cannot run now. */
function Written({ handed }: { handed: Handed }) {
  return (
    <div className="flex flex-col gap-3">
      <p>
        {t("Paste this command into a terminal. It continues in {{tool}}:", { tool: handed.tool })}
      </p>
      <pre className="overflow-x-auto rounded border border-border bg-sunken p-3 font-mono text-sm whitespace-pre-wrap break-all">
        {handed.command}
      </pre>
      {handed.reason && (
        <p role="status" className="text-warn">
          {t("The command will not work yet")}: {handed.reason}
        </p>
      )}
      <p className="text-sm break-all text-text-3">{handed.path}</p>
    </div>
  );
}
