// Draws the map on a canvas: only what is in sight, and the less of it the further away. Nothing is
// allocated from frame to frame but the texts of cards that come into sight.

import { byte, int } from "../layout/columns";
import { firstForking, firstInLane, type MapLayout } from "../layout/map-layout";
import { isOnPath, type PathEnds, strandsBetween, strandsOfPath } from "../layout/path-ends";
import { forkCount } from "../layout/strands";
import { FittedText } from "./fitted-text";
import type { MapFrame } from "./map-frame";
import { MapPixels } from "./map-pixels";
import { paintText } from "./map-text";
import {
  bendOf,
  depthAt,
  depthTop,
  laneAt,
  laneLeft,
  lineInset,
  type MapView,
  scaleView,
} from "./map-view";
import { sizeOf } from "./measure";

/** Lanes closer than this are drawn pixel by pixel, */
const leastLane = 3;
/** as are turns lower than this. */
const leastDepth = 0.7;
/** Turns lower than this are no dots, only their strand is drawn; */
const leastDot = 7;
/** and lanes closer than this have no room for dots. */
const leastDotLane = 8;

/** Labels are flags from here on, until there is room for dots and then for words; lower, they would cover the tree. */
const leastFlag = 2;

/** Turns lower than this have no room for the plus that a branch is pulled from. */
const leastPull = 20;

