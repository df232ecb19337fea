// The map from far away, when lanes or turns are no wider than a pixel or two: drawn pixel by pixel,
// since so many lines would take far longer than a frame.

import { byte, int } from "../layout/columns";
import { firstForking, firstInLane } from "../layout/map-layout";
import type { MapScene } from "./map-scene";
import type { MapTheme } from "./map-theme";
import {
  depthAt,
  depthTop,
  laneAt,
  laneLeft,
  lineInset,
  type MapSize,
  type MapView,
} from "./map-view";

/** A picture of a part of the map; one is kept and redrawn in every frame. */
export class MapPixels {
  #image: ImageData | null = null;
  #pixels = new Uint32Array();

  #inset = lineInset;

  /** Draws the part in sight, the path included; `size` and `view` are in pixels of the picture, of which `scale` make one of the page. */
  draw(scene: MapScene, view: MapView, size: MapSize, theme: MapTheme, scale: number): ImageData {
    const image = this.#picture(size);
    this.#inset = lineInset * scale;
    this.#pixels.fill(theme.bgPixel);
    this.#drawForks(scene, view, size, theme);
    this.#drawStrands(scene, view, size, theme);
    return image;
  }

  #picture({ width, height }: MapSize): ImageData {
    if (this.#image?.width !== width || this.#image.height !== height) {
      this.#image = new ImageData(width, height);
      this.#pixels = new Uint32Array(this.#image.data.buffer);
    }
    return this.#image;
  }

  #drawForks(scene: MapScene, view: MapView, size: MapSize, theme: MapTheme): void {
    const { strands, map } = scene;
    // Between lanes so close there is nothing to see of a line across.
    if (view.depthHeight < 1) return;
    const last = depthAt(view, size.height);
    for (let at = firstForking(strands, map, depthAt(view, 0)); at < map.forking.length; at++) {
      const turn = int(map.forking, at);
      const depth = int(strands.depth, turn);
      if (depth > last) break;
      const y = Math.round(depthTop(view, depth + 1));
      if (y < 0 || y >= size.height) continue;
      const from = Math.max(0, this.#middle(view, int(map.lane, int(strands.of, turn))));
      const to = Math.min(size.width - 1, this.#middle(view, int(map.reach, at)));
      if (from <= to)
        this.#pixels.fill(theme.borderPixel, y * size.width + from, y * size.width + to + 1);
    }
  }

  #drawStrands(scene: MapScene, view: MapView, size: MapSize, theme: MapTheme): void {
    const { map } = scene;
    const firstDepth = depthAt(view, 0);
    const last = Math.min(map.lanes - 1, laneAt(view, size.width));
    // The path is drawn last, so that nothing covers it.
    for (let lane = last; lane >= Math.max(0, laneAt(view, 0)); lane--) {
      const end = int(map.laneStart, lane + 1);
      for (let at = firstInLane(map, lane, firstDepth); at < end; at++)
        if (!this.#drawStrand(scene, view, size, theme, int(map.stacked, at))) break;
    }
  }

  // Draws a strand; false where it begins below the picture, as all further ones of its lane do.
  #drawStrand(
    { map, colors }: MapScene,
    view: MapView,
    { width, height }: MapSize,
    theme: MapTheme,
    strand: number,
  ): boolean {
    const top = Math.floor(depthTop(view, int(map.top, strand)));
    if (top >= height) return false;
    const bottom = Math.ceil(depthTop(view, int(map.bottom, strand) + 1));
    const x = this.#middle(view, int(map.lane, strand));
    const wide = view.laneWidth >= 4 ? 2 : 1;
    const pixel = theme.lanePixels[byte(colors, strand)] as number;
    const to = Math.min(height, Math.max(bottom, top + 1));
    for (let column = Math.max(0, x); column < Math.min(width, x + wide); column++)
      for (let y = Math.max(0, top); y < to; y++) this.#pixels[y * width + column] = pixel;
    return true;
  }

  #middle(view: MapView, lane: number): number {
    return Math.floor(laneLeft(view, lane) + Math.min(view.laneWidth / 2, this.#inset));
  }
}
