import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "@/components/feedback/error-state";
import { Dialog } from "@/components/overlay/dialog";
import { SendingLines } from "@/components/session/sending-lines";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatExact } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { type SentRequest, sentRequest } from "@/lib/store/sent-request";
import { useStore } from "@/lib/store/store";

/** The request that an answer resulted from. */
export function SentDialog() {
  const shown = useStore(sentRequest, (state) => state);
  return shown && <Sent {...shown} />;
}

function Sent({ sessionId, uid }: SentRequest) {
  const { data, error, refetch } = useQuery({
    queryKey: keys.sent(sessionId, uid),
    queryFn: () => api.getSent(sessionId, uid),
    retry: false,
  });
  return (
    <Dialog
      open
      wide
      toRead
      title={t("What was sent to the model")}
      description={
        data &&
        t("The exact request of {{time}}, rebuilt and compared with what was sent", {
          time: formatExact(data.sentAtMs),
        })
      }
      onClose={() => sentRequest.set(undefined)}
    >
      {error ? (
        <ErrorState title={t("Could not show what was sent")} error={error} onRetry={refetch} />
      ) : data ? (
        <SendingLines sending={data} />
      ) : (
        <p className="py-2 text-text-3">{t("Loading what was sent…")}</p>
      )}
    </Dialog>
  );
}