/** Draws frames on one canvas. */
export class MapPainter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #pixels = new MapPixels();
  readonly #texts = new FittedText();
  #turned: HTMLCanvasElement | null = null;
  // The visible strands, collected for each frame.
  #visible = new Int32Array(1024);
  #visibleCount = 0;
  // The strands of the path on screen, top down, and what they were listed from.
  #pathStrands: Int32Array = new Int32Array();
  #pathOf: PathEnds | null = null;
  #pathMap: MapLayout | null = null;
  // How far before a fork's first turn the line to it leaves.
  #bend = 0;

  constructor(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D) {
    this.#canvas = canvas;
    this.#context = context;
  }

  paint(frame: MapFrame): void {
    const { size, scale, view, theme } = frame;
    const width = Math.max(1, Math.round(size.width * scale));
    const height = Math.max(1, Math.round(size.height * scale));
    const isLying = frame.scene.extent.orientation === "right";
    this.#bend = bendOf(view, frame.scene.extent);
    resize(this.#canvas, isLying ? height : width, isLying ? width : height);
    const context = this.#context;
    turn(context, isLying, scale);
    const isNear = view.laneWidth >= leastLane && view.depthHeight >= leastDepth;
    if (!isNear) {
      const picture = { width, height };
      const image = this.#pixels.draw(frame.scene, scaleView(view, scale), picture, theme, scale);
      this.#paintImage(image, isLying, scale);
    } else {
      context.fillStyle = theme.bg;
      context.fillRect(0, 0, size.width, size.height);
      this.#gather(frame);
      // While one searches, what was not found steps back.
      if (frame.marks.found) context.globalAlpha = 0.45;
      this.#paintForks(frame);
      for (let color = theme.lanes.length - 1; color > 0; color--) this.#paintLines(frame, color);
      if (view.depthHeight >= leastDot && view.laneWidth >= leastDotLane) this.#paintDots(frame);
      context.globalAlpha = 1;
    }
    this.#paintPath(frame);
    this.#paintWay(frame);
    this.#paintFound(frame);
    if (view.depthHeight >= leastFlag && view.depthHeight < leastDot) this.#paintFlags(frame);
    this.#paintMarks(frame);
    if (isNear) {
      turn(context, false, scale);
      paintText(context, frame, this.#visible.subarray(0, this.#visibleCount), this.#texts);
    }
  }

  // A picture's rows are across and its columns along the lanes: where the map lies it is turned, which only a canvas can do.
  #paintImage(image: ImageData, isLying: boolean, scale: number): void {
    if (!isLying) {
      this.#context.putImageData(image, 0, 0);
      return;
    }
    this.#turned ??= document.createElement("canvas");
    resize(this.#turned, image.width, image.height);
    this.#turned.getContext("2d", { alpha: false })?.putImageData(image, 0, 0);
    turn(this.#context, true, 1);
    this.#context.drawImage(this.#turned, 0, 0);
    turn(this.#context, true, scale);
  }

  // Lists the strands in sight. O(lanes in sight · log strands + strands in sight).
  #gather({ scene, view, size }: MapFrame): void {
    const { map } = scene;
    this.#visibleCount = 0;
    const firstDepth = depthAt(view, 0) - 1;
    const lastDepth = depthAt(view, size.height) + 1;
    const lastLane = Math.min(map.lanes - 1, laneAt(view, size.width));
    for (let lane = Math.max(0, laneAt(view, 0)); lane <= lastLane; lane++) {
      const end = int(map.laneStart, lane + 1);
      for (let at = firstInLane(map, lane, firstDepth); at < end; at++) {
        const strand = int(map.stacked, at);
        if (int(map.top, strand) > lastDepth) break;
        this.#add(strand);
      }
    }
  }

  #add(strand: number): void {
    if (this.#visibleCount === this.#visible.length) {
      const longer = new Int32Array(2 * this.#visibleCount);
      longer.set(this.#visible);
      this.#visible = longer;
    }
    this.#visible[this.#visibleCount++] = strand;
  }

  // Where several forks leave a turn, or one ends right of what is in sight: one line that all share.
  #paintForks({ scene, view, size, theme }: MapFrame): void {
    const { strands, map } = scene;
    const context = this.#context;
    const lastLane = laneAt(view, size.width);
    const lastDepth = depthAt(view, size.height);
    context.beginPath();
    for (let at = firstForking(strands, map, depthAt(view, 0) - 1); at < map.forking.length; at++) {
      const turn = int(map.forking, at);
      const depth = int(strands.depth, turn);
      if (depth > lastDepth) break;
      const from = int(map.lane, int(strands.of, turn));
      const reach = int(map.reach, at);
      if (from > lastLane || (reach <= lastLane && forkCount(strands, turn) === 1)) continue;
      const x = Math.min(lineX(view, reach), size.width + 20);
      const { y, round } = this.#leaveLane(view, from, x, turnY(view, depth + 1));
      if (depth === int(map.bottom, int(strands.of, turn))) {
        context.moveTo(Math.max(-20, lineX(view, from)), turnY(view, depth));
        context.lineTo(Math.max(-20, lineX(view, from)), y - round);
      }
    }
    context.strokeStyle = theme.borderStrong;
    context.lineWidth = 1;
    context.stroke();
  }

  // The lines of all strands of one color, each from the turn that it starts at.
  #paintLines({ scene, view, size, theme }: MapFrame, color: number): void {
    const { map, strands, colors } = scene;
    const context = this.#context;
    context.beginPath();
    for (let index = 0; index < this.#visibleCount; index++) {
      const strand = int(this.#visible, index);
      if (byte(colors, strand) !== color) continue;
      const x = lineX(view, int(map.lane, strand));
      const top = Math.max(-20, turnY(view, int(map.top, strand)));
      const bottom = Math.min(size.height + 20, turnY(view, int(map.bottom, strand)));
      const fork = int(strands.fork, strand);
      if (fork >= 0 && top > -20) {
        const from = int(strands.of, fork);
        const isLast = int(strands.depth, fork) === int(map.bottom, from);
        if (forkCount(strands, fork) > 1) this.#joinLane(view, int(map.lane, from), x, top);
        else this.#traceFork(view, int(map.lane, from), x, top, isLast);
      } else context.moveTo(x, top);
      // A strand of one turn is a point, which a line of no length would not show.
      context.lineTo(x, Math.max(bottom, top + 0.5));
    }
    context.strokeStyle = theme.lanes[color] as string;
    context.lineWidth = 1.5;
    context.stroke();
  }

  // From the line of the lane to a strand's first turn, with round corners; `isLast`: from the turn itself, because
  // no line leads on from it.
  #traceFork(view: MapView, fromLane: number, x: number, top: number, isLast: boolean): void {
    if (isLast) {
      const from = Math.max(-20, lineX(view, fromLane));
      this.#context.moveTo(from, top - view.depthHeight);
      this.#context.lineTo(from, top - this.#bend);
    }
    this.#leaveLane(view, fromLane, x, top);
    this.#joinLane(view, fromLane, x, top);
  }

  // The first corner and the line across, to where the second one begins.
  #leaveLane(view: MapView, fromLane: number, x: number, top: number) {
    const context = this.#context;
    const { from, y, round } = corners(view, fromLane, x, top, this.#bend);
    context.moveTo(from, y - round);
    context.quadraticCurveTo(from, y, from + round, y);
    context.lineTo(x - round, y);
    return { y, round };
  }

  // The second corner, down to the turn.
  #joinLane(view: MapView, fromLane: number, x: number, top: number) {
    const context = this.#context;
    const { y, round } = corners(view, fromLane, x, top, this.#bend);
    context.moveTo(x - round, y);
    context.quadraticCurveTo(x, y, x, y + round);
    context.lineTo(x, top);
  }

  #paintDots(frame: MapFrame): void {
    const { scene, view, size, theme } = frame;
    const { map } = scene;
    const context = this.#context;
    const radius = dotRadius(view);
    const firstDepth = depthAt(view, 0) - 1;
    const lastDepth = depthAt(view, size.height) + 1;
    for (let color = theme.lanes.length - 1; color > 0; color--) {
      context.beginPath();
      for (let index = 0; index < this.#visibleCount; index++) {
        const strand = int(this.#visible, index);
        if (byte(scene.colors, strand) !== color) continue;
        const x = lineX(view, int(map.lane, strand));
        const to = Math.min(lastDepth, int(map.bottom, strand));
        for (let depth = Math.max(firstDepth, int(map.top, strand)); depth <= to; depth++)
          addDot(context, x, turnY(view, depth), sizedDot(frame, strand, depth, radius));
      }
      context.fillStyle = theme.surface;
      context.fill();
      context.strokeStyle = theme.lanes[color] as string;
      context.lineWidth = 1.5;
      context.stroke();
    }
  }

  // The path comes last and thicker: the eye finds it at every distance.
  #paintPath(frame: MapFrame): void {
    const { scene, view, size, theme, marks } = frame;
    const { map, strands } = scene;
    const { path } = marks;
    const [first, last] = [depthAt(view, 0) - 1, depthAt(view, size.height) + 1];
    const inSight = this.#pathIn(frame, first, last);
    const context = this.#context;
    const isFar = view.depthHeight < leastDot || view.laneWidth < leastDotLane;
    context.strokeStyle = theme.accent;
    context.lineWidth = isFar ? 3 : 2.5;
    context.lineCap = "round";
    context.beginPath();
    for (const strand of inSight) {
      const end = int(path, strand);
      const x = lineX(view, int(map.lane, strand));
      const y = turnY(view, int(map.top, strand));
      const top = Math.max(-10, y);
      const bottom = Math.min(size.height + 10, turnY(view, end));
      const fork = int(strands.fork, strand);
      if (fork >= 0) this.#traceFork(view, int(map.lane, int(strands.of, fork)), x, y, true);
      if (x < -10 || x > size.width + 10 || bottom < -10 || top > size.height + 10) continue;
      context.moveTo(x, top);
      context.lineTo(x, Math.max(bottom, top + 0.5));
    }
    context.stroke();
    context.lineCap = "butt";
    if (isFar) return;
    context.beginPath();
    for (const strand of inSight) {
      const x = lineX(view, int(map.lane, strand));
      if (x < -10 || x > size.width + 10) continue;
      const to = Math.min(int(path, strand), last);
      const radius = dotRadius(view) + 0.5;
      for (let depth = Math.max(int(map.top, strand), first); depth <= to; depth++)
        addDot(context, x, turnY(view, depth), sizedDot(frame, strand, depth, radius));
    }
    context.fillStyle = theme.surface;
    context.fill();
    context.lineWidth = 2;
    context.stroke();
  }

  // The strands of the path at some depths, and the one that follows them: its line may begin in sight. They are listed
  // once for each path, not for each frame.
  #pathIn({ scene, marks }: MapFrame, first: number, last: number): Int32Array {
    if (this.#pathOf !== marks.path || this.#pathMap !== scene.map) {
      this.#pathOf = marks.path;
      this.#pathMap = scene.map;
      this.#pathStrands = strandsOfPath(scene.map, marks.path);
    }
    return strandsBetween(scene.map, marks.path, this.#pathStrands, first, last);
  }

  // The way from the root to the turn under the pointer.
  #paintWay({ scene, view, marks, theme }: MapFrame): void {
    const { strands, map } = scene;
    if (marks.hovered < 0 || marks.hovered >= scene.skeleton.count) return;
    const context = this.#context;
    context.beginPath();
    for (let at = marks.hovered; at >= 0; ) {
      const strand = int(strands.of, at);
      const x = lineX(view, int(map.lane, strand));
      const top = turnY(view, int(map.top, strand));
      const fork = int(strands.fork, strand);
      if (fork >= 0) this.#traceFork(view, int(map.lane, int(strands.of, fork)), x, top, true);
      else context.moveTo(x, top);
      context.lineTo(x, turnY(view, int(strands.depth, at)));
      at = fork;
    }
    context.strokeStyle = theme.text2;
    context.lineWidth = 2;
    context.stroke();
  }

  // What was found: a disc under each turn while turns are apart, else a tick.
  #paintFound({ scene, view, size, theme, marks }: MapFrame): void {
    if (!marks.found) return;
    const context = this.#context;
    const radius = Math.max(2.5, dotRadius(view) + 2);
    context.beginPath();
    for (const turn of marks.found) {
      const x = lineX(view, int(scene.map.lane, int(scene.strands.of, turn)));
      const y = turnY(view, int(scene.strands.depth, turn));
      if (x < -9 || y < -9 || x > size.width + 9 || y > size.height + 9) continue;
      if (view.depthHeight >= leastDot) addDot(context, x, y, radius);
      else context.rect(x - 3, y - 1, 6, 2);
    }
    context.fillStyle = theme.found;
    context.fill();
  }

  // Labelled turns, while there is no room for their labels.
  #paintFlags({ scene, view, size, theme }: MapFrame): void {
    const context = this.#context;
    context.beginPath();
    for (const turn of scene.labels) {
      const x = lineX(view, int(scene.map.lane, int(scene.strands.of, turn)));
      const y = turnY(view, int(scene.strands.depth, turn));
      if (x >= 0 && y >= 0 && x <= size.width && y <= size.height) addDot(context, x, y, 2.5);
    }
    context.fillStyle = theme.text2;
    context.fill();
    context.strokeStyle = theme.bg;
    context.lineWidth = 1;
    context.stroke();
  }

  // Below the turn under the pointer, a plus to pull a branch from.
  #paintPull({ scene, view, marks, theme }: MapFrame): void {
    const turn = marks.hovered;
    if (turn < 0 || view.depthHeight < leastPull || int(scene.strands.of, turn) < 0) return;
    const context = this.#context;
    const x = lineX(view, int(scene.map.lane, int(scene.strands.of, turn)));
    const y = turnY(view, int(scene.strands.depth, turn)) + 0.4 * view.depthHeight;
    context.beginPath();
    addDot(context, x, y, 5.5);
    context.fillStyle = theme.accent;
    context.fill();
    context.beginPath();
    context.moveTo(x - 3, y);
    context.lineTo(x + 3, y);
    context.moveTo(x, y - 3);
    context.lineTo(x, y + 3);
    context.strokeStyle = theme.surface;
    context.lineWidth = 1.5;
    context.stroke();
  }

  // The head is filled; a ring surrounds what is selected or hovered.
  #paintMarks(frame: MapFrame): void {
    const { marks, theme } = frame;
    const context = this.#context;
    const radius = Math.max(3.5, dotRadius(frame.view) + 0.5);
    this.#paintPull(frame);
    this.#mark(frame, marks.hovered, radius + 3.5, () => {
      context.strokeStyle = theme.borderStrong;
      context.lineWidth = 1.5;
      context.stroke();
    });
    // What is read: a wedge that points at it.
    this.#mark(frame, marks.read, 0, () => this.#paintWedge(frame, marks.read, radius));
    this.#mark(frame, marks.head, radius, (color) => {
      context.fillStyle = color;
      context.fill();
    });
    this.#mark(frame, marks.selected, radius + 3.5, (color) => {
      context.strokeStyle = color;
      context.lineWidth = 2;
      context.stroke();
    });
  }

  #paintWedge({ scene, view, theme }: MapFrame, read: number, radius: number): void {
    const context = this.#context;
    const x = lineX(view, int(scene.map.lane, int(scene.strands.of, read))) - radius - 2;
    const y = turnY(view, int(scene.strands.depth, read));
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - 5, y - 4);
    context.lineTo(x - 5, y + 4);
    context.fillStyle = theme.text2;
    context.fill();
  }

  #mark(
    { scene, view, size, theme, marks }: MapFrame,
    turn: number,
    radius: number,
    draw: (color: string) => void,
  ): void {
    if (turn < 0 || turn >= scene.skeleton.count) return;
    const strand = int(scene.strands.of, turn);
    if (strand < 0) return;
    const x = lineX(view, int(scene.map.lane, strand));
    const y = turnY(view, int(scene.strands.depth, turn));
    if (x < -20 || y < -20 || x > size.width + 20 || y > size.height + 20) return;
    this.#context.beginPath();
    addDot(this.#context, x, y, radius);
    const isOn = isOnPath(scene.strands, marks.path, turn);
    draw(isOn ? theme.accent : (theme.lanes[byte(scene.colors, strand)] as string));
  }
}

