import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { writeClipboard } from "@/lib/clipboard";
import { Button } from "./button";

interface CopyButtonProps {
  label?: string;
  text: string;
}

/** Copies a text and says so for a moment. */
export function CopyButton({ label = "Copy", text }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      onClick={async () => {
        setCopied(await writeClipboard(text));
      }}
    >
      {copied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      {copied ? "Copied" : label}
    </Button>
  );
}
