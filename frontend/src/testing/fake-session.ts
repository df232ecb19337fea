// One session of the fake: a tree of messages in memory, with the numbering rules of the store.

import type {
  Block,
  Location,
  MessageView,
  Session,
  Sibling,
  Turn,
  WindowView,
} from "@/lib/api/api";
import { type FakeTree, fakeFlags } from "./fake-skeleton";

interface Draft {
  role: string;
  kind?: string;
  blocks: Block[];
  agent?: string;
  model?: string;
  inputTokens?: number;
  outputTokens?: number;
  costNanoUsd?: number;
  hidden?: boolean;
  error?: string;
  compaction?: MessageView["compaction"];
}

interface Branch {
  number: number;
  parent: number;
  forkDepth: number;
  tipDepth: number;
  promptDepth: number;
  createdAtMs: number;
}

type Node = MessageView & { parent: number; children: number[] };

const notFound = (what: string) => ({
  code: "not_found",
  message: `${what} is not in this session`,
  remedy: "",
});

/** A session and its messages. Messages are appended; branches, turns and counters follow. */
export class FakeSession {
  readonly session: Session;
  readonly #nodes: Node[] = [];
  readonly #byUID = new Map<string, number>();
  readonly #branches: Branch[] = [];
  readonly #labels = new Map<number, string>();
  /** The first message of each turn. */
  readonly #turns: number[] = [];
  readonly #visited = new Map<number, number>();
  readonly #roots: number[] = [];
  #clock: number;

  constructor(session: Session) {
    this.session = session;
    this.#clock = session.createdAtMs;
  }