/** Draws across and along the lanes from here on: exchanged where the map lies. */
function turn(context: CanvasRenderingContext2D, isLying: boolean, scale: number): void {
  if (isLying) context.setTransform(0, scale, scale, 0, 0, 0);
  else context.setTransform(scale, 0, 0, scale, 0, 0);
}

function resize(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

function addDot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** Where the line of a lane is. */
export function lineX(view: MapView, lane: number): number {
  return laneLeft(view, lane) + Math.min(view.laneWidth / 2, lineInset);
}

/** Where the turns of a depth are. */
export function turnY(view: MapView, depth: number): number {
  return depthTop(view, depth + 0.5);
}

/** The corners of the line to a fork: the lane that it leaves, its height across, and their radius. */
function corners(view: MapView, fromLane: number, x: number, top: number, bend: number) {
  const from = Math.max(-20, lineX(view, fromLane));
  const y = top - bend;
  return { from, y, round: Math.max(0, Math.min(bend, (x - from) / 2, 8)) };
}

/** The size of the dot of a turn by what sizes show: from two thirds of a dot that does not know its size to one and a half of it. */
function sizedDot(frame: MapFrame, strand: number, depth: number, radius: number): number {
  const { map, strands } = frame.scene;
  const turn = int(strands.turns, int(strands.start, strand) + depth - int(map.top, strand));
  const size = sizeOf(frame, turn);
  return size < 0 ? radius : radius * (0.67 + 0.83 * size);
}

/** The size of a turn's dot. */
function dotRadius({ laneWidth, depthHeight }: MapView): number {
  return Math.max(1.5, Math.min(4, depthHeight * 0.24, laneWidth * 0.24));
}
