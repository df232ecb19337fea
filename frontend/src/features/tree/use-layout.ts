import { useEffect, useMemo, useRef, useState } from "react";
import type { Tree } from "@/lib/skeleton";
import { keptLanes, type Layout, layOut } from "./layout";
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
  const last = useRef<TreeLayout>(null);
  const here = useMemo(
    () => (isLarge ? null : layOutAfter(last.current, tree, leaf)),
    [tree, leaf, isLarge],
  );
  const [beside, setBeside] = useState<TreeLayout | null>(null);
  const workshop = useRef<Workshop>(null);
  useEffect(() => {
    if (!isLarge) return;
    workshop.current ??= new Workshop();
    const kept = lanesAfter(last.current, tree, leaf);
    const request = { skeleton: tree.skeleton, leaf, kept };
    return workshop.current.order(request, (layout) => setBeside({ ...layout, tree }));
  }, [tree, leaf, isLarge]);
  useEffect(
    () => () => {
      workshop.current?.close();
      workshop.current = null;
    },
    [],
  );
  const layout = here ?? beside;
  useEffect(() => {
    last.current = layout;
  }, [layout]);
  return layout;
}

function lanesAfter(before: TreeLayout | null, tree: Tree, leaf: number): Int32Array | null {
  return before?.tree.reshapes === tree.reshapes ? keptLanes(before, tree.skeleton, leaf) : null;
}

function layOutAfter(before: TreeLayout | null, tree: Tree, leaf: number): TreeLayout {
  return { ...layOut(tree.skeleton, leaf, lanesAfter(before, tree, leaf)), tree };
}

type Order = Omit<LayoutRequest, "id">;

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
      const order = this.#order;
      if (order) this.#finish(layOut(order.skeleton, order.leaf, order.kept));
    };
  }

  /** Orders a layout in place of the one before; the returned function cancels it. */
  order(order: Order, done: (layout: Layout) => void): () => void {
    const request = { ...order, id: ++this.#lastID };
    this.#order = { ...request, done };
    if (this.#worker) this.#worker.postMessage(request);
    else this.#finish(layOut(order.skeleton, order.leaf, order.kept));
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
