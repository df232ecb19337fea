// The map as it is operated: what is in sight, moved by pointer, wheel and keys, and drawn when it
// has changed. It lives beside React, because a view that moves sixty times a second is no state of a page.

import { turnAt } from "../layout/map-layout";
import { noPath } from "../layout/path-ends";
import type { TurnWords } from "../turn/turn-words";
import type { TurnWork } from "../turn/turn-work";
import { lineX, MapPainter, turnY } from "./map-painter";
import { type MapMarks, type MapScene, placeOnMap } from "./map-scene";
import { type MapTheme, readTheme } from "./map-theme";
import {
  centerMap,
  depthAt,
  fitMap,
  isAllInSight,
  isInSight,
  laneAt,
  type MapRoom,
  type MapSize,
  type MapView,
  nearMap,
  openMap,
  panMap,
  resizeMap,
  zoomMap,
} from "./map-view";
import type { Measure } from "./measure";
import { MinimapPainter, minimapSize, minimapView } from "./minimap-painter";

const glideMs = 180;
/** From the minimap, see minimap.tsx, to the edges of the map, and from what is written to it. */
const minimapRoom = 12 + 4;
/** Turns lower than this are not taken by the pointer, which moves the map; */
const leastGrip = 7;
/** lower than this only by their dots. */
const leastPullDepth = 20;
const gripRadius = 12;
/** The edge that a branch is pulled from, below the middle of a turn, in parts of its height. */
export const pullFrom = 0.3;

const noMarks: MapMarks = {
  path: noPath,
  head: -1,
  selected: -1,
  hovered: -1,
  read: -1,
  found: null,
};

/** A map on two canvases. Call `dispose` when they go. */
export class MapController {
  readonly #painter: MapPainter;
  readonly #minimap: MinimapPainter;
  readonly #canvas: HTMLCanvasElement;
  readonly #minimapCanvas: HTMLCanvasElement;
  #scene: MapScene | null = null;
  #marks = noMarks;
  #theme: MapTheme;
  #pageSize: MapSize = { width: 0, height: 0 };
  /** The room across and along the lanes, which is turned where the map lies. */
  #size: MapRoom = { width: 0, height: 0 };
  #view: MapView | null = null;
  #frame = 0;
  #glide = 0;

  readonly #words: TurnWords;
  readonly #work: TurnWork;
  readonly #forget: (() => void)[];
  #measure: Measure = "steps";

  constructor(
    canvas: HTMLCanvasElement,
    minimap: HTMLCanvasElement,
    words: TurnWords,
    work: TurnWork,
  ) {
    this.#words = words;
    this.#work = work;
    this.#forget = [words, work.efforts, work.works].map(({ version }) =>
      version.subscribe(() => this.#redraw()),
    );
    this.#canvas = canvas;
    this.#minimapCanvas = minimap;
    this.#painter = new MapPainter(canvas, contextOf(canvas));
    this.#minimap = new MinimapPainter(contextOf(minimap));
    this.#theme = readTheme();
  }

