import { useQuery } from "@tanstack/react-query";
import { AuthorMark } from "@/components/session/author-mark";
import { Tooltip } from "@/components/text/tooltip";
import { api, type MessageView } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import { openComparison } from "@/lib/store/comparing";
import { placeKey } from "@/lib/tree/tree";
import { useTranscript } from "../scope";

/** Names the messages that a prompt was written about, where there are any, and leads to them. */
export function Cited({ message }: { message: MessageView }) {
  const { session } = useTranscript();
  const [left, right] = message.cites;
  if (!left) return null;
  const compare = async (rightUid: string) => {
    const [a, b] = await Promise.all([left, rightUid].map((uid) => api.locate(session.id, uid)));
    if (a && b) openComparison({ sessionId: session.id, leftUid: a.leafUid, rightUid: b.leafUid });
  };
  return (
    <p className="measure mb-1 flex flex-wrap items-center gap-x-2 text-sm text-text-3">
      {right ? t("Merges") : t("About")}
      {message.cites.map((uid, at) => (
        <Citation key={uid} uid={uid} number={at + 1} />
      ))}
      {right && message.cites.length === 2 && (
        <button
          type="button"
          className="rounded px-1 text-text-2 hover:bg-sunken hover:text-text"
          // The name of a deleted message shows that it is missing.
          onClick={() => void compare(right).catch(() => {})}
        >
          {t("compare them")}
        </button>
      )}
    </p>
  );
}

function Citation({ uid, number }: { uid: string; number: number }) {
  const { session, authors } = useTranscript();
  const { data, error } = useQuery({
    queryKey: placeKey(session.id, uid),
    queryFn: () => api.locate(session.id, uid),
  });
  if (error) return <span>{t("a deleted message")}</span>;
  if (!data) return null;
  const passage = t("passage {{number}}", { number });
  return (
    <Tooltip text={data.agent ? `${passage} · n${data.turn}` : `n${data.turn}`}>
      <button
        type="button"
        aria-label={t("Go to passage {{number}}", { number })}
        className="rounded border border-border px-1 text-text-2 hover:bg-sunken hover:text-text"
        onClick={() => runCommand("go-to-message", uid)}
      >
        {data.agent && authors.length > 0 ? (
          <AuthorMark name={data.agent} authors={authors} />
        ) : (
          passage
        )}
      </button>
    </Tooltip>
  );
}
