import { toastDone, toastError } from "@/components/feedback/toast";
import { api, type Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { useCommand } from "@/lib/keys/commands";
import { openComparison } from "@/lib/store/comparing";
import { parentOf, partAt, type Skeleton, type Tree } from "@/lib/tree/skeleton";
import { useTree } from "@/lib/tree/tree";

interface CompareCommandProps {
  session: Session;
  /** The end of the path on screen. */
  leafUid: string;
}

/** Offers to compare the path on screen with the nearest branch. It draws nothing. */
export function CompareCommand({ session, leafUid }: CompareCommandProps) {
  const { data, refetch } = useTree(session.id);
  const compare = async () => {
    const tree = data ?? (await refetch({ throwOnError: true })).data;
    if (!tree) return;
    const rightUid = await nearest(session, tree, leafUid);
    if (rightUid === "") toastDone(t("No other branch to compare this path with"));
    else openComparison({ sessionId: session.id, leftUid: leafUid, rightUid });
  };
  useCommand(
    "compare",
    () => void compare().catch((error) => toastError(t("Could not compare the branches"), error)),
    {
      enabled: leafUid !== "",
    },
  );
  return null;
}

/** The end of the head's branch if another one is on screen, otherwise of the newest branch from the last fork of the path; empty: none. */
async function nearest(session: Session, tree: Tree, leafUid: string): Promise<string> {
  const { id, headUid } = session;
  const { leafTurn, turn } = await api.locate(id, leafUid);
  const shown = partAt(tree.skeleton, Math.max(leafTurn, turn), Number.POSITIVE_INFINITY);
  if (leafUid !== headUid && !isAbove(tree.skeleton, tree.headTurn, shown)) return headUid;
  const other = besideLastFork(tree.skeleton, shown);
  if (other < 0) return "";
  const { number, firstDepth } = tree.skeleton;
  const [part] = await api.getTurnParts(id, [
    { turn: number[other] ?? 0, from: firstDepth[other] ?? 0, to: firstDepth[other] ?? 0 },
  ]);
  return part ? (await api.locate(id, part.firstUid)).leafUid : "";
}

function isAbove(skeleton: Skeleton, turn: number, below: number): boolean {
  let at = below;
  while (at > turn) at = parentOf(skeleton, at);
  return at === turn;
}

/** The newest turn below the last fork of the path to a turn that is not on that path; -1: none. */
function besideLastFork(skeleton: Skeleton, leaf: number): number {
  const next = new Map<number, number>(); // turn of the path → the one after it
  for (let at = leaf, below = -1; at >= 0; below = at, at = parentOf(skeleton, at))
    next.set(at, below);
  let best = -1;
  let depth = -1;
  for (let turn = 0; turn < skeleton.count; turn++) {
    if (next.has(turn)) continue;
    const parent = parentOf(skeleton, turn);
    const forks = parent < 0 || (next.has(parent) && parent !== leaf);
    if (forks && parent >= depth) [best, depth] = [turn, parent];
  }
  return best;
}
