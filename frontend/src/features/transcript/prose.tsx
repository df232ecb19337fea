import { memo, useLayoutEffect, useRef } from "react";
import { dressCodeBlocks } from "./code-blocks";

/** HTML that Go has rendered and made safe. */
export const Prose = memo(function Prose({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML has undressed blocks
  useLayoutEffect(() => {
    if (box.current) dressCodeBlocks(box.current);
  }, [html]);
  return (
    <div
      ref={box}
      className="prose"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: backend/render has passed it through its allow-list
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});
