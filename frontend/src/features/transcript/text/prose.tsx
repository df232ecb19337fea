import { memo, useLayoutEffect, useRef } from "react";
import { dressCodeBlocks } from "./code-blocks";
import { enrich } from "./enrich";

interface ProseProps {
  html: string;
  /** A piece of prose, not the whole: the caller draws what is around it. */
  piece?: boolean;
}

/** HTML that Go has rendered and made safe. */
export const Prose = memo(function Prose({ html, piece }: ProseProps) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML has undressed blocks
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    dressCodeBlocks(box.current);
    // A piece that is being written is drawn as code: its formulas and diagrams are not complete.
    return piece ? undefined : enrich(box.current);
  }, [html, piece]);
  return (
    <div
      ref={box}
      className={piece ? "live-piece" : "prose"}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: backend/render has passed it through its allow-list
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});
