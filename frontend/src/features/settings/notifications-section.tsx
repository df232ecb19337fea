import { Checkbox } from "@/components/form/checkbox";
import { HibernateAfter } from "./hibernate-after";
import { Group } from "./section";
import { useSettings } from "./use-setup";

/** What the window reports while the user looks elsewhere. */
export function NotificationsSection() {
  const { settings, change } = useSettings();
  return (
    <>
      <Group
        title="Notifications of the system"
        text="Coppice sends them only while you look at another window."
      >
        <div className="flex flex-col gap-3">
          <Checkbox
            title="When a session waits for your answer"
            text="A permission to give, or a question of the model."
            checked={!settings?.muteQuestions}
            onChange={(on) => void change({ muteQuestions: !on })}
          />
          <Checkbox
            title="When a run ends"
            text="With its result, its duration and its cost."
            checked={!settings?.muteEnds}
            onChange={(on) => void change({ muteEnds: !on })}
          />
        </div>
      </Group>
      <Group
        title="Waiting for your answer"
        text="A session that waits longer hibernates: it uses nothing, and continues when you are back."
      >
        <HibernateAfter settings={settings} />
      </Group>
    </>
  );
}
