// The map up close: a card for each turn, with its number, its label and its first words.

import { formatCount } from "@/lib/format/format";
import { int } from "../layout/columns";
import { isOnPath } from "../layout/path-ends";
import type { FittedText } from "./fitted-text";
import type { MapFrame } from "./map-frame";
import { fontOf, paintTag, tagOf, wordsOf } from "./map-words";

/** Where a card is, in pixels of the canvas. */
interface CardPlace {
  left: number;
  /** Of its middle. */
  y: number;
  width: number;
  height: number;
  /** How far its words may reach: the minimap covers what is right of that. */
  end: number;
}

/** Around the words of a card, */
const inset = 9;
/** which are left out where there is less room for them. */
const leastWords = 48;

/** Draws the card of a turn. */
export function paintCard(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  turn: number,
  { left, y, width, height, end }: CardPlace,
  texts: FittedText,
): void {
  const { theme, marks } = frame;
  const isSelected = turn === marks.selected;
  context.beginPath();
  context.roundRect(left, y - height / 2, width, height, 6);
  context.fillStyle = isSelected ? theme.accentSoft : theme.surface;
  context.fill();
  context.strokeStyle = isSelected ? theme.accent : theme.border;
  context.lineWidth = 1;
  context.stroke();
  const inner = Math.min(width, end - left) - 2 * inset;
  if (inner < leastWords) return;
  paintCardHead(context, frame, turn, left + inset, y - 9, inner, texts);
  context.font = fontOf(frame, 13);
  context.fillStyle = isOnPath(frame.scene.strands, marks.path, turn) ? theme.text : theme.text2;
  context.fillText(texts.fit(context, wordsOf(frame, turn), inner), left + inset, y + 9);
}

// The card's first line: the number, the label or the head, the count of messages at the right.
function paintCardHead(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  turn: number,
  left: number,
  y: number,
  inner: number,
  texts: FittedText,
): void {
  const { theme } = frame;
  context.font = fontOf(frame, 11);
  context.fillStyle = theme.text3;
  const node = `n${turn}`;
  context.fillText(node, left, y);
  const messages = formatCount(int(frame.scene.skeleton.messages, turn));
  context.textAlign = "right";
  context.fillText(messages, left + inner, y);
  context.textAlign = "left";
  const indent = node.length * 6.5 + 8;
  const tag = tagOf(frame, turn);
  const room = inner - indent - messages.length * 6.5 - 8;
  if (tag !== "") paintTag(context, frame, tag, left + indent, y, room, texts);
}
