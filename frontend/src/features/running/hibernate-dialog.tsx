import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { Chip } from "@/components/form/chip";
import { SelectField, TextField } from "@/components/form/field";
import { Dialog } from "@/components/overlay/dialog";
import { Rich } from "@/components/text/rich";
import { api, type Session, toApiError, type WakeRequest } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";
import { useCommand } from "@/lib/keys/commands";
import { refreshRun } from "@/lib/run/runs";
import { useFoundSessions } from "@/lib/session/use-found-sessions";
import { wakeWords } from "./wake-words";

/** Offers to hibernate the session on screen. */
export function HibernateCommand({ session }: { session: Session }) {
  const [open, setOpen] = useState(false);
  useCommand("hibernate", () => setOpen(true), { enabled: session.status !== "running" });
  return open && <HibernateDialog session={session} onClose={() => setOpen(false)} />;
}

/** What a hibernated session waits for, as text; empty: for the user. */
export function useWakeWords({ id, status }: Session): string {
  const { data } = useQuery({
    queryKey: keys.wakes(id),
    queryFn: () => api.listWakes(id),
    enabled: status === "hibernated",
  });
  return status === "hibernated" && data ? wakeWords(data) : "";
}

interface HibernateDialogProps {
  session: Session;
  onClose: () => void;
}

const none: WakeRequest = { at: "", path: "", sessionId: "" };

/** Asks when a session continues by itself, and hibernates it. */
function HibernateDialog({ session, onClose }: HibernateDialogProps) {
  const form = useId();
  const [request, setRequest] = useState(none);
  const [problem, setProblem] = useState("");
  const words = useWakeWords(session);
  const change = (part: Partial<WakeRequest>) => {
    setProblem("");
    setRequest((now) => ({ ...now, ...part }));
  };
  async function hibernate(event: FormEvent) {
    event.preventDefault();
    try {
      const until = wakeWords(await api.hibernateSession(session.id, request));
      refreshRun(session.id);
      toastDone(
        until
          ? t("Hibernated until you continue it, or {{until}}", { until })
          : t("Hibernated until you continue it"),
      );
      onClose();
    } catch (error) {
      const { message, hint } = toApiError(error);
      setProblem(hint ? `${message}. ${hint}` : message);
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Hibernate session")}
      description={
        words
          ? t("It continues {{when}}. What you enter here replaces that.", { when: words })
          : t(
              "It continues as soon as one of these holds, or when you continue it. Leave all empty to continue it yourself.",
            )
      }
      footer={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button variant="primary" type="submit" form={form}>
            {t("Hibernate")}
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={(event) => void hibernate(event)}>
        <TimeField at={request.at} isWrong={problem !== ""} onAt={(at) => change({ at })} />
        <PathField path={request.path} onPath={(path) => change({ path })} />
        <SessionField
          id={session.id}
          chosen={request.sessionId}
          onChoose={(sessionId) => change({ sessionId })}
        />
        <p className="text-sm text-text-3">
          <Rich
            text={t(
              "Coppice checks this while its window is open. Without the window, run <code>coppice watch --wake</code> or <code>coppice wake --due</code>.",
            )}
            parts={{ code: (code) => <code>{code}</code> }}
          />
        </p>
        <p role="alert" className="min-h-4 text-sm text-error [overflow-wrap:anywhere]">
          {problem}
        </p>
      </form>
    </Dialog>
  );
}

interface TimeFieldProps {
  at: string;
  /** The last try failed. */
  isWrong: boolean;
  onAt: (at: string) => void;
}

/** A time, typed or chosen. */
function TimeField({ at, isWrong, onAt }: TimeFieldProps) {
  const suggestions = [
    { title: t("In an hour"), at: "1h" },
    { title: t("In 5 hours"), at: "5h" },
    { title: t("Tomorrow morning"), at: tomorrowAt("09:00") },
  ];
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={t("At a time")}
        text={t("18:00, 2026-12-24 18:00, or a time from now such as 90m")}
        data-autofocus=""
        aria-invalid={isWrong && at !== ""}
        value={at}
        onChange={({ target }) => onAt(target.value)}
      />
      <div className="flex flex-wrap gap-2">
        {suggestions.map((one) => (
          <Chip key={one.at} on={at === one.at} onClick={() => onAt(one.at)}>
            {one.title}
          </Chip>
        ))}
      </div>
    </div>
  );
}

function tomorrowAt(time: string): string {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())} ${time}`;
}

interface PathFieldProps {
  path: string;
  onPath: (path: string) => void;
}

/** A file or folder, typed or chosen. */
function PathField({ path, onPath }: PathFieldProps) {
  const choose = async (folder: boolean) => {
    try {
      const chosen = await api.chooseWatched(folder);
      if (chosen) onPath(chosen);
    } catch (error) {
      toastError(folder ? t("Could not choose the folder") : t("Could not choose the file"), error);
    }
  };
  return (
    <div className="flex items-end gap-2">
      <TextField
        label={t("When a file or folder changes")}
        placeholder="/home/ada/src/notes.md"
        className="flex-1"
        value={path}
        onChange={({ target }) => onPath(target.value)}
      />
      <Button onClick={() => void choose(false)}>{t("File…")}</Button>
      <Button onClick={() => void choose(true)}>{t("Folder…")}</Button>
    </div>
  );
}

interface SessionFieldProps {
  /** The session that hibernates. */
  id: string;
  /** Empty: none. */
  chosen: string;
  onChoose: (id: string) => void;
}

/** Another session: found by words of its title, or among the newest. */
function SessionField({ id, chosen, onChoose }: SessionFieldProps) {
  const [text, setText] = useState("");
  const [kept, keep] = useState<Session>();
  const { sessions } = useFoundSessions(text, true);
  const others = sessions.filter((one) => one.id !== id && one.id !== kept?.id);
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={t("When another session ends")}
        placeholder={t("Find a session by its title")}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          // Enter would hibernate before a session is chosen.
          if (event.key === "Enter") event.preventDefault();
        }}
      />
      <SelectField
        label={t("Session")}
        value={chosen}
        onChange={({ target }) => {
          keep([...others, ...(kept ? [kept] : [])].find((one) => one.id === target.value));
          onChoose(target.value);
        }}
      >
        <option value="">{t("No session")}</option>
        {(kept ? [kept, ...others] : others).map((one) => (
          <option key={one.id} value={one.id}>
            {one.title}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
