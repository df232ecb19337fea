import { Button } from "@/components/form/button";
import type { RecoveredSession, Recovery } from "@/lib/api/api";
import { formatCount, formatPlural } from "@/lib/format/format";

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
        {formatPlural(messages, "message")}
        {expected > messages && ` of ${formatCount(expected)}`} in{" "}
        {formatPlural(sessions.length, "session")}; {formatCount(wholeSessions)} of them are
        complete.
      </p>
      {incomplete.length > 0 && (
        <ul
          aria-label="Incomplete sessions"
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
          The damaged file is kept: <span className="font-mono">{aside}</span>
        </p>
      )}
      <div className="mt-5">
        <Button variant="primary" onClick={onOpen}>
          Open the library
        </Button>
      </div>
    </>
  );
}

/** What is missing of a session, in words; empty: nothing. */
export function lossOf(session: RecoveredSession): string {
  const { expected, saved, shortened, changed, newRoots } = session;
  return [
    expected < 0 && "title and settings lost",
    expected > saved &&
      `${formatCount(expected - saved)} of ${formatPlural(expected, "message")} lost`,
    shortened > 0 && `${formatPlural(shortened, "message")} shortened`,
    changed > 0 && `${formatPlural(changed, "message")} altered`,
    newRoots > 0 && `${formatPlural(newRoots, "message")} without a parent`,
  ]
    .filter(Boolean)
    .join(" · ");
}
