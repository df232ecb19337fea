import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/form/button";
import { SelectField, TextArea, TextField } from "@/components/form/field";
import { Dialog } from "@/components/overlay/dialog";
import { type AgentEdit, api } from "@/lib/api/api";
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
    if (await change("Could not save the agent", () => api.saveAgent(saved))) onClose();
  };
  const remove = async () => {
    if (await change("Could not remove the agent", () => api.removeAgent(agent.name))) onClose();
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={isNew ? "Add agent" : agent.name}
      footer={
        <>
          {isOwn && (
            <Button variant="quiet" className="mr-auto text-error" onClick={() => void remove()}>
              Remove agent
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form}>
            Save
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
            label="Name"
            required
            data-autofocus=""
            placeholder="reviewer"
            value={edit.name}
            onChange={({ target }) => put({ name: target.value })}
            text={isTaken ? "It takes the place of the agent of this name." : undefined}
          />
        )}
        <SelectField
          label="Extends"
          value={edit.extends}
          onChange={({ target }) => put({ extends: target.value })}
        >
          <option value="">Nothing: it needs a prompt</option>
          {others
            .filter((name) => isNew || name !== agent.name || edit.extends === name)
            .map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </SelectField>
        <TextField
          label="Description"
          className="col-span-full"
          value={edit.description}
          onChange={({ target }) => put({ description: target.value })}
        />
        <TextArea
          label="Prompt"
          className="col-span-full"
          rows={6}
          dir="auto"
          value={edit.prompt}
          onChange={({ target }) => put({ prompt: target.value })}
        />
        <TextField
          label="Model"
          placeholder="That of the session"
          value={edit.model}
          onChange={({ target }) => put({ model: target.value })}
        />
        <SelectField
          label="Permissions"
          value={edit.mode}
          onChange={({ target }) => put({ mode: target.value })}
        >
          <option value="">Those of the session</option>
          {modes.map(({ mode, title }) => (
            <option key={mode} value={mode}>
              {title}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Reasoning effort"
          value={edit.effort}
          onChange={({ target }) => put({ effort: target.value })}
        >
          <option value="">That of the model</option>
          {efforts.map((effort) => (
            <option key={effort}>{effort}</option>
          ))}
        </SelectField>
        <TextField
          label="Maximum steps of a run"
          inputMode="numeric"
          placeholder="No own limit"
          value={edit.maxSteps || ""}
          onChange={({ target }) =>
            put({ maxSteps: Number(target.value.replace(/\D/g, "").slice(0, 6)) })
          }
        />
        <TextField
          label="Tools"
          className="col-span-full"
          placeholder="All"
          value={tools}
          onChange={({ target }) => setTools(target.value)}
          text="Names or patterns with a space between them, such as read_* search_files"
        />
      </form>
    </Dialog>
  );
}
