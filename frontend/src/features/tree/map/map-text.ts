// What the map says: counts beside strands from afar, words beside turns, cards up close. A map that grows down has
// them right of their turn, one that grows right below it.

import { formatCount } from "@/lib/format/format";
import { int } from "../layout/columns";
import { firstInLane, turnAt } from "../layout/map-layout";
import { isEntered, isOnPath } from "../layout/path-ends";
import { forkCount, strandLength } from "../layout/strands";
import type { FittedText } from "./fitted-text";
import { paintCard } from "./map-card";
import type { MapFrame } from "./map-frame";
import { bendOf, depthAt, depthTop, laneLeft, lineInset, lyingCard } from "./map-view";
import { fillOnGround, fontOf, paintWords } from "./map-words";

/** From these sizes on a turn is a card, */
const card = { laneWidth: 150, depthHeight: 44 };
/** or a line of text. */
const line = { laneWidth: 44, depthHeight: 16 };
/** Beside a strand there is room for how many turns it has. */
const count = { laneWidth: 24, strand: 16 };

/** The same where the map grows right. */
const lying = {
  card: lyingCard,
  line: { laneWidth: 28, depthHeight: 34 },
  /** Above a strand there is room for how many turns it has. */
  count: { laneWidth: 20, strand: 30 },
};

/** The greatest height of a card. */
const mostCard = 68;

const textLeft = 14;
/** The gap between the end of a text and its right neighbour. */
const textGap = 8;
/** Half the height of a line of text. */
const halfLine = 8;
/** Between the end of a text and the line to a fork. */
const lineGap = 2;
/** Text continues over at most so many empty lanes beside it. */
const mostLanes = 8;

/** Writes what there is room for beside the strands in sight. */
export function paintText(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  visible: Int32Array,
  texts: FittedText,
): void {
  context.textBaseline = "middle";
  const write = writerOf(frame);
  for (const strand of visible) write(context, frame, strand, texts);
}

type Writer = (
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  strand: number,
  texts: FittedText,
) => void;

function writerOf({ view, scene }: MapFrame): Writer {
  const has = (least: { laneWidth: number; depthHeight: number }) =>
    view.laneWidth >= least.laneWidth && view.depthHeight >= least.depthHeight;
  if (scene.extent.orientation === "right") {
    if (has(lying.card)) return paintLyingCards;
    return has(lying.line) ? paintLyingLines : paintLyingCount;
  }
  if (has(card)) return paintCards;
  return has(line) ? paintLines : paintCount;
}

function eachTurn(
  { scene, view, size }: MapFrame,
  strand: number,
  write: (turn: number, y: number, depth: number) => void,
): void {
  const { map, strands } = scene;
  const top = int(map.top, strand);
  const to = Math.min(int(map.bottom, strand), depthAt(view, size.height));
  for (let depth = Math.max(top, depthAt(view, 0)); depth <= to; depth++) {
    const turn = int(strands.turns, int(strands.start, strand) + depth - top);
    write(turn, depthTop(view, depth + 0.5), depth);
  }
}

/** Where a strand's line is. */
function lineOf({ scene, view }: MapFrame, strand: number): number {
  return laneLeft(view, int(scene.map.lane, strand)) + Math.min(view.laneWidth / 2, lineInset);
}

const paintLines: Writer = (context, frame, strand, texts) => {
  const left = lineOf(frame, strand) + textLeft;
  eachTurn(frame, strand, (turn, y, depth) => {
    const room = beforeCorner(frame, rightEnd(frame, strand, depth), y) - textGap - left;
    if (room > 0)
      paintWords(
        context,
        frame,
        { turn, left, y, room, isOnPath: isOnPath(frame.scene.strands, frame.marks.path, turn) },
        texts,
      );
  });
};

// Where the text of a turn has to end: before the next lane that is taken at its depth, or with the picture where there is
// no more lane.
function rightEnd({ scene, view, size }: MapFrame, strand: number, depth: number): number {
  const { map, strands } = scene;
  const lane = int(map.lane, strand);
  const last = Math.min(map.lanes, lane + mostLanes);
  let end = lane + 1;
  while (end < last && turnAt(strands, map, end, depth) < 0) end++;
  const right = laneLeft(view, end);
  return end === map.lanes ? Math.max(right, size.width) : right;
}

// Where a line of text has to end, both as on the page: before the minimap, where that is beside it.
function beforeCorner(frame: MapFrame, end: number, y: number): number {
  return cardEnd(frame, end, y + halfLine);
}

