import { type RefObject, useEffect, useState } from "react";

/** The chosen line of the panel: the first one, whenever the one before has gone, so that Enter always means something. */
export function useFirstChosen(list: RefObject<HTMLElement | null>) {
  const [chosen, setChosen] = useState("");
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const check = () => {
      const lines = [...element.querySelectorAll("[cmdk-item]")];
      const values = lines.map((line) => line.getAttribute("data-value") ?? "");
      setChosen((now) => (values.includes(now) ? now : (values[0] ?? "")));
    };
    check();
    // Lines come when answers come, not when something is typed.
    const observer = new MutationObserver(check);
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [list]);
  return [chosen, setChosen] as const;
}
