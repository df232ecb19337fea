import { type KeyboardEvent, useId, useState } from "react";
import { type Mark, namesFor, typedName } from "./names";

/** Completes a name after its mark at the beginning of a message. */
export function useCompletion(
  text: string,
  setText: (text: string) => void,
  mark: Mark,
  names: readonly string[],
) {
  const id = useId();
  const [dismissed, setDismissed] = useState("");
  const [marked, setMarked] = useState(0);
  const found = text === dismissed ? [] : namesFor(typedName(text, mark), names);
  const active = Math.min(marked, found.length - 1);
  const choose = (name: string) => {
    setMarked(0);
    setText(`${mark}${name} `);
  };
  /** Reports whether the key was for the list of names. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const name = found[active];
    if (name === undefined || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey)
      return false;
    if (event.key === "ArrowDown") setMarked((active + 1) % found.length);
    else if (event.key === "ArrowUp") setMarked((active + found.length - 1) % found.length);
    else if (event.key === "Tab" || event.key === "Enter") choose(name);
    else if (event.key === "Escape") setDismissed(text);
    else return false;
    event.preventDefault();
    return true;
  };
  const optionId = (at: number) => `${id}-${at}`;
  return { id, found, active, choose, onKeyDown, optionId };
}

export type Completion = ReturnType<typeof useCompletion>;
