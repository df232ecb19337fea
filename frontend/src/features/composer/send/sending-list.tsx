import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ErrorState } from "@/components/feedback/error-state";
import { SendingLines } from "@/components/session/sending-lines";
import { api, type RunRequest } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";

interface SendingListProps {
  request: RunRequest;
  /** Models that are asked in parallel with the chosen one. */
  beside: readonly string[];
}

/** What exactly a model would be sent by the engine now. */
export function SendingList({ request, beside }: SendingListProps) {
  // The bytes of images are not a name.
  const name = useMemo(
    () => ({ ...request, images: request.images.map(({ name, base64 }) => [name, base64.length]) }),
    [request],
  );
  const { data, error, refetch } = useQuery({
    queryKey: keys.sending(request.sessionId, name),
    queryFn: () => api.getSending(request),
    gcTime: 0,
    staleTime: 0,
  });
  if (error)
    return <ErrorState title={t("Could not load what is sent")} error={error} onRetry={refetch} />;
  if (!data) return <p className="py-2 text-text-3">{t("Loading what is sent…")}</p>;
  return <SendingLines sending={data} beside={beside} />;
}
