import { Button } from "@/components/form/button";
import { Rich } from "@/components/text/rich";
import type { RecoveredSession, Recovery } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";

interface RecoveryReportProps {
  recovery: Recovery;
  /** Where the damaged file is now. */
  aside: string;
  onOpen: () => void;
}

/** What a recovery has saved and what not: the totals, and each session of which something is missing. */
export function RecoveryReport({ recovery, aside, onOpen }: RecoveryReportProps) {
  const { sessions, messages, expected, wholeSessions } = recovery;
  const incomplete = sessions.filter((session) => lossOf(session) !== "");
  return (
    <>
      <p className="text-text-2">
        {t("{{messages}} in {{sessions}}; {{complete}} of them are complete.", {
          messages:
            expected > messages
              ? plural(
                  expected,
                  "{{saved}} of {{count}} message",
                  "{{saved}} of {{count}} messages",
                  {
                    saved: messages,
                  },
                )
              : formatPlural(messages, "message"),
          sessions: formatPlural(sessions.length, "session"),
          complete: wholeSessions,
        })}
      </p>
      {incomplete.length > 0 && (
        <ul
          aria-label={t("Incomplete sessions")}
          className="mt-3 max-h-72 divide-y divide-border overflow-y-auto rounded border border-border"
        >
          {incomplete.map((session) => (
            <li key={session.id} className="px-3 py-1.5">
              <span className="block truncate" title={session.title}>
                {session.title}
              </span>
              <span className="text-sm text-text-3">{lossOf(session)}</span>
            </li>
          ))}
        </ul>
      )}
      {aside && (
        <p className="selectable mt-3 text-sm text-text-2 [overflow-wrap:anywhere]">
          <Rich
            text={t("The damaged file is kept: <path/>")}
            parts={{ path: () => <span className="font-mono">{aside}</span> }}
          />
        </p>
      )}
      <div className="mt-5">
        <Button variant="primary" onClick={onOpen}>
          {t("Open the library")}
        </Button>
      </div>
    </>
  );
}

/** What is missing of a session, in words; empty: nothing. */
export function lossOf(session: RecoveredSession): string {
  const { expected, saved, shortened, changed, newRoots } = session;
  return [
    expected < 0 && t("title and settings lost"),
    expected > saved &&
      plural(
        expected,
        "{{lost}} of {{count}} message lost",
        "{{lost}} of {{count}} messages lost",
        {
          lost: expected - saved,
        },
      ),
    shortened > 0 &&
      plural(shortened, "{{count}} message shortened", "{{count}} messages shortened"),
    changed > 0 && plural(changed, "{{count}} message altered", "{{count}} messages altered"),
    newRoots > 0 &&
      plural(newRoots, "{{count}} message without a parent", "{{count}} messages without a parent"),
  ]
    .filter(Boolean)
    .join(" · ");
}
