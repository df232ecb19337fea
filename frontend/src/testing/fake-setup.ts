// Providers, agents and servers in the place of Go's configuration and keyring.

import type { AgentEdit, McpServer, ProviderService } from "@/lib/api/api";

const cloud = (name: string, variable: string, keyFrom = ""): ProviderService => ({
  name,
  kind: "cloud",
  protocol: "openai.chat",
  baseUrl: `https://api.${name}.example/v1`,
  moved: false,
  variables: [variable],
  needsKey: true,
  keyFrom,
});

const fake = {
  keyring: "",
  services: [] as ProviderService[],
  servers: [] as McpServer[],
};

/** The bindings of the settings. */
export function fakeSetup(changed: () => void) {
  fake.services = [
    cloud("anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"),
    cloud("openai", "OPENAI_API_KEY"),
    { ...cloud("ollama", ""), kind: "local", needsKey: false, baseUrl: "http://127.0.0.1:11434" },
  ];
  fake.servers = [];
  const agents: AgentEdit[] = [];
  const defaults = { model: "", agent: "build", mode: "confirm-sensitive" };
  const removed = <T extends { name: string }>(list: T[], name: string) => {
    const at = list.findIndex((one) => one.name === name);
    if (at >= 0) list.splice(at, 1);
    changed();
  };
  return {
    ListProviders: async () => ({ services: fake.services, keyring: fake.keyring }),
    TestProvider: async (name: string) => ({
      ok: fake.services.some((one) => one.name === name && one.keyFrom !== ""),
      message: "",
      hint: "",
      names: ["oak-1", "oak-2"],
      tookMs: 120,
    }),
    RemoveKey: async (name: string) => {
      for (const one of fake.services) if (one.name === name) one.keyFrom = "";
      changed();
    },
    SaveProvider: async ({ name, baseUrl }: { name: string; baseUrl: string }) => {
      fake.services.push({ ...cloud(name, "MINE_API_KEY"), kind: "custom", baseUrl });
      changed();
    },
    RemoveProvider: async (name: string) => removed(fake.services, name),
    GetDefaults: async () => ({
      path: "/home/ada/.config/coppice/config.yaml",
      problems: [],
      ...defaults,
    }),
    SetDefault: async (key: string, value: string) => {
      Object.assign(defaults, { [key]: value });
      changed();
    },
    ListAgents: async () => [
      {
        name: "build",
        description: "Works in the workspace.",
        model: "",
        mode: "confirm-sensitive",
        tools: [],
        source: "",
        own: false,
        edit: { ...emptyAgent, name: "build", extends: "build" },
      },
      ...agents.map((edit) => ({
        name: edit.name,
        description: edit.description,
        model: edit.model,
        mode: edit.mode,
        tools: edit.tools,
        source: `agents/${edit.name}.yaml`,
        own: true,
        edit,
      })),
    ],
    SaveAgent: async (edit: AgentEdit) => {
      removed(agents, edit.name);
      agents.push(edit);
      changed();
    },
    RemoveAgent: async (name: string) => removed(agents, name),
    ListServers: async () => fake.servers,
    RemoveServer: async (name: string) => removed(fake.servers, name),
    TestServer: async () => ({ ok: true, message: "", hint: "", names: ["list"], tookMs: 80 }),
    ListTrusted: async () => [{ path: "/home/ada/src/oak", answer: "yes", missing: false }],
    ForgetTrust: async () => changed(),
  };
}

const emptyAgent: AgentEdit = {
  name: "",
  description: "",
  extends: "",
  prompt: "",
  model: "",
  mode: "",
  effort: "",
  tools: [],
  maxSteps: 0,
};

/** Answers the requests whose body may contain a secret in the place of Go's asset handler. */
export function serveSecrets() {
  const pass = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const path = typeof input === "string" ? new URL(input, "http://fake").pathname : "";
    if (path.startsWith("/key/")) {
      const from = String(input).endsWith("hold=1") ? "memory" : "keyring";
      const name = decodeURIComponent(path.slice("/key/".length));
      fake.services = fake.services.map((one) =>
        one.name === name ? { ...one, keyFrom: from } : one,
      );
      return Response.json(from);
    }
    if (path === "/mcp-server") {
      const server = JSON.parse(String(init?.body)) as McpServer;
      fake.servers = [...fake.servers.filter(({ name }) => name !== server.name), server];
      return Response.json("");
    }
    return pass(input, init);
  };
}
