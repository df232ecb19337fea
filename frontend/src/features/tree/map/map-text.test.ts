import { describe, expect, it } from "vitest";
import type { Turn } from "@/lib/api/api";
import { sketch } from "@/testing/fake-sketch";
import { int } from "../layout/columns";
import { layOut } from "../layout/layout";
import { pathEndsOf } from "../layout/path-ends";
import type { TurnWords } from "../turn/turn-words";
import { FittedText } from "./fitted-text";
import type { MapFrame } from "./map-frame";
import { sceneOf } from "./map-scene";
import { paintText } from "./map-text";
import { centerMap, type MapRoom, type MapSize, type Orientation } from "./map-view";

const pane = { width: 340, height: 500 };
const pixelsPerLetter = 7;
/** How wide the lanes of cards are. */
const cardLane = { down: 236, right: 84 };

/** What is written of a tree around its head in a pane, where every turn says "words of n…". */
function written(
  parents: number[],
  head: number,
  laneWidth: number,
  orientation: Orientation,
  corner?: MapSize,
) {
  const layout = layOut(sketch(parents));
  const { skeleton } = layout;
  const priced = {
    ...skeleton,
    flags: skeleton.flags.map((flags) => flags | 8),
    costNanoUsd: new Float64Array(skeleton.count).fill(12e9),
  };
  const tree = {
    skeleton: priced,
    headTurn: head,
    labels: new Map([[1, "plan"]]),
    colors: new Map(),
  };
  const scene = sceneOf({ ...layout, tree } as never, orientation);
  const isLying = orientation === "right";
  const turned = ({ width, height }: MapSize) =>
    isLying ? { width: height, height: width } : { width, height };
  const size: MapRoom = { ...turned(pane), corner: corner && turned(corner) };
  const isCards = laneWidth === cardLane[orientation];
  const depthHeight = isLying ? (isCards ? 216 : 124) : isCards ? 64 : 26;
  const close = { laneWidth, depthHeight, left: 0, top: 0 };
  const view = centerMap(
    close,
    int(layout.map.lane, int(layout.strands.of, head)),
    int(layout.strands.depth, head),
    scene.extent,
    size,
  );
  const texts: { text: string; left: number; end: number; y: number }[] = [];
  const context = new Proxy({} as Record<string, unknown>, {
    get: (kept, name) => {
      if (name === "measureText")
        return (text: string) => ({ width: text.length * pixelsPerLetter });
      if (name !== "fillText") return kept[name as string] ?? (() => {});
      return (text: string, left: number, y: number) =>
        texts.push({ text, left, end: left + text.length * pixelsPerLetter, y });
    },
    set: (kept, name, value) => Reflect.set(kept, name, value),
  });
  const words = { get: (turn: number) => ({ role: "user", preview: `words of n${turn}` }) as Turn };
  const frame = {
    scene,
    marks: {
      path: pathEndsOf(layout.skeleton, layout.strands, head),
      head,
      selected: head,
      hovered: -1,
      read: -1,
      found: null,
    },
    view,
    size,
    theme: { font: "sans" },
    scale: 1,
    words: words as unknown as TurnWords,
    missing: [],
    work: { efforts: { get: () => undefined }, works: { get: () => undefined } },
    measure: "steps",
    unsized: [],
    cards: [],
  } as unknown as MapFrame;
  const all = Int32Array.from({ length: scene.strands.count }, (_, strand) => strand);
  paintText(context as unknown as CanvasRenderingContext2D, frame, all, new FittedText());
  return texts;
}

const chain = Array.from({ length: 5000 }, (_, turn) => turn - 1);
const has = (texts: { text: string }[], part: string) =>
  texts.some(({ text }) => text.includes(part));

describe.each(["down", "right"] as const)("the words of a map that grows %s", (orientation) => {
  const laneWidth = orientation === "down" ? 112 : 40;

  it("end before the minimap where that is beside them", () => {
    const corner = { width: 120, height: 140 };
    const texts = written(chain, 2500, laneWidth, orientation, corner);
    const beside = texts.filter(({ y }) => y + 8 > pane.height - corner.height);
    for (const { end } of beside) expect(end).toBeLessThanOrEqual(pane.width - corner.width);
    const whole = written(chain, 2500, laneWidth, orientation);
    const above = ({ y }: { y: number }) => y + 8 <= pane.height - corner.height;
    expect(texts.filter(above)).toEqual(whole.filter(above));
  });

  it("end before the minimap on cards, which are whole elsewhere", () => {
    const corner = { width: 90, height: 160 };
    const cards = cardLane[orientation];
    const bushy = Array.from(
      { length: 40 },
      (_, turn) => Math.floor(turn / 2) - (turn === 0 ? 1 : 0),
    );
    const texts = written(bushy, 20, cards, orientation, corner);
    const whole = written(bushy, 20, cards, orientation);
    const reach = (all: typeof texts) =>
      Math.max(...all.filter(({ y }) => y > pane.height - corner.height).map(({ end }) => end));
    expect(reach(whole)).toBeGreaterThan(pane.width - corner.width);
    expect(reach(texts)).toBeLessThanOrEqual(pane.width - corner.width);
    expect(has(texts, "words of n20")).toBe(true);
  });

  it("are there beside a chain, whatever its turns are numbered", () => {
    const texts = written(chain, 4999, laneWidth, orientation);
    expect(has(texts, "words of n4")).toBe(true);
  });

  it("go before the number where there is room for one of them", () => {
    // Two strands of equal length beside each other, as far as the map shows.
    const parents = [-1, ...Array.from({ length: 80 }, (_, at) => Math.max(0, at - 1))];
    const texts = written(parents, 79, laneWidth, orientation);
    expect(texts.filter(({ text }) => /^words?/.test(text)).length).toBeGreaterThan(5);
  });

  it("never run into the next words of their line", () => {
    const parents = Array.from({ length: 300 }, (_, turn) => turn - 1 - ((turn * turn) % 5));
    const texts = written(
      parents.map((at) => Math.max(-1, at)),
      299,
      laneWidth,
      orientation,
    );
    expect(texts.length).toBeGreaterThan(10);
    for (const a of texts)
      for (const b of texts)
        if (a.y === b.y && a.left < b.left) expect(a.end).toBeLessThanOrEqual(b.left);
  });
});

it("a chain has words beside it in narrow lanes, too: nothing stands right of them", () => {
  expect(has(written(chain, 4999, 60, "down"), "words of n4998")).toBe(true);
});
