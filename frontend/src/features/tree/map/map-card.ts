// The map up close: a card for each turn, with its words, its answer, model and cost; a red rim where its run failed.

import { formatPlural } from "@/lib/format/format";
import { shortModel } from "@/lib/format/model";
import { visible } from "@/lib/format/visible";
import { runStatus } from "@/lib/tree/skeleton";
import { byte, int } from "../layout/columns";
import { isOnPath } from "../layout/path-ends";
import { turnCost } from "../turn/turn-name";
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
  const hasFailed = runStatus(byte(frame.scene.skeleton.flags, turn)) === "failed";
  context.strokeStyle = hasFailed ? theme.error : isSelected ? theme.accent : theme.border;
  context.lineWidth = hasFailed ? 2 : 1;
  context.stroke();
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

/** Cards of this height have a line for the answer. */
const tallCard = 58;

/** The beginning of the last answer; empty where that is what the turn begins with. */
function answerOf({ words }: MapFrame, turn: number): string {
  const found = words.get(turn);
  return found?.answer && found.answer !== found.preview ? visible(found.answer) : "";
}

// The card's last line: the model and the count of messages, the cost at the right.
function paintCardFoot(
  context: CanvasRenderingContext2D,
  { scene, theme, words, ...frame }: MapFrame,
  turn: number,
  left: number,
  y: number,
  inner: number,
  texts: FittedText,
): void {
  context.font = fontOf({ scene, theme, words, ...frame }, 11);
  context.fillStyle = theme.text3;
  const cost = turnCost(scene.tree, turn);
  context.textAlign = "right";
  context.fillText(cost, left + inner, y);
  context.textAlign = "left";
  const model = shortModel(words.get(turn)?.model ?? "");
  const messages = formatPlural(int(scene.skeleton.messages, turn), "message");
  const room = inner - context.measureText(cost).width - 8;
  const text = [model, messages].filter(Boolean).join(" · ");
  context.fillText(texts.fit(context, text, room), left, y);
}
