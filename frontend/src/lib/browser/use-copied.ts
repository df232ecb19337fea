import { useEffect, useState } from "react";
import { writeClipboard } from "./clipboard";

/** A function that copies a text and returns false if the window does not allow it; and whether it was called a moment ago. */
export function useCopied(): [boolean, (text: string) => Promise<boolean>] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  async function copy(text: string) {
    const done = await writeClipboard(text);
    setCopied(done);
    return done;
  }
  return [copied, copy];
}
