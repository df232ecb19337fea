// Measures the tree in the page of the real program. The functions here run inside of the page, of chromium or of the
// real window, and so must not use anything from outside of themselves.

/** What was measured of one session's tree; the times are medians. */
export interface TreeTimes {
  title: string;
  /** From the arrival of the skeleton to the first frame with rows. */
  firstViewMs: number;
  layoutMs: number;
  /** Frames while the outline scrolls, all unfolded. */
  outlineMs: number;
  /** Frames while the map moves: as it opens, all in sight, and close up. */
  mapMs: number;
  mapFarMs: number;
  mapNearMs: number;
}

/** Opens a session by its title, and moves about in its outline and its map. */
export async function measureTree(title: string): Promise<TreeTimes> {
  const frames = 90;
  const patienceMs = 60_000;
  const go = (window as unknown as { runtime: { EventsEmit: (...event: string[]) => void } })
    .runtime;
  const nextFrame = () =>
    new Promise<number>((wake) => requestAnimationFrame(() => wake(performance.now())));
  const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms));
  async function until<T>(what: string, find: () => T | null | undefined | false): Promise<T> {
    for (const began = performance.now(); performance.now() - began < patienceMs; ) {
      const found = find();
      if (found) return found;
      await nextFrame();
    }
    throw new Error(`${title}: ${what} did not come`);
  }
  // The median of the times between frames in each of which something moves.
  async function median(move: (frame: number) => void): Promise<number> {
    const times: number[] = [];
    let last = await nextFrame();
    for (let frame = 0; frame < frames; frame++) {
      move(frame);
      const now = await nextFrame();
      times.push(now - last);
      last = now;
    }
    return times.sort((a, b) => a - b)[frames >> 1] ?? 0;
  }
  const command = (name: string) => go.EventsEmit("command", name);

  await pause(1000);
  const option = await until("the session", () =>
    document
      .querySelector(`[role=option] [title="${title}"]`)
      ?.closest<HTMLElement>("[role=option]"),
  );
  performance.clearMarks();
  performance.clearMeasures();
  option.click();
  const grid = await until("the outline", () =>
    performance.getEntriesByName("tree arrived").length > 0
      ? document.querySelector<HTMLElement>("[role=treegrid]:has([role=row])")
      : null,
  );
  // Painted: the task after the frame.
  await new Promise<void>((wake) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => wake();
    requestAnimationFrame(() => port2.postMessage(0));
  });
  const arrived = performance.getEntriesByName("tree arrived")[0]?.startTime ?? 0;
  const firstViewMs = performance.now() - arrived;
  const layout = performance.getEntriesByName("tree layout").at(-1)?.duration ?? 0;
  await pause(1500);

  command("expand-all");
  await pause(1000);
  const room = grid.scrollHeight - grid.clientHeight;
  const outlineMs = await median((frame) => {
    grid.scrollTop = room <= 0 ? 0 : (frame * 84) % room;
  });
  command("collapse-all");
  command("show-map");
  const canvas = await until("the map", () =>
    document.querySelector<HTMLCanvasElement>("canvas[data-drawn]"),
  );
  await pause(500);
  const wheel = (options: WheelEventInit) =>
    canvas.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, ...options }));
  const pan = (frame: number) =>
    wheel({ deltaX: frame % 30 < 15 ? 24 : -24, deltaY: frame < 45 ? -40 : 40 });
  const mapMs = await median(pan);
  command("zoom-to-fit");
  await pause(600);
  const mapFarMs = await median(pan);
  const at = canvas.getBoundingClientRect();
  for (let step = 0; step < 60; step++)
    wheel({ deltaY: -120, ctrlKey: true, clientX: at.left + 40, clientY: at.top + 200 });
  await pause(800);
  const mapNearMs = await median(pan);
  // The window remembers it, so that the next session opens with its outline.
  command("show-outline");
  await pause(1000);
  return { title, firstViewMs, layoutMs: layout, outlineMs, mapMs, mapFarMs, mapNearMs };
}

/** What a frame takes while nothing happens. */
export async function measureFloor(): Promise<number> {
  const times: number[] = [];
  let last = performance.now();
  for (let frame = 0; frame < 60; frame++) {
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - last);
    last = performance.now();
  }
  return times.sort((a, b) => a - b)[30] ?? 0;
}
