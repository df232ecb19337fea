import { useMemo, useState } from "react";
import { SiblingPager } from "@/components/session/sibling-pager";
import { formatPlural } from "@/lib/format/format";
import { int } from "../layout/columns";
import { siblingsOf } from "../layout/strands";
import type { OutlinedTree } from "../layout/use-layout";
import { turnText } from "./turn-name";
import type { TurnWords } from "./turn-words";
import { useEveryWord, useWanted } from "./use-turn-words";

interface TurnPagerProps {
  layout: OutlinedTree;
  turn: number;
  words: TurnWords;
  onTurn: (turn: number) => void;
}

const noTurns: number[] = [];
/** So many on each side of the turn are listed by the pager, because it may have ten thousand. */
const near = 60;

/** ‹ 2 / 3 ›: the alternatives to a turn; nothing where it has none. */
export function TurnPager({ layout, turn, words, onTurn }: TurnPagerProps) {
  const { skeleton, strands } = layout;
  const [wanted, setWanted] = useState(false);
  const siblings = useMemo(() => siblingsOf(skeleton, strands, turn), [skeleton, strands, turn]);
  const at = siblings.indexOf(turn);
  const from = Math.max(0, at - near);
  const told = wanted ? siblings.slice(from, at + near) : noTurns;
  useWanted(words, told);
  useEveryWord(words, wanted);
  if (siblings.length < 2) return null;
  const go = (place: number) => {
    const next = siblings[place];
    if (next !== undefined) onTurn(next);
  };
  return (
    <SiblingPager
      at={at}
      count={siblings.length}
      from={from}
      alternatives={
        wanted
          ? told.map((one) => ({
              preview: turnText(words.get(one)),
              model: words.get(one)?.model ?? "",
              createdAtMs: skeleton.createdAtMs[one] ?? 0,
              size: formatPlural(int(strands.size, one), "turn"),
            }))
          : undefined
      }
      onWant={() => setWanted(true)}
      onStep={(step) => go(at + step)}
      onGo={go}
    />
  );
}
