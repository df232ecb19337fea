// Measures how an exported page opens and scrolls. The function runs inside of the page, of chromium or of WebKitGTK, and so must not use
// anything from outside of itself.

/** What was measured of a page. */
export interface Measured {
  /** From the navigation to the second frame after everything has arrived. */
  openMs: number;
  heightPx: number;
  /** Times between frames that each scroll by 100 pixels: the median, the 95th percentile and the most. */
  wheelMs: number;
  wheelSlowMs: number;
  wheelWorstMs: number;
  /** The median time between frames that each scroll by three screens. */
  dragMs: number;
  /** The median time from a link to a distant turn to the second frame after it. */
  jumpMs: number;
}

export async function measurePage(): Promise<Measured> {
  const frame = () =>
    new Promise<number>((wake) => requestAnimationFrame(() => wake(performance.now())));
  const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms));
  const sorted = (times: number[]) => times.sort((a, b) => a - b);
  const at = (times: number[], share: number) =>
    sorted(times)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  await frame();
  const openMs = await frame();
  const room = () => document.documentElement.scrollHeight - innerHeight;
  // The page scrolls smoothly of itself; each frame here moves at once.
  const scrollTo = (top: number) => window.scrollTo({ top, behavior: "instant" });

  // Frames that scroll by so much, down from several places.
  async function scroll(frames: number, byPx: number): Promise<number[]> {
    const times: number[] = [];
    for (const share of [0.1, 0.4, 0.7]) {
      scrollTo(room() * share);
      await pause(500);
      let last = await frame();
      for (let count = 0; count < frames; count++) {
        window.scrollBy({ top: byPx, behavior: "instant" });
        const now = await frame();
        times.push(now - last);
        last = now;
      }
    }
    return times;
  }

  async function jump(): Promise<number> {
    const turns = document.querySelectorAll("main .who[id]");
    const times: number[] = [];
    for (let count = 1; count < 12 && turns.length > 0; count++) {
      const turn = turns[Math.floor((turns.length * ((count * 5) % 12)) / 12)];
      await pause(100);
      const began = performance.now();
      turn?.scrollIntoView({ block: "start", behavior: "instant" });
      await frame();
      times.push((await frame()) - began);
    }
    return at(times, 0.5);
  }

  await pause(1000);
  const wheel = await scroll(120, 100);
  const drag = await scroll(40, 3 * innerHeight);
  return {
    openMs,
    heightPx: document.documentElement.scrollHeight,
    wheelMs: at(wheel, 0.5),
    wheelSlowMs: at(wheel, 0.95),
    wheelWorstMs: at(wheel, 1),
    dragMs: at(drag, 0.5),
    jumpMs: await jump(),
  };
}
