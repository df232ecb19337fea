// The fake's library: sessions in memory, filled with messages when they are first opened.

import type {
  Facet,
  Facets,
  Found,
  Hit,
  SearchQuery,
  Session,
  SessionFilter,
  Tag,
} from "@/lib/api/api";
import { fillBranched, fillHard, fillLong, fillOrdinary, makeSession } from "./fake-content";
import { FakeSession } from "./fake-session";
import { fillAgentRun, fillHuge } from "./fake-transcript";

const notFound = (id: string) => ({
  code: "not_found",
  message: `no session "${id}"`,
  hint: "it may have been deleted for good",
  remedy: "list_sessions",
});

const incomplete = ["running", "partial", "failed", "interrupted", "hibernated"];

export class FakeLibrary {
  readonly #sessions = new Map<string, FakeSession>();
  readonly #filled = new Set<string>();
  readonly #index = new Map<string, number>();

  /** Adds so many sessions after those that are there. */
  grow(count: number): string[] {
    const ids: string[] = [];
    for (let added = 0; added < count; added++) {
      const index = this.#sessions.size;
      const session = makeSession(index, Date.now());
      this.#sessions.set(session.id, new FakeSession(session));
      this.#index.set(session.id, index);
      ids.push(session.id);
      if (index === 1) this.#addChild(session);
    }
    return ids;
  }

