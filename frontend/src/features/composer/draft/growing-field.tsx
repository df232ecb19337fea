import { type ComponentProps, type Ref, useImperativeHandle, useLayoutEffect, useRef } from "react";

interface GrowingFieldProps extends ComponentProps<"textarea"> {
  value: string;
  /** Lines before it scrolls. */
  mostLines: number;
  ref: Ref<HTMLTextAreaElement>;
}

const linePixels = 24;

/** A field that is as tall as its text. The field controls its parent's height, and nothing else may. */
export function GrowingField({ mostLines, ref, ...rest }: GrowingFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => field.current as HTMLTextAreaElement);
  const { value } = rest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const box = field.current?.parentElement;
    if (!field.current || !box) return;
    const { style } = field.current;
    // While the text is measured nothing around it may move: otherwise the scroll position above is lost.
    box.style.height = `${box.offsetHeight}px`;
    style.height = "0";
    const { scrollHeight } = field.current;
    const height = Math.max(linePixels, Math.min(scrollHeight, mostLines * linePixels));
    style.height = `${height}px`;
    style.overflowY = scrollHeight > height ? "auto" : "hidden";
    box.style.height = "";
  }, [value, mostLines]);
  return <textarea ref={field} rows={1} {...rest} />;
}
