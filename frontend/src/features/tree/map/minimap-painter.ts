import { MapPixels } from "./map-pixels";
import { type MapScene, placeOnMap } from "./map-scene";
import type { MapTheme } from "./map-theme";
import { type MapSize, type MapView, scaleView } from "./map-view";

/** What the small picture of the whole map is drawn from. */
interface MinimapFrame {
  scene: MapScene;
  /** The turns that were found; null while nothing is looked for. */
  found: Int32Array | null;
  theme: MapTheme;
  /** Of the large map: the part in sight is framed. */
  view: MapView;
  mapSize: MapSize;
  /** Of the small picture. */
  size: MapSize;
  scale: number;
}

const margin = 6;
const most = { laneWidth: 8, depthHeight: 6 };
const largest: MapSize = { width: 92, height: 124 };
const smallest: MapSize = { width: 40, height: 56 };

/** The size of the small picture of a tree, in pixels: no larger than the tree needs. */
export function minimapSize({ map }: MapScene): MapSize {
  const within = (need: number, least: number, greatest: number) =>
    Math.round(Math.min(Math.max(need + 2 * margin, least), greatest));
  return {
    width: within(map.lanes * most.laneWidth, smallest.width, largest.width),
    height: within(map.depths * most.depthHeight, smallest.height, largest.height),
  };
}

/** Draws the whole map small, and a frame around what the large one shows. The picture is kept until the tree or the theme changes. */
export class MinimapPainter {
  readonly #context: CanvasRenderingContext2D;
  readonly #pixels = new MapPixels();
  #image: ImageData | null = null;
  #scene: MapScene | null = null;
  #theme: MapTheme | null = null;
  #scale = 0;
  readonly #picture = document.createElement("canvas");

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  paint(frame: MinimapFrame): void {
    const { scene, theme, size, scale } = frame;
    const context = this.#context;
    const picture = {
      width: Math.round(size.width * scale),
      height: Math.round(size.height * scale),
    };
    const small = minimapView(scene, size);
    if (this.#scene !== scene || this.#theme !== theme || this.#scale !== scale || !this.#image) {
      this.#image = this.#pixels.draw(scene, scaleView(small, scale), picture, theme, scale);
      this.#scene = scene;
      this.#theme = theme;
      this.#scale = scale;
      this.#picture.width = picture.width;
      this.#picture.height = picture.height;
      this.#picture.getContext("2d")?.putImageData(this.#image, 0, 0);
    }
    const isLying = scene.extent.orientation === "right";
    const { canvas } = context;
    canvas.width = isLying ? picture.height : picture.width;
    canvas.height = isLying ? picture.width : picture.height;
    const turn = (by: number) =>
      isLying ? context.setTransform(0, by, by, 0, 0, 0) : context.setTransform(by, 0, 0, by, 0, 0);
    turn(1);
    context.drawImage(this.#picture, 0, 0);
    turn(scale);
    this.#paintFound(frame, small);
    this.#paintFrame(frame, small);
  }

  #paintFound({ scene, found, theme }: MinimapFrame, small: MapView): void {
    if (!found) return;
    const context = this.#context;
    context.fillStyle = theme.found;
    context.beginPath();
    for (const turn of found) {
      const { lane, depth } = placeOnMap(scene, turn);
      const x = lane * small.laneWidth - small.left;
      const y = depth * small.depthHeight - small.top;
      context.rect(x - 1, y - 0.5, 2.5, 1);
    }
    context.fill();
  }

  #paintFrame({ view, mapSize, size, theme }: MinimapFrame, small: MapView): void {
    const across = small.laneWidth / view.laneWidth;
    const down = small.depthHeight / view.depthHeight;
    const left = Math.max(0.5, view.left * across - small.left);
    const top = Math.max(0.5, view.top * down - small.top);
    const right = Math.min(size.width - 0.5, (view.left + mapSize.width) * across - small.left);
    const bottom = Math.min(size.height - 0.5, (view.top + mapSize.height) * down - small.top);
    const context = this.#context;
    context.beginPath();
    // Never so small that it cannot be seen or caught.
    context.roundRect(left, top, Math.max(6, right - left), Math.max(6, bottom - top), 2);
    context.strokeStyle = theme.borderStrong;
    context.lineWidth = 1.5;
    context.stroke();
  }
}

/** The whole map in the small picture. */
export function minimapView({ map }: MapScene, size: MapSize): MapView {
  const room = (pixels: number, parts: number) => (pixels - 2 * margin) / Math.max(1, parts);
  return {
    laneWidth: Math.min(most.laneWidth, room(size.width, map.lanes)),
    depthHeight: Math.min(most.depthHeight, room(size.height, map.depths)),
    left: -margin,
    top: -margin,
  };
}
