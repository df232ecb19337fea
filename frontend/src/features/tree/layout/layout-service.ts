import { useEffect, useState } from "react";
import type { Skeleton } from "@/lib/tree/skeleton";
import type { FreshOutline, OutlineChoice } from "./fresh-outline";
import { layOut } from "./layout";
import type { LayoutAnswer, LayoutRequest } from "./layout-worker";
import type { MapLayout } from "./map-layout";
import type { Shape, Strands } from "./strands";

/** What is to be laid out, see layOut. */
interface Order {
  skeleton: Skeleton;
  root: number;
  kept: Int32Array | null;
  /** Its outline. */
  choice: OutlineChoice;
}

/** What is delivered: as a Layout, first without its map, which is seen later. */
export interface Delivery {
  skeleton: Skeleton;
  root: number;
  strands: Strands;
  outline?: FreshOutline;
  map: MapLayout | null;
}

interface Commission extends Order {
  id: number;
  deliver: (delivery: Delivery) => void;
  /** What was delivered without the map. */
  first?: Delivery;
}

/** Where large trees are laid out: in a worker; where the web view does not allow one, here. It has one order at a time. */
export class LayoutService {
  /** Undefined until it is open, null where there can be none. */
  #worker: Worker | null | undefined;
  #current: Commission | null = null;
  #lastID = 0;

  /** Starts the worker, which takes a moment, unless it has been. */
  open(): void {
    if (this.#worker !== undefined) return;
    this.#worker = startWorker();
    if (!this.#worker) return;
    this.#worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => this.#take(data);
    this.#worker.onerror = () => {
      this.close();
      this.#worker = null;
      this.#make();
    };
  }

  /** Orders a layout in place of the one before, to be delivered in one or two steps; the returned function cancels it. */
  order(order: Order, deliver: (delivery: Delivery) => void): () => void {
    this.open();
    const id = ++this.#lastID;
    this.#current = { ...order, id, deliver };
    if (this.#worker) send(this.#worker, id, order);
    else this.#make();
    return () => {
      if (this.#current?.id === id) this.#current = null;
    };
  }

  /** Ends the worker; another order starts it again. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #take(answer: LayoutAnswer): void {
    const current = this.#current;
    if (answer.id !== current?.id) return;
    if ("strands" in answer) {
      const { skeleton, root, deliver } = current;
      const { strands, outline } = answer;
      current.first = { skeleton, root, strands, outline, map: null };
      deliver(current.first);
    } else if (current.first) {
      performance.measure("tree layout", { start: 0, duration: answer.tookMs });
      this.#current = null;
      current.deliver({ ...current.first, map: answer.map });
    }
  }

  #make(): void {
    const current = this.#current;
    this.#current = null;
    current?.deliver(layOut(current.skeleton, current.root, current.kept));
  }
}

// Copies of the columns that matter move over. To send the skeleton would copy all that came from Go, columns of one buffer,
// while the window waits.
function send(worker: Worker, id: number, { skeleton, ...order }: Order): void {
  const { count, parent, branch, hidden, flags, createdAtMs } = skeleton;
  const shape: Shape = {
    count,
    parent: parent.slice(),
    branch: branch.slice(),
    hidden: hidden.slice(),
    flags: flags.slice(),
    createdAtMs: createdAtMs.slice(),
  };
  const request: LayoutRequest = { id, shape, ...order };
  const columns = [shape.parent, shape.branch, shape.hidden, shape.flags, shape.createdAtMs];
  worker.postMessage(request, { transfer: columns.map(({ buffer }) => buffer) });
}

function startWorker(): Worker | null {
  try {
    return new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
  } catch {
    return null;
  }
}

/**
 * A layoutService for as long as the component is there, which should be as long as the window is: it is open before the first
 * order and is warmed up, so that a tree need not wait for it.
 */
export function useLayoutService(): LayoutService {
  const [layoutService] = useState(() => new LayoutService());
  useEffect(() => {
    layoutService.open();
    return () => layoutService.close();
  }, [layoutService]);
  return layoutService;
}
