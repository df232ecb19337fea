import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/form/button";
import { SelectField, TextArea, TextField } from "@/components/form/field";
import { Dialog } from "@/components/overlay/dialog";
import { type AgentEdit, api } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { modes } from "@/lib/session/modes";
import { useChange } from "./use-setup";

interface AgentDialogProps {
  agent: AgentEdit;
  isNew: boolean;
  /** The user has a file for it, which can be removed. */
  isOwn: boolean;
  /** The names of all agents. */
  others: readonly string[];
  onClose: () => void;
}

const efforts = ["none", "low", "medium", "high"];

/** The file of an agent as a form. What is empty comes from the agent that it extends. */
export function AgentDialog({ agent, isNew, isOwn, others, onClose }: AgentDialogProps) {
  const form = useId();
  const change = useChange();
  const [edit, setEdit] = useState(agent);
  const put = (part: Partial<AgentEdit>) => setEdit((now) => ({ ...now, ...part }));
  const [tools, setTools] = useState(agent.tools.join(" "));
  const isTaken = isNew && others.includes(edit.name);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const saved = { ...edit, tools: tools.split(/[\s,]+/).filter(Boolean) };
    if (await change(t("Could not save the agent"), () => api.saveAgent(saved))) onClose();
  };
  const remove = async () => {
    if (await change(t("Could not remove the agent"), () => api.removeAgent(agent.name))) onClose();
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={isNew ? t("Add agent") : agent.name}
      footer={
        <>
          {isOwn && (
            <Button variant="quiet" className="me-auto text-error" onClick={() => void remove()}>
              {t("Remove agent")}
            </Button>
          )}
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button variant="primary" type="submit" form={form}>
            {t("Save")}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid grid-cols-2 gap-4 tiny:grid-cols-1"
        onSubmit={(event) => void save(event)}
      >
        {isNew && (
          <TextField
            label={t("Name")}
            required
            data-autofocus=""
            placeholder="reviewer"
            value={edit.name}
            onChange={({ target }) => put({ name: target.value })}
            text={isTaken ? t("It takes the place of the agent of this name.") : undefined}
          />
        )}
        <SelectField
          label={t("Extends")}
          value={edit.extends}
          onChange={({ target }) => put({ extends: target.value })}
        >
          <option value="">{t("Nothing: it needs a prompt")}</option>
          {others
            .filter((name) => isNew || name !== agent.name || edit.extends === name)
            .map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </SelectField>
        <TextField
          label={t("Description")}
          className="col-span-full"
          value={edit.description}
          onChange={({ target }) => put({ description: target.value })}
        />
        <TextArea
          label={t("Prompt")}
          className="col-span-full"
          rows={6}
          dir="auto"
          value={edit.prompt}
          onChange={({ target }) => put({ prompt: target.value })}
        />
        <TextField
          label={t("Model")}
          placeholder={t("That of the session")}
          value={edit.model}
          onChange={({ target }) => put({ model: target.value })}
        />
        <SelectField
          label={t("Permissions")}
          value={edit.mode}
          onChange={({ target }) => put({ mode: target.value })}
        >
          <option value="">{t("Those of the session")}</option>
          {modes().map(({ mode, title }) => (
            <option key={mode} value={mode}>
              {title}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t("Reasoning effort")}
          value={edit.effort}
          onChange={({ target }) => put({ effort: target.value })}
        >
          <option value="">{t("That of the model")}</option>
          {efforts.map((effort) => (
            <option key={effort}>{effort}</option>
          ))}
        </SelectField>
        <TextField
          label={t("Maximum steps of a run")}
          inputMode="numeric"
          placeholder={t("No own limit")}
          value={edit.maxSteps || ""}
          onChange={({ target }) =>
            put({ maxSteps: Number(target.value.replace(/\D/g, "").slice(0, 6)) })
          }
        />
        <TextField
          label={t("Tools")}
          className="col-span-full"
          placeholder={t("All")}
          value={tools}
          onChange={({ target }) => setTools(target.value)}
          text={t("Names or patterns with a space between them, such as read_* search_files")}
        />
      </form>
    </Dialog>
  );
}
