// The map up close: a card for each turn, with its words, its answer, model and cost; a red rim where its run or a call failed.

import type { WorkItem } from "@/lib/api/api";
import { authorLane } from "@/lib/format/author-color";
import { baseName, formatCount, formatPlural } from "@/lib/format/format";
import { shortModel } from "@/lib/format/model";
import { visible } from "@/lib/format/visible";
import { t } from "@/lib/i18n/i18n";
import { runStatus } from "@/lib/tree/skeleton";
import { byte, int } from "../layout/columns";
import { isOnPath } from "../layout/path-ends";
import { turnCost } from "../turn/turn-name";
import { changedFiles } from "../turn/turn-work";
import type { FittedText } from "./fitted-text";
import type { MapFrame } from "./map-frame";
import { fontOf, paintTag, tagOf, wordsOf } from "./map-words";
import { sizeOf } from "./measure";

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
  frame.cards.push(turn);
  const failed = frame.work.works.get(turn)?.failed ?? 0;
  const hasFailed = failed > 0 || runStatus(byte(frame.scene.skeleton.flags, turn)) === "failed";
  context.strokeStyle = hasFailed ? theme.error : isSelected ? theme.accent : theme.border;
  context.lineWidth = hasFailed ? 2 : 1;
  context.stroke();
  paintSize(context, frame, turn, left, y + height / 2, width);
  const inner = Math.min(width, end - left) - 2 * inset;
  if (inner < leastWords) return;
  const at = left + inset;
  const isTall = height >= tallCard;
  const top = isTall ? y - 18 : y - 9;
  const tag = tagOf(frame, turn);
  const indent = tag === "" ? 0 : paintTag(context, frame, tag, at, top, inner / 2, texts);
  context.font = fontOf(frame, 13);
  context.fillStyle = isOnPath(frame.scene.strands, marks.path, turn) ? theme.text : theme.text2;
  context.fillText(texts.fit(context, wordsOf(frame, turn), inner - indent), at + indent, top);
  if (isTall) {
    context.font = fontOf(frame, 12);
    context.fillStyle = theme.text2;
    context.fillText(texts.fit(context, answerOf(frame, turn), inner), at, y);
  }
  paintCardFoot(context, frame, turn, at, isTall ? y + 18 : y + 9, inner, texts);
}

// A bar on the lower edge of a card, as long as the turn is large.
function paintSize(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  turn: number,
  left: number,
  bottom: number,
  width: number,
): void {
  const size = sizeOf(frame, turn);
  if (size <= 0) return;
  const { scene, theme, marks } = frame;
  const strand = int(scene.strands.of, turn);
  context.fillStyle = isOnPath(scene.strands, marks.path, turn)
    ? theme.accent
    : (theme.lanes[byte(scene.colors, strand)] as string);
  context.fillRect(left + 6, bottom - sizeBar, Math.max(2, size * (width - 12)), sizeBar);
}

const sizeBar = 3;

/** Cards of this height have a line for the answer. */
const tallCard = 58;

/** The beginning of the last answer; empty where that is what the turn begins with. */
function answerOf({ words }: MapFrame, turn: number): string {
  const found = words.get(turn);
  return found?.answer && found.answer !== found.preview ? visible(found.answer) : "";
}

// The card's last line: the files that it changed, else the model and the count of messages; failures and the cost at the right.
function paintCardFoot(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  turn: number,
  left: number,
  y: number,
  inner: number,
  texts: FittedText,
): void {
  const { scene, theme, words } = frame;
  const work = frame.work.works.get(turn);
  context.font = fontOf(frame, 11);
  let room = inner;
  const fromRight = (text: string, color: string) => {
    const width = context.measureText(text).width;
    if (text === "" || width > room) return;
    context.fillStyle = color;
    context.fillText(text, left + room - width, y);
    room -= width + 8;
  };
  fromRight(turnCost(scene.tree, turn), theme.text3);
  if (work && work.failed > 0)
    fromRight(t("{{count}} failed", { count: work.failed }), theme.error);
  const files = changedFiles(work);
  if (files.length > 0) {
    paintFiles(context, frame, files, { left, y, room }, texts);
    return;
  }
  const authors = words.get(turn)?.authors;
  if (authors) {
    paintAuthors(context, frame, authors.split("\n"), { left, y, room }, texts);
    return;
  }
  const model = shortModel(words.get(turn)?.model ?? "");
  const messages = formatPlural(int(scene.skeleton.messages, turn), "message");
  const text = [model, messages].filter(Boolean).join(" · ");
  context.fillStyle = theme.text3;
  context.fillText(texts.fit(context, text, room), left, y);
}

// The agents of a turn with their colors and names, as many as there is room for.
function paintAuthors(
  context: CanvasRenderingContext2D,
  { theme, words }: MapFrame,
  names: readonly string[],
  { left, y, room }: { left: number; y: number; room: number },
  texts: FittedText,
): void {
  let used = 0;
  for (const name of names) {
    if (room - used < leastChip) return;
    context.beginPath();
    context.arc(left + used + authorDot, y, authorDot, 0, 2 * Math.PI);
    context.fillStyle = theme.lanes[authorLane(name, words.authors)] as string;
    context.fill();
    const text = texts.fit(context, visible(name), room - used - 12);
    context.fillStyle = theme.text2;
    context.fillText(text, left + used + 12, y);
    used += 12 + context.measureText(text).width + 10;
  }
}

/** The radius of the mark of an author. */
const authorDot = 4;

/** In less room than this a name of a file would be a few letters. */
const leastChip = 56;
const chipInset = 5;

// The changed files as chips, as many as there is room for; the others as a number.
function paintFiles(
  context: CanvasRenderingContext2D,
  { theme }: MapFrame,
  files: readonly WorkItem[],
  { left, y, room }: { left: number; y: number; room: number },
  texts: FittedText,
): void {
  let used = 0;
  for (let at = 0; at < files.length; at++) {
    const rest = files.length - at - 1;
    const more = rest > 0 ? 24 : 0;
    const space = room - used - more;
    const file = files[at] as WorkItem;
    if (space < leastChip) {
      context.fillStyle = theme.text3;
      context.fillText(`+${formatCount(rest + 1)}`, left + used, y);
      return;
    }
    const text = texts.fit(context, chipText(file), space - 2 * chipInset);
    const width = context.measureText(text).width + 2 * chipInset;
    context.beginPath();
    context.roundRect(left + used, y - 8, width, 16, 4);
    context.fillStyle = theme.sunken;
    context.fill();
    context.fillStyle = theme.text2;
    context.fillText(text, left + used + chipInset, y + 0.5);
    used += width + 4;
  }
}

/** "outbox.go +24 −3" */
function chipText({ text, added, removed }: WorkItem): string {
  return [
    visible(baseName(text)),
    added > 0 && `+${formatCount(added)}`,
    removed > 0 && `−${formatCount(removed)}`,
  ]
    .filter(Boolean)
    .join(" ");
}
