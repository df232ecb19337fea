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

/**
 * The layout of a tree below a root (-1: all of it) along the path to a leaf (-1: none). The last one stays while a large
 * tree is laid out; null before the first.
 */
export function useLayout(tree: Tree, leaf: number, root: number): TreeLayout | null {
  const { skeleton } = tree;
  const isLarge = skeleton.count > large;
  const last = useRef<TreeLayout>(null);
  const here = useMemo(
    () => (isLarge ? null : layOutAfter(last.current, tree, leaf, root)),
    [tree, leaf, root, isLarge],
  );
  const [beside, setBeside] = useState<TreeLayout | null>(null);
  const workshop = useRef<Workshop>(null);
  useEffect(() => {
    if (!isLarge) return;
    workshop.current ??= new Workshop();
    const kept = lanesAfter(last.current, tree, leaf, root);
    const request = { skeleton: tree.skeleton, leaf, root, kept };
    return workshop.current.order(request, (layout) => setBeside({ ...layout, tree }));
  }, [tree, leaf, root, isLarge]);
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

function lanesAfter(
  before: TreeLayout | null,
  tree: Tree,
  leaf: number,
  root: number,
): Int32Array | null {
  if (before?.tree.reshapes !== tree.reshapes || !hidesAlike(before.tree, tree)) return null;
  return keptLanes(before, tree.skeleton, leaf, root);
}

/** Whether what both trees have is hidden in both or in none. */
function hidesAlike({ skeleton: before }: Tree, { skeleton: now }: Tree): boolean {
  return before.hidden.every((isHidden, turn) => isHidden === (now.hidden[turn] ?? 0));
}

function layOutAfter(
  before: TreeLayout | null,
  tree: Tree,
  leaf: number,
  root: number,
): TreeLayout {
  const kept = lanesAfter(before, tree, leaf, root);
  return { ...layOut(tree.skeleton, leaf, root, kept), tree };
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
      const { skeleton, root } = this.#order;
      this.#finish({ ...data.layout, skeleton, root });
    };
    this.#worker.onerror = () => {
      this.close();
      const order = this.#order;
      if (order) this.#finish(layOut(order.skeleton, order.leaf, order.root, order.kept));
    };
  }

  /** Orders a layout in place of the one before; the returned function cancels it. */
  order(order: Order, done: (layout: Layout) => void): () => void {
    const request = { ...order, id: ++this.#lastID };
    this.#order = { ...request, done };
    if (this.#worker) this.#worker.postMessage(request);
    else this.#finish(layOut(order.skeleton, order.leaf, order.root, order.kept));
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
