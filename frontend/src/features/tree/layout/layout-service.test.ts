import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents } from "@/testing/fake-tree";
import { freshOutline } from "./fresh-outline";
import { layOut } from "./layout";
import { type Delivery, LayoutService } from "./layout-service";
import type { LayoutRequest } from "./layout-worker";

const skeleton = sketch(fakeParents("bushy", 300));
const choice = { filter: "all", order: "oldest", pinned: [] } as const;
const order = { skeleton, root: -1, kept: null, choice };

/** A worker that does nothing of itself. */
class IdleWorker {
  static latest: IdleWorker;
  readonly requests: LayoutRequest[] = [];
  onmessage?: (event: { data: unknown }) => void;
  onerror?: () => void;
  constructor() {
    IdleWorker.latest = this;
  }
  postMessage(request: LayoutRequest) {
    this.requests.push(request);
  }
  terminate() {}

  answerFirst(at: number) {
    const { id, shape } = this.requests[at] as LayoutRequest;
    const { strands } = layOut(skeleton);
    this.onmessage?.({ data: { id, strands, outline: freshOutline(shape, strands, choice) } });
  }

  answerMap(at: number) {
    const { id } = this.requests[at] as LayoutRequest;
    this.onmessage?.({ data: { id, map: layOut(skeleton).map, tookMs: 1 } });
  }
}

beforeEach(() => void vi.stubGlobal("Worker", IdleWorker));
afterEach(() => void vi.unstubAllGlobals());

function takeOrder() {
  const layoutService = new LayoutService();
  const deliveries: Delivery[] = [];
  const cancel = layoutService.order(order, (delivery) => deliveries.push(delivery));
  return { layoutService, deliveries, cancel, worker: IdleWorker.latest };
}

test("an outline is delivered before its map, and stays the same with it", () => {
  const { deliveries, worker } = takeOrder();
  worker.answerFirst(0);
  expect(deliveries.map(({ map }) => map)).toEqual([null]);
  worker.answerMap(0);
  const [first, whole] = deliveries;
  expect(whole?.map?.lane).toEqual(layOut(skeleton).map.lane);
  expect(whole?.strands).toBe(first?.strands);
  expect(whole?.outline).toBe(first?.outline);
});

test("what another order came in place of is not delivered", () => {
  const { layoutService, deliveries, worker } = takeOrder();
  worker.answerFirst(0);
  const later: Delivery[] = [];
  layoutService.order(order, (delivery) => later.push(delivery));
  worker.answerMap(0);
  worker.answerFirst(1);
  worker.answerMap(1);
  expect(deliveries.map(({ map }) => map)).toEqual([null]);
  expect(later.map(({ map }) => map !== null)).toEqual([false, true]);
});

test("nothing comes of an order that was cancelled", () => {
  const { deliveries, cancel, worker } = takeOrder();
  cancel();
  worker.answerFirst(0);
  worker.answerMap(0);
  expect(deliveries).toEqual([]);
});

test("a worker that fails leaves the work to the window", () => {
  const { deliveries, worker } = takeOrder();
  worker.answerFirst(0);
  worker.onerror?.();
  expect(deliveries.map(({ map }) => map !== null)).toEqual([false, true]);
});
