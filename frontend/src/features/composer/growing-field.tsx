import { type ComponentProps, type Ref, useImperativeHandle, useLayoutEffect, useRef } from "react";

interface GrowingFieldProps extends ComponentProps<"textarea"> {
  value: string;
  /** Lines before it scrolls. */
  mostLines: number;
  ref: Ref<HTMLTextAreaElement>;
}

const linePixels = 24;

/** A field that is as tall as its text. */
export function GrowingField({ mostLines, ref, ...rest }: GrowingFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => field.current as HTMLTextAreaElement);
  const { value } = rest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "0";
    const height = Math.min(element.scrollHeight, mostLines * linePixels);
    element.style.height = `${Math.max(height, linePixels)}px`;
    element.style.overflowY = element.scrollHeight > height ? "auto" : "hidden";
  }, [value, mostLines]);
  return <textarea ref={field} rows={1} {...rest} />;
}
