import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";

/** Marks a session in which the scan in the background has found a secret; Settings, Data lists where. */
export function SecretMark({ id }: { id: string }) {
  const { data: found = false } = useQuery({
    queryKey: keys.sessionsWithSecrets(),
    queryFn: api.getSessionsWithSecrets,
    select: (ids) => ids.includes(id),
  });
  if (!found) return null;
  return (
    <KeyRound
      size={12}
      role="img"
      aria-label={t("a secret was found in it")}
      className="text-text-3"
    />
  );
}
