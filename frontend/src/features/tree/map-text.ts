// What the map says: counts beside strands from afar, numbers and words beside turns, cards up close.

import { formatCount } from "@/lib/format";
import { int } from "./columns";
import type { FittedText } from "./fitted-text";
import { turnAt } from "./map-layout";
import type { MapFrame } from "./map-painter";
import { depthAt, depthTop, laneLeft, lineInset } from "./map-view";
import { strandLength } from "./strands";
import { turnText } from "./turn-name";

/** From these sizes on a turn is a card, */
const card = { laneWidth: 150, depthHeight: 44 };
/** a line of text, as long as no other strand stands beside it. */
const line = { laneWidth: 44, depthHeight: 16 };
/** Beside a strand there is room for how many turns it has. */
const count = { laneWidth: 24, strand: 16 };

const textLeft = 14;
/** In less room than this a few letters would say nothing. */
const leastText = 34;
const leastTag = 60;
const leastHead = 20;
/** Text goes on over so many lanes that are empty beside it. */
const mostLanes = 8;

/** Writes what there is room for beside the strands in sight. */
export function paintText(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  visible: Int32Array,
  texts: FittedText,
): void {
  const has = (least: { laneWidth: number; depthHeight: number }) =>
    frame.view.laneWidth >= least.laneWidth && frame.view.depthHeight >= least.depthHeight;
  context.textBaseline = "middle";
  if (frame.scene.extent.orientation === "right") {
    paintLying(context, frame, visible, texts);
    return;
  }
  const write = has(card) ? paintCard : has(line) ? paintLine : null;
  for (const strand of visible) {
    if (write) eachTurn(frame, strand, (turn, y) => write(context, frame, turn, strand, y, texts));
    else paintCount(context, frame, strand);
  }
}

type Writer = (
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  turn: number,
  strand: number,
  y: number,
  texts: FittedText,
) => void;

function eachTurn(
  { scene, view, size }: MapFrame,
  strand: number,
  write: (turn: number, y: number) => void,
): void {
  const { map, strands } = scene;
  const top = int(map.top, strand);
  const to = Math.min(int(map.bottom, strand), depthAt(view, size.height));
  for (let depth = Math.max(top, depthAt(view, 0)); depth <= to; depth++) {
    const turn = int(strands.turns, int(strands.start, strand) + depth - top);
    write(turn, depthTop(view, depth + 0.5));
  }
}

function leftOf({ scene, view }: MapFrame, strand: number): number {
  return laneLeft(view, int(scene.map.lane, strand)) + Math.min(view.laneWidth / 2, lineInset);
}

// The room for text right of a turn's line.
function roomOf({ view }: MapFrame, lanes = 1): number {
  return lanes * view.laneWidth - lineInset - textLeft - 8;
}

// How many lanes are free for the text of a turn: its own and the empty ones right of it.
function freeLanes({ scene }: MapFrame, strand: number, depth: number): number {
  const lane = int(scene.map.lane, strand);
  const last = Math.min(mostLanes, scene.map.lanes - lane);
  let free = 1;
  while (free < last && turnAt(scene.strands, scene.map, lane + free, depth) < 0) free++;
  return free;
}

const paintLine: Writer = (context, frame, turn, strand, y, texts) => {
  const { theme } = frame;
  const left = leftOf(frame, strand) + textLeft;
  context.font = fontOf(frame, 12);
  context.fillStyle = theme.text3;
  const node = `n${turn}`;
  context.fillText(node, left, y);
  const depth = int(frame.scene.strands.depth, turn);
  const room = roomOf(frame, freeLanes(frame, strand, depth));
  let indent = node.length * 7 + 7;
  const tag = tagOf(frame, turn);
  if (tag !== "") indent += paintTag(context, frame, tag, left + indent, y, room - indent, texts);
  context.font = fontOf(frame, 12);
  context.fillStyle = strand === 0 ? theme.text : theme.text3;
  if (room - indent >= leastText)
    context.fillText(texts.fit(context, wordsOf(frame, turn), room - indent), left + indent, y);
};

// The first words of a turn, asked for where they are not here.
function wordsOf({ words, missing }: MapFrame, turn: number): string {
  const found = words.get(turn);
  if (!found) missing.push(turn);
  return turnText(found);
}

function tagOf({ marks, scene }: MapFrame, turn: number): string {
  return turn === marks.head ? "◂ head" : (scene.tree.labels.get(turn) ?? "");
}

// A label in its frame, or the head's mark. Returns the width it took.
function paintTag(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  tag: string,
  left: number,
  y: number,
  room: number,
  texts: FittedText,
): number {
  const { theme } = frame;
  context.font = fontOf(frame, 11);
  const isHead = tag.startsWith("◂");
  if (room < (isHead ? leastHead : leastTag)) return 0;
  const text = isHead && room < leastTag ? "◂" : texts.fit(context, tag, room - 14);
  const width = context.measureText(text).width + (isHead ? 0 : 12);
  if (!isHead) {
    context.beginPath();
    context.roundRect(left, y - 8, width, 16, 8);
    context.fillStyle = theme.surface;
    context.fill();
    context.strokeStyle = theme.border;
    context.lineWidth = 1;
    context.stroke();
  }
  context.fillStyle = isHead ? theme.accent : theme.text2;
  context.fillText(text, left + (isHead ? 0 : 6), y + 0.5);
  return width + 8;
}

