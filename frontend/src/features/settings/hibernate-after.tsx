import { useQueryClient } from "@tanstack/react-query";
import { RadioCards } from "@/components/form/radio-cards";
import type { Settings } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { changeSettings } from "./change-settings";

const choices = () => [
  { value: "0", title: t("Never") },
  { value: "10", title: t("10 minutes") },
  { value: "30", title: t("30 minutes") },
  { value: "240", title: t("4 hours") },
];

/** After how long without an answer to its question a run hibernates. */
export function HibernateAfter({ settings }: { settings: Settings | undefined }) {
  const client = useQueryClient();
  if (!settings) return null;
  const choose = (minutes: string) =>
    void changeSettings(client, () => ({ hibernateAfterMinutes: Number(minutes) }));
  return (
    <>
      <p className="mb-2 text-text-2">
        {t(
          "A session that waits for your answer hibernates after this time. Continue it when you are back.",
        )}
      </p>
      <RadioCards
        label={t("Hibernate after")}
        value={String(settings.hibernateAfterMinutes ?? 0)}
        onChange={choose}
        cards={choices()}
      />
    </>
  );
}
