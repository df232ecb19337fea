// What a canvas shows, by its colors, and as it moves.

import type { Locator } from "playwright-core";

/** In pixels of the page, from the corner of the canvas; all 0 where nothing has the color. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Where a canvas has a color of the page, such as "--accent". */
export async function boxOf(canvas: Locator, color: string): Promise<Box> {
  return (await measure(canvas, color)).box;
}

/** How many pixels of a canvas have a color of the page. */
export async function pointsOf(canvas: Locator, color: string): Promise<number> {
  return (await measure(canvas, color)).count;
}

function measure(canvas: Locator, color: string): Promise<{ box: Box; count: number }> {
  return canvas.evaluate((element: HTMLCanvasElement, name) => {
    const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const wanted = [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16));
    const { width, height } = element;
    const { data } = element.getContext("2d")?.getImageData(0, 0, width, height) ?? { data: [] };
    const box = { left: width, top: height, right: 0, bottom: 0 };
    let count = 0;
    for (let at = 0; at < width * height; at++) {
      // The edges of lines are mixed with what is behind them.
      if (wanted.some((one, band) => Math.abs(one - (data[at * 4 + band] ?? 0)) > 6)) continue;
      count++;
      const x = at % width;
      const y = Math.floor(at / width);
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
    const scale = element.clientWidth / width;
    const on = (at: number) => (count === 0 ? 0 : at * scale);
    return {
      count,
      box: { left: on(box.left), top: on(box.top), right: on(box.right), bottom: on(box.bottom) },
    };
  }, color);
}

/** The pictures of a canvas before a key is pressed on an element and at 60, 120, 180 and 240 ms after it, on a clock that stops between them. */
export async function frames(target: Locator, canvas: Locator, key: string): Promise<string[]> {
  const element = await canvas.elementHandle();
  if (!element) throw new Error("there is no canvas");
  return target.evaluate(
    async (target, { canvas, key }) => {
      // What is about to be drawn is drawn by the page's own clock.
      for (let frame = 0; frame < 3; frame++) await new Promise(window.requestAnimationFrame);
      const picture = () => (canvas as HTMLCanvasElement).toDataURL();
      const { requestAnimationFrame } = window;
      const { now } = performance;
      let time = performance.now();
      let queue: FrameRequestCallback[] = [];
      window.requestAnimationFrame = (callback) => queue.push(callback);
      performance.now = () => time;
      const draw = () => {
        const due = queue;
        queue = [];
        for (const callback of due) callback(time);
      };
      const pictures = [picture()];
      target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      for (let frame = 0; frame < 4; frame++) {
        time += 60;
        // What is moved in one frame is drawn in the next.
        draw();
        draw();
        pictures.push(picture());
      }
      window.requestAnimationFrame = requestAnimationFrame;
      performance.now = now;
      for (const callback of queue) requestAnimationFrame(callback);
      return pictures;
    },
    { canvas: element, key },
  );
}
