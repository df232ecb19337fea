// Measures a session in the page of the real program. The functions here run inside of the page, of chromium or of the
// real window, and so must not use anything from outside of themselves.

/** What a page measures. */
export interface Task {
  /** The title of the session to open. */
  title: string;
  /** Its outline and its map are moved about too. */
  moves: boolean;
  /** The title of a small session that is open before. */
  small: string;
}

/** How long a session took to open. */
export interface OpenTimes {
  /** From the click to the first frame with a message. */
  firstMessageMs: number;
  /** From the arrival of the skeleton to the first frame with rows of the outline. */
  firstViewMs: number;
  /** 0 where a tree is so small that it is laid out at once. */
  layoutMs: number;
}

/** The median frames of what moves. */
export interface MoveTimes {
  /** The outline scrolls, all unfolded. */
  outlineMs: number;
  /** The map pans: as it opens, all in sight, and close up. */
  mapMs: number;
  mapFarMs: number;
  mapNearMs: number;
  /** The map zooms in and out. */
  mapZoomMs: number;
}

/** What was measured of one session. */
export interface Measured extends OpenTimes {
  title: string;
  moves?: MoveTimes;
}

/** Opens a session, and may move about in its outline and its map. A step that does not come to its end is named in the error. */
export async function measureSession({ title, moves, small }: Task): Promise<Measured> {
  const frames = 90;
  const patienceMs = 40_000;
  const { runtime: go } = window as unknown as {
    runtime: { EventsEmit: (...event: string[]) => void };
  };
  const nextFrame = () =>
    new Promise<number>((wake) => requestAnimationFrame(() => wake(performance.now())));
  const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms));
  // Looks in each frame, before it is painted.
  async function until<T>(what: string, find: () => T | null | undefined | false): Promise<T> {
    for (const began = performance.now(); performance.now() - began < patienceMs; ) {
      const found = find();
      if (found) return found;
      await nextFrame();
    }
    throw new Error(`${what} did not come in ${patienceMs / 1000} s`);
  }
  // When the frame that is being made is painted: the task after it.
  const painted = () =>
    new Promise<number>((wake) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => wake(performance.now());
      port2.postMessage(0);
    });
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
  const optionOf = (wanted: string) =>
    document
      .querySelector(`[role=option] [title="${wanted}"]`)
      ?.closest<HTMLElement>("[role=option]");
  const arrivals = () => performance.getEntriesByName("tree arrived");
  const sessionOf = (mark: PerformanceEntry) => (mark as PerformanceMark).detail;
  const feed = () => document.querySelector("[role=feed]:has([data-known])");
  const grid = () => document.querySelector<HTMLElement>("[role=treegrid]:has([role=row])");

  async function open(wanted: string): Promise<OpenTimes> {
    const option = await until(`${wanted} in the library`, () => optionOf(wanted));
    // What is open has come to rest, so that nothing that appears is of it.
    (await until(`${small} in the library`, () => optionOf(small))).click();
    await until(small, () => {
      // A tree that is still on its way hears nothing.
      if (!grid()) command("show-outline");
      return feed() && grid();
    });
    await pause(700);
    const before = { feed: feed(), grid: grid(), trees: new Set(arrivals().map(sessionOf)) };
    performance.clearMeasures();
    await nextFrame();
    const clickedMs = performance.now();
    option.click();
    const [readMs, seenMs] = await Promise.all([
      until("the first message", () => feed() && feed() !== before.feed).then(painted),
      until("the outline", () => grid() && grid() !== before.grid).then(painted),
    ]);
    const arrived = arrivals().find((mark) => !before.trees.has(sessionOf(mark)));
    if (!arrived) throw new Error("the tree was there before");
    // The map of a large tree comes after its outline.
    await pause(500);
    return {
      firstMessageMs: readMs - clickedMs,
      firstViewMs: seenMs - arrived.startTime,
      layoutMs: performance.getEntriesByName("tree layout").at(-1)?.duration ?? 0,
    };
  }

  async function move(): Promise<MoveTimes> {
    command("expand-all");
    await pause(700);
    const outline = await until("the outline", grid);
    const room = outline.scrollHeight - outline.clientHeight;
    const outlineMs = await median((frame) => {
      outline.scrollTop = room <= 0 ? 0 : (frame * 84) % room;
    });
    command("collapse-all");
    command("show-map");
    const canvas = await until("the map", () =>
      document.querySelector<HTMLCanvasElement>("canvas[data-drawn]"),
    );
    await pause(400);
    const wheel = (options: WheelEventInit) =>
      canvas.dispatchEvent(
        new WheelEvent("wheel", { bubbles: true, cancelable: true, ...options }),
      );
    const pan = (frame: number) =>
      wheel({ deltaX: frame % 30 < 15 ? 24 : -24, deltaY: frame < 45 ? -40 : 40 });
    const at = canvas.getBoundingClientRect();
    const zoom = (deltaY: number) =>
      wheel({ deltaY, ctrlKey: true, clientX: at.left + 40, clientY: at.top + 200 });
    const mapMs = await median(pan);
    command("zoom-to-fit");
    await pause(500);
    const mapFarMs = await median(pan);
    const mapZoomMs = await median((frame) => zoom(frame % 30 < 20 ? -60 : 60));
    for (let step = 0; step < 60; step++) zoom(-120);
    await pause(500);
    const mapNearMs = await median(pan);
    // The window remembers it, so that the next session opens with its outline.
    command("show-outline");
    await until("the outline", grid);
    return { outlineMs, mapMs, mapFarMs, mapNearMs, mapZoomMs };
  }

  const times = await open(title);
  return { title, ...times, ...(moves && { moves: await move() }) };
}

/** Leaves a small session open, which the next page then opens with. */
export async function leaveFor(title: string): Promise<void> {
  document
    .querySelector(`[role=option] [title="${title}"]`)
    ?.closest<HTMLElement>("[role=option]")
    ?.click();
  await new Promise((wake) => setTimeout(wake, 700));
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