  #addChild(parent: Session) {
    const session = {
      ...makeSession(3, Date.now()),
      id: "child-of-auth",
      title: "Find every caller of the cookie API",
      parentId: parent.id,
      relation: "subagent",
      pinnedAtMs: 0,
    };
    this.#sessions.set(session.id, new FakeSession(session));
    this.#index.set(session.id, 3);
  }

  /** Adds an empty session. */
  add(session: Session): FakeSession {
    const fake = new FakeSession(session);
    this.#sessions.set(session.id, fake);
    this.#filled.add(session.id);
    return fake;
  }

  /** Every session in its present state. */
  get sessions(): Session[] {
    return [...this.#sessions.values()].map(({ session }) => session);
  }

  /** A session with its messages. */
  open(ref: string): FakeSession {
    const fake = this.#sessions.get(ref);
    if (!fake) throw notFound(ref);
    if (!this.#filled.has(ref)) {
      this.#filled.add(ref);
      this.#fill(fake);
    }
    return fake;
  }

  #fill(fake: FakeSession) {
    const session = fake.session;
    const index = this.#index.get(session.id) ?? 0;
    const turns = session.turnCount;
    Object.assign(session, { inputTokens: 0, outputTokens: 0, stepCount: 0 });
    if (session.costNanoUsd !== undefined) session.costNanoUsd = 0;
    if (index === 1) fillBranched(fake);
    else if (index === 7) fillLong(fake, 10_000);
    else if (index === 12) fillHard(fake);
    else if (index === 16) fillAgentRun(fake);
    else if (index === 17) fillHuge(fake);
    else fillOrdinary(fake, index, turns);
  }

  /** Every session as the list shows it. */
  all(): Session[] {
    return [...this.#sessions.values()].map((fake) => fake.session);
  }

  remove(id: string): void {
    this.#sessions.delete(id);
  }

  list(filter: SessionFilter): { sessions: Session[]; total: number } {
    const words = filter.query.toLowerCase();
    const matching = this.all().filter(
      (session) =>
        (filter.trash ? session.deletedAtMs > 0 : session.deletedAtMs === 0) &&
        (filter.trash ||
          (filter.archived ? session.archivedAtMs > 0 : session.archivedAtMs === 0)) &&
        (filter.parentId
          ? session.parentId === filter.parentId
          : filter.children || session.parentId === "") &&
        (!filter.pinned || session.pinnedAtMs > 0) &&
        (!filter.incomplete || incomplete.includes(session.status)) &&
        (filter.sources.length === 0 || filter.sources.includes(session.source)) &&
        (filter.statuses.length === 0 || filter.statuses.includes(session.status)) &&
        (!filter.workspace || session.workspacePath === filter.workspace) &&
        (!filter.model || session.model === filter.model) &&
        (!filter.project || session.project === filter.project) &&
        (!filter.tag || session.tags?.includes(filter.tag) === true) &&
        (!filter.branched || session.branchCount > 1) &&
        (!filter.errors || (session.failedCount ?? 0) > 0 || session.status === "failed") &&
        (!filter.label ||
          this.#sessions.get(session.id)?.labels().includes(filter.label) === true) &&
        `${session.title}\n${session.task}\n${session.workspacePath}`.toLowerCase().includes(words),
    );
    const isCalled = (session: Session) => session.title.toLowerCase() === words;
    const by: Record<string, (a: Session, b: Session) => number> = {
      updated: (a, b) => b.updatedAtMs - a.updatedAtMs,
      created: (a, b) => b.createdAtMs - a.createdAtMs,
      title: (a, b) => a.title.localeCompare(b.title),
      messages: (a, b) => b.messageCount - a.messageCount,
      branches: (a, b) => b.branchCount - a.branchCount,
      cost: (a, b) => (b.costNanoUsd ?? -1) - (a.costNanoUsd ?? -1),
      project: (a, b) =>
        (a.project || "\uffff").localeCompare(b.project || "\uffff") ||
        b.updatedAtMs - a.updatedAtMs,
      tag: (a, b) =>
        (a.tags?.[0] ?? "\uffff").localeCompare(b.tags?.[0] ?? "\uffff") ||
        b.updatedAtMs - a.updatedAtMs,
      match: (a, b) => Number(isCalled(b)) - Number(isCalled(a)) || b.updatedAtMs - a.updatedAtMs,
    };
    matching.sort(by[filter.sort] ?? by.updated);
    if (filter.pinnedFirst)
      matching.sort((a, b) => Number(b.pinnedAtMs > 0) - Number(a.pinnedAtMs > 0));
    const end = filter.limit > 0 ? filter.offset + filter.limit : undefined;
    return { sessions: matching.slice(filter.offset, end), total: matching.length };
  }

  facets(): Facets {
    const all = this.all().filter((session) => session.parentId === "");
    const kept = all.filter((session) => session.deletedAtMs === 0);
    const shown = kept.filter((session) => session.archivedAtMs === 0);
    const count = (values: string[]): Facet[] => {
      const counts = new Map<string, number>();
      for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
      return [...counts]
        .map(([value, count]) => ({ value, count }))
        .sort((a, b) => b.count - a.count);
    };
    return {
      total: shown.length,
      pinned: shown.filter((session) => session.pinnedAtMs > 0).length,
      archived: kept.length - shown.length,
      trash: all.length - kept.length,
      incomplete: shown.filter((session) => incomplete.includes(session.status)).length,
      sources: count(shown.map((session) => session.source)),
      statuses: count(shown.map((session) => session.status)),
      workspaces: count(shown.map((session) => session.workspacePath)),
      models: count(shown.map((session) => session.model)),
      projects: count(shown.map((session) => session.project ?? "")),
      tags: this.tags(),
      labels: count(shown.flatMap(({ id }) => this.#sessions.get(id)?.labels() ?? [])),
    };
  }

  tags(): Tag[] {
    const counts = new Map<string, number>();
    for (const { tags, deletedAtMs } of this.all())
      for (const tag of deletedAtMs === 0 ? (tags ?? []) : [])
        counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return [...counts]
      .map(([name, count]) => ({ name, count, color: this.tagColors.get(name) ?? "" }))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  readonly tagColors = new Map<string, string>();

  search(query: SearchQuery): Found {
    let pattern: RegExp;
    try {
      const text = query.regex ? query.text : query.text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      pattern = new RegExp(text, query.regex ? "" : "i");
    } catch (reason) {
      throw {
        code: "invalid",
        message: `the regular expression is not valid: ${(reason as Error).message}`,
      };
    }
    const hits: Hit[] = [];
    const limit = query.limit || 50;
    for (const { id, title, source, deletedAtMs } of this.list(everything).sessions) {
      if (deletedAtMs > 0 || (query.sessionId && query.sessionId !== id)) continue;
      const fake = this.open(id);
      for (const message of fake.messages()) {
        for (const block of message.blocks) {
          const text = block.text || block.target;
          const match = pattern.exec(text);
          if (!match || match[0] === "") continue;
          const from = Math.max(0, match.index - 40);
          hits.push({
            sessionId: id,
            sessionTitle: title,
            sessionHits: 0,
            source,
            uid: message.uid,
            seq: message.seq,
            turn: message.turn,
            branch: message.branch,
            onPath: fake.isOnPath(message.uid),
            role: message.role,
            where: block.type === "tool" ? "tool_call" : "text",
            part: block.part,
            snippet: text.slice(from, match.index + 120).replace(/\s/g, " "),
            marks: [
              {
                from: match.index - from,
                to: match.index - from + Math.min(match[0].length, 120),
              },
            ],
            markFrom: match.index - from,
            markTo: match.index - from + Math.min(match[0].length, 120),
            createdAtMs: message.createdAtMs,
          });
          break;
        }
        if (hits.length >= limit) return found(hits);
      }
    }
    return found(hits);
  }
}

function found(hits: Hit[]): Found {
  for (const hit of hits)
    hit.sessionHits = hits.filter(({ sessionId }) => sessionId === hit.sessionId).length;
  return {
    hits,
    total: hits.length,
    more: false,
    uncounted: false,
    next: 0,
    looked: 0,
    lookedToMs: 0,
    loose: false,
    pending: 0,
    hint: "",
  };
}

/** The filter that leaves nothing out but the trash and the archive. */
export const everything: SessionFilter = {
  query: "",
  sources: [],
  statuses: [],
  workspace: "",
  model: "",
  label: "",
  tag: "",
  project: "",
  branched: false,
  errors: false,
  parentId: "",
  children: false,
  incomplete: false,
  pinned: false,
  archived: false,
  trash: false,
  sort: "updated",
  pinnedFirst: false,
  activeFromMs: 0,
  activeBeforeMs: 0,
  limit: 0,
  offset: 0,
};
