import { useQuery } from "@tanstack/react-query";
import { api, type Secret } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import { Rows } from "./section";

/** The secrets that the scan in the background has found, and where they occur. */
export function Secrets() {
  const { data } = useQuery({ queryKey: keys.secrets(), queryFn: api.getSecrets });
  if (!data) return null;
  return (
    <div className="flex flex-col gap-3">
      {data.waiting > 0 && (
        <p role="status" className="text-text-2">
          {plural(
            data.waiting,
            "{{count}} session is not scanned yet.",
            "{{count}} sessions are not scanned yet.",
          )}
        </p>
      )}
      {data.total === 0 && data.waiting === 0 && (
        <p className="text-text-2">{t("No secret was recognised.")}</p>
      )}
      <Rows label={t("Secrets")}>
        {data.secrets.map((secret) => (
          <Row key={secret.id} secret={secret} />
        ))}
      </Rows>
    </div>
  );
}

function Row({ secret }: { secret: Secret }) {
  return (
    <li className="px-3 py-2">
      <details>
        <summary>
          <code className="font-mono">{secret.id}</code> ·{" "}
          {t("{{times}} in {{sessions}}", {
            times: formatPlural(secret.count, "time"),
            sessions: formatPlural(secret.sessions, "session"),
          })}
        </summary>
        <ul className="mt-2 flex flex-col gap-1">
          {secret.places.map((place) => (
            <li key={`${place.sessionId} ${place.uid}`} className="min-w-0 truncate">
              <button
                type="button"
                className="min-w-0 truncate rounded-sm underline decoration-border-strong underline-offset-2"
                onClick={() => runCommand("open-message", `${place.sessionId}/${place.uid}`)}
              >
                m{place.seq} · {place.title}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