const paintCard: Writer = (context, frame, turn, strand, y, texts) => {
  const left = leftOf(frame, strand) + textLeft;
  const width = frame.view.laneWidth - lineInset - textLeft - 6;
  const height = Math.min(48, frame.view.depthHeight - 10);
  paintCardAt(context, frame, turn, strand, { left, y, width, height }, texts);
};

interface CardPlace {
  left: number;
  /** Of its middle. */
  y: number;
  width: number;
  height: number;
}

function paintCardAt(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  turn: number,
  strand: number,
  { left, y, width, height }: CardPlace,
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
  const inner = width - 18;
  paintCardHead(context, frame, turn, left + 9, y - 9, inner, texts);
  context.font = fontOf(frame, 13);
  context.fillStyle = strand === 0 ? theme.text : theme.text2;
  context.fillText(texts.fit(context, wordsOf(frame, turn), inner), left + 9, y + 9);
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

function paintCount(context: CanvasRenderingContext2D, frame: MapFrame, strand: number): void {
  const { scene, view, theme, size } = frame;
  const { map } = scene;
  if (view.laneWidth < count.laneWidth || strandLength(scene.strands, strand) === 1) return;
  const top = depthTop(view, int(map.top, strand));
  const bottom = depthTop(view, int(map.bottom, strand) + 1);
  if (bottom - top < count.strand) return;
  const y = Math.min(Math.max(top + 8, 8), bottom - 8);
  if (y > size.height) return;
  context.font = fontOf(frame, 11);
  context.fillStyle = strand === 0 ? theme.text2 : theme.text3;
  const turns = formatCount(strandLength(scene.strands, strand));
  const left = leftOf(frame, strand) + 6;
  // A rim in the colour of the ground keeps it legible on the lines that cross it.
  context.strokeStyle = theme.bg;
  context.lineWidth = 4;
  context.strokeText(turns, left, y);
  context.fillText(turns, left, y);
}

/** Where a map lies, words stand below their turn. */
const lying = {
  card: { laneWidth: 72, depthHeight: 150 },
  line: { laneWidth: 36, depthHeight: 72 },
  number: { laneWidth: 28, depthHeight: 34 },
  /** Above a strand there is room for how many turns it has. */
  count: { laneWidth: 20, strand: 30 },
};

function paintLying(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  visible: Int32Array,
  texts: FittedText,
): void {
  const { view, theme, size } = frame;
  const has = (least: { laneWidth: number; depthHeight: number }) =>
    view.laneWidth >= least.laneWidth && view.depthHeight >= least.depthHeight;
  const isCard = has(lying.card);
  const isLine = has(lying.line);
  for (const strand of visible) {
    const y = leftOf(frame, strand);
    if (!has(lying.number)) {
      paintLyingCount(context, frame, strand, y);
      continue;
    }
    if (y > size.width + 90 || y < -90) continue;
    eachTurn(frame, strand, (turn, x) => {
      if (isCard) {
        const place = { left: x - view.depthHeight / 2 + 4, width: view.depthHeight - 8 };
        const height = Math.min(48, view.laneWidth - 24);
        const card = { ...place, height, y: y + 10 + height / 2 };
        paintCardAt(context, frame, turn, strand, card, texts);
        return;
      }
      const node = `n${turn}`;
      context.font = fontOf(frame, 11);
      context.fillStyle = theme.text3;
      const left = x - 4;
      context.fillText(node, left, y + 14);
      const indent = node.length * 6.5 + 6;
      const room = view.depthHeight - 12 - indent;
      if (!isLine || room < leastText) return;
      const tag = tagOf(frame, turn);
      context.fillStyle = tag ? theme.accent : strand === 0 ? theme.text : theme.text3;
      context.fillText(
        texts.fit(context, tag || wordsOf(frame, turn), room),
        left + indent,
        y + 14,
      );
    });
  }
}

function paintLyingCount(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  strand: number,
  y: number,
): void {
  const { scene, view, theme, size } = frame;
  const from = depthTop(view, int(scene.map.top, strand));
  const to = depthTop(view, int(scene.map.bottom, strand) + 1);
  if (view.laneWidth < lying.count.laneWidth || to - from < lying.count.strand) return;
  const left = Math.min(Math.max(from + 6, 6), to - 24);
  if (left > size.height) return;
  context.font = fontOf(frame, 10);
  context.fillStyle = strand === 0 ? theme.text2 : theme.text3;
  const turns = int(scene.map.bottom, strand) - int(scene.map.top, strand) + 1;
  context.fillText(formatCount(turns), left, y + 9);
}

function fontOf({ theme }: MapFrame, pixels: number): string {
  return `${pixels}px ${theme.font}`;
}