  /** Adds a message under the parent (its uid; empty: a root), moves the head there and returns its uid. */
  append(parentUid: string, draft: Draft): string {
    const parent = parentUid === "" ? -1 : this.#index(parentUid);
    const above = this.#nodes[parent];
    const siblings = above ? above.children : this.#roots;
    const seq = this.#nodes.length;
    const opens = above === undefined || siblings.length > 0;
    const depth = above ? above.depth + 1 : 0;
    if (opens) {
      this.#branches.push({
        number: this.#branches.length,
        parent: above ? above.branch : -1,
        forkDepth: above ? above.depth : -1,
        tipDepth: depth,
        promptDepth: this.#promptDepth(above),
        createdAtMs: this.#clock,
      });
    }
    const branch = opens ? this.#branches.length - 1 : (above?.branch ?? 0);
    const row = this.#branches[branch];
    if (row) row.tipDepth = depth;
    const kind = draft.kind ?? "message";
    const isPrompt = draft.role === "user" && kind === "message";
    const starts = opens || (isPrompt && this.#promptDepth(above) >= 0);
    if (row && isPrompt && row.promptDepth < 0) row.promptDepth = depth;
    if (starts) this.#turns.push(seq);
    const uid = `${this.session.id}-m${seq}`;
    this.#clock += draft.role === "user" ? 95_000 : 8_000;
    this.#nodes.push({
      uid,
      seq,
      turn: starts ? this.#turns.length - 1 : (above?.turn ?? 0),
      branch,
      depth,
      parentUid,
      siblings: 0,
      siblingIndex: siblings.length + 1,
      role: draft.role,
      kind,
      name: "",
      agent: draft.agent ?? "",
      model: draft.model ?? (draft.role === "assistant" ? this.session.model : ""),
      inputTokens: draft.inputTokens ?? 0,
      isEstimated: false,
      outputTokens: draft.outputTokens ?? 0,
      ...(draft.costNanoUsd !== undefined && { costNanoUsd: draft.costNanoUsd }),
      finishReason: draft.role === "assistant" ? "stop" : "",
      error: draft.error ?? "",
      ...(draft.compaction && { compaction: draft.compaction }),
      label: "",
      cites: [],
      turnStart: starts,
      hidden: draft.hidden ?? false,
      createdAtMs: this.#clock,
      blocks: draft.blocks.map((block, part) => ({ ...block, part })),
      parent,
      children: [],
    });
    siblings.push(seq);
    this.#byUID.set(uid, seq);
    this.#count(draft);
    this.session.headUid = uid;
    return uid;
  }

  /** Of the first prompt on the path to a message; -1: none yet. */
  #promptDepth(node: Node | undefined): number {
    const depth = this.#branches[node?.branch ?? -1]?.promptDepth ?? -1;
    // The branch's first prompt may come after the message.
    return node && depth <= node.depth ? depth : -1;
  }

  #count(draft: Draft) {
    const session = this.session;
    session.messageCount = this.#nodes.length;
    session.branchCount = this.#branches.length;
    session.turnCount = this.#turns.length;
    session.inputTokens += draft.inputTokens ?? 0;
    session.outputTokens += draft.outputTokens ?? 0;
    if (draft.role === "assistant") session.stepCount++;
    if (draft.costNanoUsd !== undefined)
      session.costNanoUsd = (session.costNanoUsd ?? 0) + draft.costNanoUsd;
  }

  #index(uid: string): number {
    const index = this.#byUID.get(uid);
    if (index === undefined) throw notFound(uid);
    return index;
  }

  /** Of "n3", "m17", a uid or a label; the last message of a turn. */
  resolve(node: string): string {
    if (this.#byUID.has(node)) return node;
    const seq = /^m(\d+)$/.exec(node)?.[1];
    const turn = /^n(\d+)$/.exec(node)?.[1];
    const labelled = [...this.#labels].find(([, text]) => text === node)?.[0];
    const found =
      seq !== undefined
        ? this.#nodes[Number(seq)]
        : this.#nodes.findLast((at) => at.turn === (turn === undefined ? labelled : Number(turn)));
    if (!found) throw notFound(node);
    return found.uid;
  }

  #path(leafUid: string): Node[] {
    const path: Node[] = [];
    const leaf = leafUid || this.session.headUid;
    if (leaf === "") return path;
    for (let at = this.#nodes[this.#index(leaf)]; at; at = this.#nodes[at.parent]) path.push(at);
    return path.reverse();
  }

  #view(node: Node): MessageView {
    const { parent, children: _, ...view } = node;
    const siblings = this.#nodes[parent]?.children ?? this.#roots;
    return {
      ...view,
      siblings: siblings.length,
      label: view.turnStart ? (this.#labels.get(view.turn) ?? "") : "",
    };
  }

  window(leafUid: string, from: number, limit: number): WindowView {
    const path = this.#path(leafUid);
    return {
      leafUid: leafUid || this.session.headUid,
      length: path.length,
      from,
      messages: path.slice(from, limit > 0 ? from + limit : undefined).map((at) => this.#view(at)),
    };
  }

  message(uid: string): MessageView {
    const node = this.#nodes[this.#index(uid)];
    if (!node) throw notFound(uid);
    return this.#view(node);
  }

  /** Shows how a call has ended. */
  endCall(callId: string, state: string, durationMs: number): void {
    const block = this.#nodes.flatMap(({ blocks }) => blocks).find((one) => one.callId === callId);
    if (block) Object.assign(block, { state, durationMs });
  }

  siblings(uid: string): Sibling[] {
    const node = this.#nodes[this.#index(uid)];
    const places = this.#nodes[node?.parent ?? -1]?.children ?? this.#roots;
    return places.flatMap((place) => {
      const at = this.#nodes[place];
      if (!at) return [];
      return [
        {
          uid: at.uid,
          seq: at.seq,
          turn: at.turn,
          branch: at.branch,
          role: at.role,
          model: at.model,
          preview: preview(at),
          messages: this.#below(place),
          createdAtMs: at.createdAtMs,
        },
      ];
    });
  }

  #below(start: number): number {
    let count = 0;
    const todo = [start];
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      count++;
      todo.push(...(this.#nodes[at]?.children ?? []));
    }
    return count;
  }

  tree(): FakeTree {
    const path = new Set(this.#path("").map((at) => at.seq));
    const turns = this.#turns.map((first, number): Turn => {
      const node = this.#nodes[first];
      if (!node) throw notFound(`n${number}`);
      const parent = this.#nodes[node.parent];
      return {
        node: number,
        parent: parent ? parent.turn : -1,
        label: this.#labels.get(number) ?? "",
        messages: 0,
        cumulative: 0,
        branch: node.branch,
        firstDepth: node.depth,
        onPath: path.has(first),
        firstUid: node.uid,
        lastUid: node.uid,
        role: node.role,
        preview: preview(node),
        createdAtMs: node.createdAtMs,
      };
    });
    for (const node of this.#nodes) {
      const turn = turns[node.turn];
      if (!turn) continue;
      turn.messages++;
      turn.lastUid = node.uid;
      turn.cumulative = node.depth + 1;
    }
    const head = this.#byUID.get(this.session.headUid);
    return {
      head: this.session.headUid,
      headTurn: head === undefined ? -1 : (this.#nodes[head]?.turn ?? -1),
      branchCount: this.#branches.length,
      messageCount: this.#nodes.length,
      turns,
      sums: turns.map(({ node }) => this.#sum(this.#nodes.filter(({ turn }) => turn === node))),
    };
  }

  #sum(messages: readonly Node[]) {
    return {
      tokens: messages.reduce((sum, at) => sum + at.inputTokens + at.outputTokens, 0),
      costNanoUsd: messages.reduce((sum, at) => sum + (at.costNanoUsd ?? 0), 0),
      flags: fakeFlags(messages),
    };
  }

  /** The turns that contain a text. */
  find(text: string): number[] {
    const has = (node: Node) =>
      node.blocks.some((block) => block.text.toLowerCase().includes(text));
    return [...new Set(this.#nodes.filter(has).map(({ turn }) => turn))].sort((a, b) => a - b);
  }

  /** Remembers the way to a leaf. */
  visit(leafUid: string): void {
    for (const at of this.#path(leafUid)) this.#visited.set(at.parent, at.seq);
  }

  locate(ref: string): Location {
    const node = this.#nodes[this.#index(this.resolve(ref))];
    if (!node) throw notFound(ref);
    let leaf = node;
    for (;;) {
      const next = this.#nodes[this.#visited.get(leaf.seq) ?? leaf.children.at(-1) ?? -1];
      if (!next) break;
      leaf = next;
    }
    return {
      sessionId: this.session.id,
      leafUid: leaf.uid,
      uid: node.uid,
      depth: node.depth,
      turn: node.turn,
      branch: node.branch,
      leafTurn: leaf.turn,
      agent: "",
    };
  }

  label(uid: string, text: string): void {
    const turn = this.#nodes[this.#index(uid)]?.turn ?? 0;
    if (text === "") this.#labels.delete(turn);
    else this.#labels.set(turn, text);
  }

  labels(): string[] {
    return [...this.#labels.values()];
  }

  /** Every message, in the order of creation. */
  messages(): readonly MessageView[] {
    return this.#nodes;
  }

  isOnPath(uid: string): boolean {
    return this.#path("").some((at) => at.uid === uid);
  }
}

function preview(message: MessageView): string {
  const block = message.blocks.find((block) => block.text !== "" || block.toolName !== "");
  return (block?.text || `${block?.toolName ?? ""} ${block?.target ?? ""}`)
    .replace(/\s+/g, " ")
    .slice(0, 120);
}
