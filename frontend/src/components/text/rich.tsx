import { Fragment, type ReactNode } from "react";

interface RichProps {
  /** A translated text with marks: "Press <key>Esc</key> in <folder/>". Text of sessions and names come from the parts, not from here. */
  text: string;
  /** What draws the marked parts, by the name of the mark. */
  parts: Record<string, (text: string) => ReactNode>;
}

/** A sentence with elements in it, whose order is that of the user's language. */
export function Rich({ text, parts }: RichProps) {
  const pieces = [...text.matchAll(/<(\w+)(?:\/>|>(.*?)<\/\1>)|[^<]+|</gs)];
  return pieces.map((piece) => {
    const [whole, name, inner = ""] = piece;
    const part = name === undefined ? undefined : parts[name];
    return <Fragment key={piece.index}>{part ? part(inner) : whole}</Fragment>;
  });
}