// Where the words of what ends so far right and so far down have to end, all as on the page: before the minimap, where that covers it.
function cardEnd({ scene, size }: MapFrame, right: number, bottom: number): number {
  const { corner } = size;
  if (!corner) return right;
  const isLying = scene.extent.orientation === "right";
  const across = size.width - corner.width;
  const along = size.height - corner.height;
  const [cornerLeft, cornerTop] = isLying ? [along, across] : [across, along];
  return bottom > cornerTop ? Math.min(right, cornerLeft) : right;
}

const paintCards: Writer = (context, frame, strand, texts) => {
  const { view } = frame;
  const left = lineOf(frame, strand) + textLeft;
  const width = view.laneWidth - lineInset - textLeft - 6;
  const height = Math.min(mostCard, view.depthHeight - 10);
  eachTurn(frame, strand, (turn, y) => {
    const end = cardEnd(frame, left + width, y + height / 2);
    paintCard(context, frame, turn, { left, y, width, height, end }, texts);
  });
};

const paintCount: Writer = (context, frame, strand) => {
  const { scene, view, size } = frame;
  const { map } = scene;
  if (view.laneWidth < count.laneWidth || strandLength(scene.strands, strand) === 1) return;
  const top = depthTop(view, int(map.top, strand));
  const bottom = depthTop(view, int(map.bottom, strand) + 1);
  if (bottom - top < count.strand) return;
  const y = Math.min(Math.max(top + 8, 8), bottom - 8);
  if (y <= size.height) writeCount(context, frame, strand, lineOf(frame, strand) + 6, y);
};

const paintLyingLines: Writer = (context, frame, strand, texts) => {
  const { size } = frame;
  const y = lineOf(frame, strand) + textLeft;
  if (y > size.width + 90 || y < -90) return;
  eachTurn(frame, strand, (turn, x, depth) => {
    const left = x - 4;
    const room = beforeCorner(frame, lyingEnd(frame, strand, turn, depth), y) - left;
    if (room <= 0) return;
    const isCrossed = room > frame.view.depthHeight;
    const place = {
      turn,
      left,
      y,
      room,
      isOnPath: isOnPath(frame.scene.strands, frame.marks.path, turn),
      isCrossed,
    };
    paintWords(context, frame, place, texts);
  });
};

// Where the text below a turn has to end: before what follows on the turn, before the next turn of its lane, or with the
// picture if none exists.
function lyingEnd(
  { scene, view, size }: MapFrame,
  strand: number,
  turn: number,
  depth: number,
): number {
  const { map, strands } = scene;
  const next = (depth: number) =>
    depthTop(view, depth + 0.5) - bendOf(view, scene.extent) - lineGap;
  if (depth < int(map.bottom, strand) || forkCount(strands, turn) > 0) return next(depth + 1);
  const lane = int(map.lane, strand);
  const at = firstInLane(map, lane, depth + 1);
  if (at < int(map.laneStart, lane + 1)) return next(int(map.top, int(map.stacked, at)));
  return Math.max(depthTop(view, map.depths), size.height) - textGap;
}

const paintLyingCards: Writer = (context, frame, strand, texts) => {
  const { view, size } = frame;
  const y = lineOf(frame, strand);
  if (y > size.width + 90 || y < -90) return;
  const height = Math.min(mostCard, view.laneWidth - 24);
  const width = view.depthHeight - 8;
  eachTurn(frame, strand, (turn, x) => {
    const left = x - view.depthHeight / 2 + 4;
    const end = cardEnd(frame, left + width, y + 10 + height);
    const place = { left, y: y + 10 + height / 2, width, height, end };
    paintCard(context, frame, turn, place, texts);
  });
};

const paintLyingCount: Writer = (context, frame, strand) => {
  const { scene, view, size } = frame;
  const from = depthTop(view, int(scene.map.top, strand));
  const to = depthTop(view, int(scene.map.bottom, strand) + 1);
  if (view.laneWidth < lying.count.laneWidth || to - from < lying.count.strand) return;
  const left = Math.min(Math.max(from + 6, 6), to - 24);
  if (left <= size.height) writeCount(context, frame, strand, left, lineOf(frame, strand) + 9);
};

function writeCount(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  strand: number,
  left: number,
  y: number,
): void {
  const { scene, theme } = frame;
  context.font = fontOf(frame, 11);
  context.fillStyle = isEntered(scene.strands, frame.marks.path, strand)
    ? theme.text2
    : theme.text3;
  fillOnGround(context, frame, formatCount(strandLength(scene.strands, strand)), left, y);
}
