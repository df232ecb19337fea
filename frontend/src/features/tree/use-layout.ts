import { useEffect, useMemo, useRef, useState } from "react";
import type { Skeleton, Tree } from "@/lib/skeleton";
import { type Layout, layOut } from "./layout";
import type { LayoutAnswer, LayoutRequest } from "./layout-worker";

/** From so many turns on a layout takes longer than a part of a frame and is made beside the window. */
const large = 5000;

/** A layout and what it was made of. */
export interface TreeLayout extends Layout {
  tree: Tree;
}

/** The layout of a tree along the path to a leaf (-1: none). The last one stays while a large tree is laid out; null before the first. */
export function useLayout(tree: Tree, leaf: number): TreeLayout | null {
  const { skeleton } = tree;
  const isLarge = skeleton.count > large;
  const here = useMemo(
    () => (isLarge ? null : { ...layOut(skeleton, leaf), tree }),
    [tree, skeleton, leaf, isLarge],
  );
  const [beside, setBeside] = useState<TreeLayout | null>(null);
  const workshop = useRef<Workshop>(null);
  useEffect(() => {
    if (!isLarge) return;
    workshop.current ??= new Workshop();
    return workshop.current.order(skeleton, leaf, (layout) => setBeside({ ...layout, tree }));
  }, [tree, skeleton, leaf, isLarge]);
  useEffect(
    () => () => {
      workshop.current?.close();
      workshop.current = null;
    },
    [],
  );
  return here ?? beside;
}

/** The worker; where the web view does not allow one, the work is done here. */
class Workshop {
  #worker: Worker | null;
  #order: (LayoutRequest & { done: (layout: Layout) => void }) | null = null;
  #lastID = 0;

  constructor() {
    this.#worker = startWorker();
    if (!this.#worker) return;
    this.#worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => {
      if (data.id !== this.#order?.id) return;
      performance.measure("tree layout", { start: 0, duration: data.tookMs });
      this.#finish({ ...data.layout, skeleton: this.#order.skeleton });
    };
    this.#worker.onerror = () => {
      this.close();
      if (this.#order) this.#finish(layOut(this.#order.skeleton, this.#order.leaf));
    };
  }

  /** Orders a layout in place of the one before; the returned function cancels it. */
  order(skeleton: Skeleton, leaf: number, done: (layout: Layout) => void): () => void {
    const request = { id: ++this.#lastID, skeleton, leaf };
    this.#order = { ...request, done };
    if (this.#worker) this.#worker.postMessage(request);
    else this.#finish(layOut(skeleton, leaf));
    return () => {
      if (this.#order?.id === request.id) this.#order = null;
    };
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }

  #finish(layout: Layout) {
    const order = this.#order;
    this.#order = null;
    order?.done(layout);
  }
}

function startWorker(): Worker | null {
  try {
    return new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
  } catch {
    return null;
  }
}
