import type { Card } from "../path/plan";
import { LongProse } from "../text/long-prose";
import { Reasoning } from "../text/reasoning";
import { UnknownPart } from "../text/unknown-part";
import { Media } from "../tools/media";
import { ToolCard } from "../tools/tool-card";

/** One block of a message, as its type is shown. */
export function BlockView({ card }: { card: Card }) {
  switch (card.block.type) {
    case "tool":
    case "result":
      return <ToolCard card={card} />;
    case "reasoning":
      return <Reasoning card={card} />;
    case "media":
      return <Media block={card.block} />;
    case "notice":
      return (
        <p className="selectable measure my-1 [overflow-wrap:anywhere]" dir="auto">
          {card.block.text}
        </p>
      );
    case "other":
      return <UnknownPart card={card} />;
    default:
      return <LongProse card={card} />;
  }
}
