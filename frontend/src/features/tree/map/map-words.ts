// The words of a turn on the map, and the mark or the label before them.

import { visible } from "@/lib/format/visible";
import { t } from "@/lib/i18n/i18n";
import { olderSiblings, partingText } from "../turn/parting";
import { turnText } from "../turn/turn-name";
import type { FittedText } from "./fitted-text";
import type { MapFrame } from "./map-frame";

/** In less room than this a few letters would say nothing. */
const leastText = 30;
const leastTag = 36;
/** What the frame of a label takes of its width. */
const tagFrame = 12;
const leastHead = 12;
/** From here on the head is named, not only marked. */
const namedHead = 140;

/** The mark of the head. */
const headMark = "◂";

/** A turn on one line, from its left end. */
interface WordsPlace {
  turn: number;
  left: number;
  /** Of its middle. */
  y: number;
  /** How far it may reach, in pixels. */
  room: number;
  /** Whether it is on the path on screen. */
  isOnPath: boolean;
  /** Whether lines may cross it. */
  isCrossed?: boolean;
}

/** Writes what there is room for: the label or the mark of the current position, and the first words. */
export function paintWords(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  { turn, left, y, room, isOnPath, isCrossed }: WordsPlace,
  texts: FittedText,
): void {
  const { theme } = frame;
  const tag = tagOf(frame, turn);
  const indent = tag === "" ? 0 : paintTag(context, frame, tag, left, y, room, texts);
  context.font = fontOf(frame, 12);
  context.fillStyle = isOnPath ? theme.text : theme.text3;
  const fill = isCrossed ? fillOnGround : fillText;
  const words =
    room - indent < leastText ? "" : texts.fit(context, signedWords(frame, turn), room - indent);
  if (words !== "") fill(context, frame, words, left + indent, y);
}

function fillText(
  context: CanvasRenderingContext2D,
  _: MapFrame,
  text: string,
  left: number,
  y: number,
): void {
  context.fillText(text, left, y);
}

/** Writes text with a rim in the color of the ground, which keeps it legible on the lines that cross it. */
export function fillOnGround(
  context: CanvasRenderingContext2D,
  { theme }: MapFrame,
  text: string,
  left: number,
  y: number,
): void {
  context.strokeStyle = theme.bg;
  context.lineWidth = 4;
  context.strokeText(text, left, y);
  context.fillText(text, left, y);
}

/** The first words of a turn, asked for where they are not here. */
export function wordsOf({ words, missing, scene }: MapFrame, turn: number): string {
  const found = words.get(turn);
  if (!found) missing.push(turn);
  for (const older of olderSiblings(scene.skeleton, scene.strands, turn))
    if (!words.get(older)) missing.push(older);
  return found ? partingText(scene.skeleton, scene.strands, words, turn) : turnText(found);
}

/** What precedes the words: the head's mark, or the label; empty for none. */
export function tagOf({ marks, scene }: MapFrame, turn: number): string {
  return turn === marks.head ? headMark : visible(scene.tree.labels.get(turn) ?? "");
}

/** Draws a label in its frame, or the head's mark. Returns the width it took, 0 where there is no room for it. */
export function paintTag(
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
  if (tag === headMark) {
    if (room < leastHead) return 0;
    const text = room < namedHead ? tag : `${tag} ${t("current")}`;
    context.fillStyle = theme.accent;
    context.fillText(text, left, y + 0.5);
    return context.measureText(text).width + 6;
  }
  if (room < leastTag) return 0;
  const whole = context.measureText(tag).width;
  const text = whole <= room - tagFrame ? tag : texts.fit(context, tag, room - tagFrame);
  const width = context.measureText(text).width + tagFrame;
  context.beginPath();
  context.roundRect(left, y - 8, width, 16, 8);
  context.fillStyle = theme.surface;
  context.fill();
  context.strokeStyle = theme.border;
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = theme.text2;
  context.fillText(text, left + 6, y + 0.5);
  return width + 7;
}

/** The font of the page at a size. */
export function fontOf({ theme }: MapFrame, pixels: number): string {
  return `${pixels}px ${theme.font}`;
}

/** The words of a turn; in a session of several agents, an answer that begins a fork is preceded by its author. */
function signedWords(frame: MapFrame, turn: number): string {
  const found = frame.words.get(turn);
  const words = wordsOf(frame, turn);
  if (!found?.authors || found.role === "user") return words;
  return `${visible(found.authors.split("\n")[0] ?? "")}: ${words}`;
}
