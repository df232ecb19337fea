// What the window knows of a run in progress: the answers of Go put together.

import type { Lane, LiveBlock, LiveRun } from "@/lib/api/api";

/** An answer, or a part of one, as far as it was received. */
export interface Draft {
  id: number;
  /** By index; a block is another object only if it has changed. */
  blocks: readonly LiveBlock[];
  /** The last message that was stored when the draft began. */
  afterUid: string;
  /** The message, or one below it, that the draft has become; empty while it is being written. */
  writtenUid: string;
}

/** A run of this window. */
export interface Live extends Omit<LiveRun, "blocks" | "draftId" | "revision"> {
  /** The last one is being written; those before it are messages by now, and shown until the messages are. */
  drafts: readonly Draft[];
  revision: number;
}

/** The draft that is being written. */
export function currentDraft(live: Live): Draft | undefined {
  return live.drafts.at(-1);
}

/** At most this many drafts are held for messages that do not appear on screen. */
const keptDrafts = 8;

/** Adds an answer of Go. Blocks that have not changed stay the same objects. */
export function mergeRun(now: Live | undefined, answer: LiveRun): Live {
  const { blocks, draftId, revision, ...state } = answer;
  const same = now?.run.id === answer.run.id ? now : undefined;
  const before = same && currentDraft(same);
  const fresh: Draft = { id: draftId, blocks: [], afterUid: answer.lastUid, writtenUid: "" };
  let drafts: Draft[];
  if (!same || !before) drafts = [fresh];
  else if (before.id === draftId) drafts = [...same.drafts];
  else drafts = [...same.drafts.slice(0, -1), ...settle(before, answer), fresh].slice(-keptDrafts);
  const current = drafts[drafts.length - 1] ?? fresh;
  if (blocks.length > 0)
    drafts[drafts.length - 1] = { ...current, blocks: putBlocks(current.blocks, blocks) };
  return { ...state, lanes: keepLanes(now?.lanes, state.lanes), drafts, revision };
}

/** Returns the same object if nothing has changed. */
function keepLanes(now: readonly Lane[] | undefined, lanes: Lane[]): Lane[] {
  return now && JSON.stringify(now) === JSON.stringify(lanes) ? (now as Lane[]) : lanes;
}

/** A draft whose answer has ended: held if it became a message, dropped if the answer is retried. */
function settle(draft: Draft, { lastUid }: LiveRun): Draft[] {
  if (draft.blocks.length === 0 || lastUid === draft.afterUid) return [];
  return [{ ...draft, writtenUid: lastUid }];
}

function putBlocks(now: readonly LiveBlock[], changed: readonly LiveBlock[]): LiveBlock[] {
  const next = [...now];
  for (const block of changed) {
    const old = next[block.index];
    if (!old || old.revision < block.revision) next[block.index] = block;
  }
  return next;
}

/** The drafts that are not on screen as messages yet; `lastUid` is the last message on screen. */
export function unwritten(
  live: Live,
  isShown: (uid: string) => boolean,
  lastUid: string,
): readonly Draft[] {
  // What follows a message that is shown was written after it.
  const last = live.drafts.findLastIndex(
    ({ writtenUid }) => writtenUid !== "" && isShown(writtenUid),
  );
  const drafts = live.drafts.slice(last + 1);
  // The messages may be read before the run is: what follows the draft's parent on screen is the draft itself, stored.
  const { afterUid } = drafts.at(-1) ?? {};
  const isStored = lastUid && afterUid && afterUid !== lastUid && isShown(afterUid);
  return isStored ? drafts.slice(0, -1) : drafts;
}