  dispose(): void {
    for (const forget of this.#forget) forget();
    cancelAnimationFrame(this.#frame);
    cancelAnimationFrame(this.#glide);
  }

  /** Reads the colors of the page again. */
  refreshTheme(): void {
    this.#theme = readTheme();
    this.#redraw();
  }

  /** Takes the size of the canvas on the page. */
  resize(onPage: MapSize): void {
    this.#pageSize = onPage;
    const before = this.#size;
    this.#size = this.#roomOn(onPage);
    const size = this.#size;
    if (size.width === before.width && size.height === before.height) return;
    if (this.#view && this.#scene)
      this.#show(resizeMap(this.#view, this.#scene.extent, before, size));
    else this.#begin();
  }

  #roomOn({ width, height }: MapSize): MapRoom {
    if (!this.#scene) return { width, height };
    const picture = minimapSize(this.#scene);
    const corner = {
      width: picture.width + minimapRoom,
      height: picture.height + minimapRoom,
    };
    return this.#isLying ? { width: height, height: width, corner } : { width, height, corner };
  }

  get #isLying(): boolean {
    return this.#scene?.extent.orientation === "right";
  }

  /** Shows another layout; the selected turn stays where it is on screen. */
  setScene(scene: MapScene): void {
    const before = this.#scene;
    this.#scene = scene;
    if (before && before.extent.orientation !== scene.extent.orientation) {
      this.#view = null;
    }
    this.#size = this.#roomOn(this.#pageSize);
    if (!this.#view || !before) {
      this.#begin();
      return;
    }
    const { selected } = this.#marks;
    const was = placeOnMap(before, Math.max(0, selected));
    const is = placeOnMap(scene, Math.max(0, selected));
    const { laneWidth, depthHeight } = this.#view;
    const right = (is.lane - was.lane) * laneWidth;
    const down = (is.depth - was.depth) * depthHeight;
    this.#show(panMap(this.#view, right, down, scene.extent, this.#size));
  }

  /** Sets what the sizes on the map show. */
  setMeasure(measure: Measure): void {
    this.#measure = measure;
    this.#redraw();
  }

  setMarks(marks: MapMarks): void {
    const { selected } = this.#marks;
    this.#marks = marks;
    if (!this.#view) this.#begin();
    else if (marks.selected !== selected) this.#bringInSight(marks.selected);
    this.#redraw();
  }

  /** The turn under a point, or where the map is coarse on the nearest line; -1 for none. */
  turnAt(pageX: number, pageY: number): number {
    const [x, y] = this.#isLying ? [pageY, pageX] : [pageX, pageY];
    const scene = this.#scene;
    const view = this.#view;
    if (!scene || !view) return -1;
    const lane = laneAt(view, x);
    const reach = Math.ceil(5 / view.laneWidth);
    for (let off = 0; off <= Math.min(reach, 4); off++)
      for (const at of [lane - off, lane + off]) {
        const turn = turnAt(scene.strands, scene.map, at, depthAt(view, y));
        if (turn >= 0) return turn;
      }
    return -1;
  }

  /** The turn that a press at a point takes, and whether at the edge that a branch is pulled from; undefined where it moves the map. */
  gripAt(pageX: number, pageY: number): { turn: number; isPull: boolean } | undefined {
    const view = this.#view;
    const turn = this.turnAt(pageX, pageY);
    if (!view || !this.#scene || turn < 0 || view.depthHeight < leastGrip) return undefined;
    const [x, y] = this.#isLying ? [pageY, pageX] : [pageX, pageY];
    const { lane, depth } = placeOnMap(this.#scene, turn);
    const isOnLine = Math.abs(x - lineX(view, lane)) <= gripRadius;
    if (view.depthHeight < leastPullDepth) return isOnLine ? { turn, isPull: false } : undefined;
    const isPull = isOnLine && y - turnY(view, depth) > pullFrom * view.depthHeight;
    return { turn, isPull };
  }

  /** How far down the canvas a turn is. */
  heightOf(turn: number): number {
    if (!this.#scene || !this.#view) return 0;
    const { lane, depth } = placeOnMap(this.#scene, turn);
    return this.#isLying ? lineX(this.#view, lane) : turnY(this.#view, depth);
  }

  /** Moves by pixels of the page. */
  pan(pageRight: number, pageDown: number): void {
    if (!this.#scene || !this.#view) return;
    const [right, down] = this.#isLying ? [pageDown, pageRight] : [pageRight, pageDown];
    this.#show(panMap(this.#view, right, down, this.#scene.extent, this.#size));
  }

  /** Zooms around a point; around the selected turn, or the middle, where none is given. */
  zoom(factor: number, at?: { x: number; y: number }): void {
    if (!this.#scene || !this.#view) return;
    const turned = at && this.#isLying ? { x: at.y, y: at.x } : at;
    const point = turned ?? this.#pivot();
    this.#show(zoomMap(this.#view, factor, point, this.#scene.extent, this.#size));
  }

  fit(): void {
    if (this.#scene) this.#glideTo(fitMap(this.#scene.extent, this.#size));
  }

  /** Brings a turn to the middle. */
  center(turn: number): void {
    if (!this.#scene || !this.#view || turn < 0) return;
    const { lane, depth } = placeOnMap(this.#scene, turn);
    this.#glideTo(centerMap(this.#view, lane, depth, this.#scene.extent, this.#size));
  }

  /** Brings a turn to the middle, as close as the map opens or closer. */
  goTo(turn: number): void {
    if (!this.#scene || !this.#view || turn < 0) return;
    const { lane, depth } = placeOnMap(this.#scene, turn);
    const { extent } = this.#scene;
    this.#glideTo(centerMap(nearMap(this.#view, extent), lane, depth, extent, this.#size));
  }

  /** Brings a point of the minimap to the middle. */
  centerMinimap(pageX: number, pageY: number): void {
    if (!this.#scene || !this.#view) return;
    const [x, y] = this.#isLying ? [pageY, pageX] : [pageX, pageY];
    const small = minimapView(this.#scene, minimapSize(this.#scene));
    const lane = (x + small.left) / small.laneWidth - 0.5;
    const depth = (y + small.top) / small.depthHeight - 0.5;
    this.#show(centerMap(this.#view, lane, depth, this.#scene.extent, this.#size));
  }

  // The first view, once there is something to show and room for it: all, where turns are then still
  // apart, else the surroundings of the selected one.
  #begin(): void {
    const { selected } = this.#marks;
    if (!this.#scene || this.#size.width === 0 || selected < 0) return;
    const { lane, depth } = placeOnMap(this.#scene, selected);
    this.#show(openMap(lane, depth, this.#scene.extent, this.#size));
  }

  #pivot(): { x: number; y: number } {
    const { width, height } = this.#size;
    const middle = { x: width / 2, y: height / 2 };
    const { selected } = this.#marks;
    if (!this.#scene || !this.#view || selected < 0) return middle;
    const { lane, depth } = placeOnMap(this.#scene, selected);
    if (!isInSight(this.#view, lane, depth, this.#size)) return middle;
    return { x: lineX(this.#view, lane), y: turnY(this.#view, depth) };
  }

  #bringInSight(turn: number): void {
    if (!this.#scene || !this.#view || turn < 0) return;
    const { lane, depth } = placeOnMap(this.#scene, turn);
    if (!isInSight(this.#view, lane, depth, this.#size)) this.center(turn);
  }

  #show(view: MapView): void {
    cancelAnimationFrame(this.#glide);
    this.#view = view;
    this.#redraw();
  }

  // Moves there in a moment, so that one sees where it goes; at once where motion is unwanted.
  #glideTo(to: MapView): void {
    const from = this.#view;
    if (!from || window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#show(to);
      return;
    }
    cancelAnimationFrame(this.#glide);
    const start = performance.now();
    const step = (now: number) => {
      const part = Math.min(1, Math.max(0, (now - start) / glideMs));
      this.#view = between(from, to, 1 - (1 - part) ** 3);
      this.#redraw();
      if (part < 1) this.#glide = requestAnimationFrame(step);
    };
    this.#glide = requestAnimationFrame(step);
  }

  #redraw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const scene = this.#scene;
    const view = this.#view;
    const size = this.#size;
    if (!scene || !view || size.width === 0) return;
    const theme = this.#theme;
    const scale = window.devicePixelRatio * pageZoom();
    const missing: number[] = [];
    const words = this.#words;
    const isNeeded = !isAllInSight(view, scene.extent, size);
    const room = isNeeded ? size : { width: size.width, height: size.height };
    const marks = this.#marks;
    const work = this.#work;
    const [unsized, cards]: [number[], number[]] = [[], []];
    this.#painter.paint({
      ...{ scene, marks, view, size: room, theme, scale, words, missing },
      ...{ work, measure: this.#measure, unsized, cards },
    });
    words.want(missing);
    work.efforts.want(unsized);
    work.works.want(cards);
    this.#minimapCanvas.hidden = !isNeeded;
    if (isNeeded) this.#drawMinimap(scene, view, scale);
    this.#canvas.dataset.drawn = "true";
  }

  #minimapOnPage(scene: MapScene): MapSize {
    const { width, height } = minimapSize(scene);
    return this.#isLying ? { width: height, height: width } : { width, height };
  }

  #drawMinimap(scene: MapScene, view: MapView, scale: number): void {
    const size = minimapSize(scene);
    const { width, height } = this.#minimapOnPage(scene);
    this.#minimapCanvas.style.width = `${width}px`;
    this.#minimapCanvas.style.height = `${height}px`;
    const { found } = this.#marks;
    this.#minimap.paint({
      scene,
      found,
      theme: this.#theme,
      view,
      mapSize: this.#size,
      size,
      scale,
    });
  }
}

function between(from: MapView, to: MapView, part: number): MapView {
  const mix = (a: number, b: number) => a + (b - a) * part;
  return {
    laneWidth: mix(from.laneWidth, to.laneWidth),
    depthHeight: mix(from.depthHeight, to.depthHeight),
    left: mix(from.left, to.left),
    top: mix(from.top, to.top),
  };
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) throw new Error("this web view cannot draw on a canvas");
  return context;
}

/** The window's own zoom, a CSS zoom of the page. */
export function pageZoom(): number {
  return Number.parseFloat(document.documentElement.style.zoom) || 1;
}
