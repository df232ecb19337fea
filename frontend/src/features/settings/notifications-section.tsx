import { Checkbox } from "@/components/form/checkbox";
import { t } from "@/lib/i18n/i18n";
import { HibernateAfter } from "./hibernate-after";
import { Group } from "./section";
import { useSettings } from "./use-setup";

/** What the window reports while the user looks elsewhere. */
export function NotificationsSection() {
  const { settings, change } = useSettings();
  return (
    <>
      <Group
        title={t("Notifications of the system")}
        text={t("Coppice sends them only while you look at another window.")}
      >
        <div className="flex flex-col gap-3">
          <Checkbox
            title={t("When a session waits for your answer")}
            text={t("A permission to give, or a question of the model.")}
            checked={!settings?.muteQuestions}
            onChange={(on) => void change({ muteQuestions: !on })}
          />
          <Checkbox
            title={t("When a run ends")}
            text={t("With its result, its duration and its cost.")}
            checked={!settings?.muteEnds}
            onChange={(on) => void change({ muteEnds: !on })}
          />
        </div>
      </Group>
      <Group
        title={t("Waiting for your answer")}
        text={t(
          "A session that waits longer hibernates: it uses nothing, and continues when you are back.",
        )}
      >
        <HibernateAfter settings={settings} />
      </Group>
    </>
  );
}
