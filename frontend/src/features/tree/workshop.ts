import { useEffect, useState } from "react";
import type { Skeleton } from "@/lib/skeleton";
import { type Layout, layOut } from "./layout";
import type { LayoutAnswer, LayoutRequest } from "./layout-worker";
import { useRehearsal } from "./rehearsal";
import type { Shape } from "./strands";

/** What is to be laid out, see layOut. */
interface Order {
  skeleton: Skeleton;
  leaf: number;
  root: number;
  kept: Int32Array | null;
}

/** Where large trees are laid out: in a worker; where the web view does not allow one, here. It has one order at a time. */
export class Workshop {
  /** Undefined until it is open, null where there can be none. */
  #worker: Worker | null | undefined;
  #order: (Order & { id: number; done: (layout: Layout) => void }) | null = null;
  #lastID = 0;

  /** Starts the worker, which takes a moment, unless it has been. */
  open(): void {
    if (this.#worker !== undefined) return;
    this.#worker = startWorker();
    if (!this.#worker) return;
    this.#worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => {
      if (data.id !== this.#order?.id) return;
      performance.measure("tree layout", { start: 0, duration: data.tookMs });
      const { skeleton, root } = this.#order;
      this.#finish({ ...data.places, skeleton, root });
    };
    this.#worker.onerror = () => {
      this.close();
      this.#worker = null;
      const order = this.#order;
      if (order) this.#finish(layOut(order.skeleton, order.leaf, order.root, order.kept));
    };
  }

  /** Orders a layout in place of the one before; the returned function cancels it. */
  order(order: Order, done: (layout: Layout) => void): () => void {
    this.open();
    const id = ++this.#lastID;
    this.#order = { ...order, id, done };
    if (this.#worker) send(this.#worker, id, order);
    else this.#finish(layOut(order.skeleton, order.leaf, order.root, order.kept));
    return () => {
      if (this.#order?.id === id) this.#order = null;
    };
  }

  /** Ends the worker; another order starts it again. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #finish(layout: Layout) {
    const order = this.#order;
    this.#order = null;
    order?.done(layout);
  }
}

// Copies of the columns that matter move over. To send the skeleton would copy all that came from Go, columns of one buffer,
// while the window waits.
function send(worker: Worker, id: number, { skeleton, leaf, root, kept }: Order): void {
  const { count, parent, branch, hidden } = skeleton;
  const shape: Shape = {
    count,
    parent: parent.slice(),
    branch: branch.slice(),
    hidden: hidden.slice(),
  };
  const request: LayoutRequest = { id, shape, leaf, root, kept };
  worker.postMessage(request, [shape.parent.buffer, shape.branch.buffer, shape.hidden.buffer]);
}

function startWorker(): Worker | null {
  try {
    return new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
  } catch {
    return null;
  }
}

/**
 * A workshop for as long as the component is there, which should be as long as the window is: it is open before the first
 * order and has rehearsed, so that a tree need not wait for it.
 */
export function useWorkshop(): Workshop {
  const [workshop] = useState(() => new Workshop());
  useRehearsal();
  useEffect(() => {
    workshop.open();
    return () => workshop.close();
  }, [workshop]);
  return workshop;
}
