import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";

const moves = new Set(["ArrowDown", "ArrowUp", "Home", "End"]);

/**
 * The selected entry of the panel, so that Enter always has a target: the first one, however late
 * it arrives, or the one that the user has moved to since `text` was typed. While `late`, the first entry
 * still belongs to an earlier text: Enter then waits for the right one.
 */
export function useFirstChosen(
  list: RefObject<HTMLElement | null>,
  { text, late }: { text: string; late: boolean },
) {
  const [chosen, setChosen] = useState("");
  const moved = useRef(false);
  const entered = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words, another list
  useEffect(() => {
    moved.current = false;
    entered.current = false;
  }, [text]);
  useEffect(() => {
    if (late || !entered.current) return;
    entered.current = false;
    if (!moved.current) list.current?.querySelector<HTMLElement>("[cmdk-item]")?.click();
  }, [late, list]);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const check = () => {
      const lines = [...element.querySelectorAll("[cmdk-item]")];
      const values = lines.map((line) => line.getAttribute("data-value") ?? "");
      const keeps = (now: string) => moved.current && values.includes(now);
      setChosen((now) => (keeps(now) ? now : (values[0] ?? "")));
    };
    let before: { x: number; y: number } | undefined;
    const onPointer = (event: PointerEvent) => {
      const { clientX: x, clientY: y } = event;
      const isResting = before === undefined || (before.x === x && before.y === y);
      before = { x, y };
      // An entry that arrives under a resting pointer must not be chosen: Enter would run it.
      if (isResting) event.stopPropagation();
      else moved.current = true;
    };
    check();
    // Entries arrive with answers, not with typed text.
    const observer = new MutationObserver(check);
    observer.observe(element, { childList: true, subtree: true });
    element.addEventListener("pointermove", onPointer, { capture: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("pointermove", onPointer, { capture: true });
    };
  }, [list]);
  return {
    chosen,
    setChosen,
    onKeyDown: (event: KeyboardEvent) => {
      if (moves.has(event.key)) moved.current = true;
      if (event.key !== "Enter" || moved.current) return;
      if (late) {
        event.preventDefault();
        entered.current = true;
        return;
      }
      // The list may have changed without the choice having followed yet.
      const lines = [...(list.current?.querySelectorAll<HTMLElement>("[cmdk-item]") ?? [])];
      if (lines.some((line) => line.getAttribute("data-value") === chosen)) return;
      event.preventDefault();
      lines[0]?.click();
    },
  };
}
