import type { Label } from "@/actions/session-changes";
import { int } from "./layout/columns";
import type { OutlinedTree } from "./layout/use-layout";
import { LabelField } from "./turn/label-field";
import { PreviewCard } from "./turn/preview-card";
import type { TurnWords } from "./turn/turn-words";
import { useWords } from "./turn/use-turn-words";
import type { Floats } from "./use-floats";

interface TreeFloatsProps {
  layout: OutlinedTree;
  words: TurnWords;
  floats: Floats;
  onLabel: (turn: number, label: Label) => void;
}

/** The preview of the turn under the pointer, or the field of a label. */
export function TreeFloats({ layout, words, floats, onLabel }: TreeFloatsProps) {
  const { tree, strands } = layout;
  const { hover, labelling, room } = floats;
  // The turn under the pointer may have been removed since.
  const isPresent = hover !== null && int(strands.of, hover.turn) >= 0;
  const hovered = useWords(words, isPresent ? hover.turn : -1);
  if (labelling)
    return (
      <LabelField
        label={tree.labels.get(labelling.turn) ?? ""}
        color={tree.colors.get(labelling.turn) ?? ""}
        top={labelling.top}
        room={room}
        onSave={(label) => onLabel(labelling.turn, label)}
        onClose={floats.stopLabel}
      />
    );
  if (!hover || !hovered) return null;
  return <PreviewCard sessionId={tree.sessionId} turn={hovered} top={hover.top} room={room} />;
}
