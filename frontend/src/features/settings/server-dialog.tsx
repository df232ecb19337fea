import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/form/button";
import { TextArea, TextField } from "@/components/form/field";
import { RadioCards } from "@/components/form/radio-cards";
import { Dialog } from "@/components/overlay/dialog";
import { api, type McpServer } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { fromLines, joinArguments, splitArguments, toLines } from "./server-lines";
import { useChange } from "./use-setup";

interface ServerDialogProps {
  server: McpServer;
  isNew: boolean;
  /** The names of all servers. */
  taken: readonly string[];
  onClose: () => void;
}

/** The definition of an MCP server as a form. */
export function ServerDialog({ server, isNew, taken, onClose }: ServerDialogProps) {
  const form = useId();
  const change = useChange();
  const [edit, setEdit] = useState(server);
  const [kind, setKind] = useState<"command" | "url">(server.url ? "url" : "command");
  const [args, setArgs] = useState(joinArguments(server.args));
  const [lines, setLines] = useState(toLines(server.url ? server.headers : server.env));
  const put = (part: Partial<McpServer>) => setEdit((now) => ({ ...now, ...part }));
  const problem = isNew && taken.includes(edit.name) ? t("An MCP server of this name exists.") : "";
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (problem) return;
    const values = fromLines(lines);
    const saved: McpServer =
      kind === "url"
        ? { ...edit, command: "", args: [], env: {}, cwd: "", headers: values }
        : { ...edit, args: splitArguments(args), env: values, url: "", headers: {} };
    if (await change(t("Could not save the MCP server"), () => api.saveServer(saved))) onClose();
  };
  const remove = async () => {
    if (await change(t("Could not remove the MCP server"), () => api.removeServer(server.name)))
      onClose();
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={isNew ? t("Add MCP server") : server.name}
      footer={
        <>
          {!isNew && (
            <Button variant="quiet" className="me-auto text-error" onClick={() => void remove()}>
              {t("Remove MCP server")}
            </Button>
          )}
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button variant="primary" type="submit" form={form}>
            {t("Save")}
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
        {isNew && (
          <TextField
            label={t("Name")}
            required
            data-autofocus=""
            placeholder="github"
            value={edit.name}
            onChange={({ target }) => put({ name: target.value })}
            text={problem || undefined}
            aria-invalid={problem !== ""}
          />
        )}
        <RadioCards
          label={t("Kind")}
          value={kind}
          onChange={setKind}
          cards={[
            { value: "command", title: t("Program"), text: t("Started on this machine") },
            { value: "url", title: t("Address"), text: t("Called over the network") },
          ]}
        />
        {kind === "command" ? (
          <>
            <TextField
              label={t("Command")}
              required
              placeholder="npx"
              value={edit.command}
              onChange={({ target }) => put({ command: target.value })}
            />
            <TextField
              label={t("Arguments")}
              placeholder="-y @modelcontextprotocol/server-github"
              value={args}
              onChange={({ target }) => setArgs(target.value)}
              text={t("Separated by spaces; quotes keep spaces together.")}
            />
          </>
        ) : (
          <TextField
            label={t("URL")}
            required
            placeholder="https://host/mcp"
            value={edit.url}
            onChange={({ target }) => put({ url: target.value })}
          />
        )}
        <TextArea
          label={kind === "command" ? t("Environment") : t("Headers")}
          rows={3}
          className="font-mono"
          value={lines}
          onChange={({ target }) => setLines(target.value)}
          text={t(
            "One line each, NAME=value. A value of the form {{form}} is taken from the environment; any other is stored in your configuration file. A hidden value stays as it is.",
            // biome-ignore lint/suspicious/noTemplateCurlyInString: the form of a variable in the configuration
            { form: "${VARIABLE}" },
          )}
        />
      </form>
    </Dialog>
  );
}
