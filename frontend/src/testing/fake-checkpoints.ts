// Checkpoints of the fake: each answer with a model, and those with a name.

import type { Checkpoint, Session } from "@/lib/api/api";
import type { FakeLibrary } from "./fake-library";

const missing = (id: string) => ({
  code: "not_found",
  message: `no checkpoint "${id}" in this session`,
  hint: "",
  remedy: "",
});

export class FakeCheckpoints {
  readonly #named = new Map<string, Checkpoint[]>();
  readonly #former = new Map<string, string[]>();
  readonly #library: FakeLibrary;
  readonly #changed: (sessionId: string) => void;

  constructor(library: FakeLibrary, changed: (sessionId: string) => void) {
    this.#library = library;
    this.#changed = changed;
  }

  list(
    sessionId: string,
    before: string,
    limit: number,
  ): { checkpoints: Checkpoint[]; more: boolean } {
    const all = this.#all(sessionId).toReversed();
    const older = before ? all.slice(1 + all.findIndex(({ id }) => id === before)) : all;
    return { checkpoints: older.slice(0, limit), more: older.length > limit };
  }

  name(sessionId: string, uid: string, name: string): Checkpoint {
    const named = this.#named.get(sessionId) ?? [];
    if (named.some((one) => one.name === name))
      throw {
        code: "conflict",
        message: `a checkpoint of this session is named "${name}" already`,
        hint: "choose another name",
        remedy: "",
      };
    const fake = this.#library.open(sessionId);
    const at = this.#step(sessionId, uid || fake.session.headUid);
    const number = 1 + named.filter(({ node }) => node === at.node).length;
    const checkpoint = { ...at, id: `${at.id}.${number}`, name, createdAtMs: Date.now() };
    this.#named.set(sessionId, [...named, checkpoint]);
    this.#changed(sessionId);
    return checkpoint;
  }

  remove(sessionId: string, ref: string): void {
    const removed = this.#find(sessionId, ref);
    const named = this.#named.get(sessionId) ?? [];
    this.#named.set(
      sessionId,
      named.filter(({ id }) => id !== removed.id),
    );
    this.#changed(sessionId);
  }

  restore(sessionId: string, ref: string): Session {
    const { session } = this.#library.open(sessionId);
    this.#former.set(sessionId, [...(this.#former.get(sessionId) ?? []), session.headUid]);
    session.headUid = this.#find(sessionId, ref).uid;
    this.#changed(sessionId);
    return session;
  }

  undo(sessionId: string): Session {
    const { session } = this.#library.open(sessionId);
    const headUid = this.#former.get(sessionId)?.pop();
    if (headUid === undefined)
      throw { code: "conflict", message: "no restore can be undone", hint: "", remedy: "" };
    session.headUid = headUid;
    this.#changed(sessionId);
    return session;
  }

  #all(sessionId: string): Checkpoint[] {
    const { messages } = this.#library.open(sessionId).window("", 0, 10_000);
    const steps = messages
      .filter(({ role }) => role === "assistant")
      .map(({ uid }) => this.#step(sessionId, uid));
    return [...steps, ...(this.#named.get(sessionId) ?? [])];
  }

  #step(sessionId: string, uid: string): Checkpoint {
    const { seq, turn, createdAtMs, agent, model } = this.#library.open(sessionId).message(uid);
    return {
      id: `c${seq}`,
      name: "",
      node: `m${seq}`,
      uid,
      turn,
      createdAtMs,
      agent,
      model,
      baseUrl: "",
      effort: "",
      mode: "confirm-sensitive",
      damaged: false,
    };
  }

  #find(sessionId: string, ref: string): Checkpoint {
    const found = this.#all(sessionId).find(({ id, name }) => id === ref || name === ref);
    if (!found) throw missing(ref);
    return found;
  }
}
