import { FolderX, Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/form/button";
import { IconButton } from "@/components/form/icon-button";
import { type AgentEdit, api, type McpServer } from "@/lib/api/api";
import { agentDescription } from "@/lib/format/agents";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";
import { modeWords } from "@/lib/session/modes";
import { AgentDialog } from "./agent-dialog";
import { Approvals } from "./approvals";
import { Group, Rows } from "./section";
import { ServerDialog } from "./server-dialog";
import { ServerRow } from "./server-row";
import { useAgents, useChange, useServers, useTrusted } from "./use-setup";

/** Agents, MCP servers, and what the user has permitted. */
export function AgentsSection({ sessionId }: { sessionId: string }) {
  return (
    <>
      <Agents />
      <Servers />
      <TrustedWorkspaces />
      <Group
        title={t("Remembered permissions")}
        text={t("Calls that you have allowed or refused for more than once.")}
      >
        <Approvals sessionId={sessionId} />
      </Group>
    </>
  );
}

const newAgent: AgentEdit = {
  name: "",
  description: "",
  extends: "build",
  prompt: "",
  model: "",
  mode: "",
  effort: "",
  tools: [],
  maxSteps: 0,
};

function Agents() {
  const { data: agents, error } = useAgents();
  const [editing, edit] = useState<{ agent: AgentEdit; isNew: boolean }>();
  return (
    <Group
      title={t("Agents")}
      text={t(
        "An agent is a role: a prompt, a model, tools and limits. Yours are files in the folder agents beside the configuration.",
      )}
      actions={
        <Button onClick={() => edit({ agent: newAgent, isNew: true })}>
          <Plus size={16} aria-hidden="true" />
          {t("Add agent…")}
        </Button>
      }
    >
      {error && (
        <p className="text-error">
          {t("Could not read the agents: {{message}}", { message: error.message })}
        </p>
      )}
      <Rows label={t("Agents")}>
        {agents?.map((agent) => (
          <li key={agent.name} className="flex min-h-11 items-center gap-3 py-1.5 pe-2 ps-3">
            <span className="min-w-0 flex-1">
              <span className="font-semibold">{agent.name}</span>
              {!agent.own && <span className="ms-2 text-sm text-text-3">{t("built in")}</span>}
              <span className="block truncate text-sm text-text-2" title={agent.description}>
                {agentDescription(agent.description)}
              </span>
            </span>
            <span className="hidden max-w-[14rem] shrink-0 truncate text-sm text-text-3 sm:block">
              {[modeWords(agent.mode).title, agent.model].filter(Boolean).join(" · ")}
            </span>
            <Button
              aria-label={
                agent.own
                  ? t("Edit {{name}}", { name: agent.name })
                  : t("Customise {{name}}", { name: agent.name })
              }
              onClick={() => edit({ agent: agent.edit, isNew: false })}
            >
              {agent.own ? t("Edit…") : t("Customise…")}
            </Button>
          </li>
        ))}
      </Rows>
      {editing && (
        <AgentDialog
          {...editing}
          isOwn={agents?.some(({ name, own }) => own && name === editing.agent.name) ?? false}
          others={(agents ?? []).map(({ name }) => name)}
          onClose={() => edit(undefined)}
        />
      )}
    </Group>
  );
}

const newServer: McpServer = {
  name: "",
  command: "",
  args: [],
  env: {},
  cwd: "",
  url: "",
  headers: {},
  disabled: false,
};

function Servers() {
  const { data: servers, error } = useServers();
  const [editing, edit] = useState<{ server: McpServer; isNew: boolean }>();
  return (
    <Group
      title={t("MCP servers")}
      text={t("They give models more tools. They start with a run, in workspaces that you trust.")}
      actions={
        <Button onClick={() => edit({ server: newServer, isNew: true })}>
          <Plus size={16} aria-hidden="true" />
          {t("Add MCP server…")}
        </Button>
      }
    >
      {error && (
        <p className="text-error">
          {t("Could not read the MCP servers: {{message}}", { message: error.message })}
        </p>
      )}
      {servers?.length === 0 && <p className="text-text-3">{t("No MCP server yet.")}</p>}
      <Rows label={t("MCP servers")}>
        {servers?.map((server) => (
          <ServerRow
            key={server.name}
            server={server}
            onEdit={() => edit({ server, isNew: false })}
          />
        ))}
      </Rows>
      {editing && (
        <ServerDialog
          {...editing}
          taken={(servers ?? []).map(({ name }) => name)}
          onClose={() => edit(undefined)}
        />
      )}
    </Group>
  );
}

const answers: Record<string, Message> = {
  yes: msg("Trusted"),
  no: msg("Not trusted"),
  once: msg("Trusted until Coppice closes"),
};

function TrustedWorkspaces() {
  const { data: folders, error } = useTrusted();
  const change = useChange();
  return (
    <Group
      title={t("Trusted workspaces")}
      text={t(
        "A workspace that you trust may bring its own settings, agents, MCP servers and instructions. Coppice asks when a workspace brings some for the first time, and when they change.",
      )}
    >
      {error && (
        <p className="text-error">
          {t("Could not read the answers: {{message}}", { message: error.message })}
        </p>
      )}
      {folders?.length === 0 && <p className="text-text-3">{t("You have not been asked yet.")}</p>}
      <Rows label={t("Trusted workspaces")}>
        {folders?.map(({ path, answer, missing }) => (
          <li key={path} className="flex min-h-9 items-center gap-3 py-1 pe-1.5 ps-3">
            {missing && <FolderX size={16} className="text-error" aria-hidden="true" />}
            <span className="min-w-0 flex-1">
              <span className="selectable block truncate font-mono text-sm" title={path}>
                {path}
              </span>
              {missing && <span className="block text-sm text-error">{t("Not found")}</span>}
            </span>
            <span className="shrink-0 text-sm text-text-2">
              {answers[answer] ? translate(answers[answer]) : answer}
            </span>
            <IconButton
              icon={X}
              label={t("Ask again about {{path}}", { path })}
              className="!size-6"
              onClick={() =>
                void change(t("Could not remove the answer"), () => api.forgetTrust(path))
              }
            />
          </li>
        ))}
      </Rows>
    </Group>
  );
}
