import { Check, Copy } from "lucide-react";
import { useCopied } from "@/lib/browser/use-copied";
import { t } from "@/lib/i18n/i18n";
import { Button } from "./button";

interface CopyButtonProps {
  label?: string;
  text: string;
}

/** Copies a text and confirms it for a moment. */
export function CopyButton({ label = t("Copy"), text }: CopyButtonProps) {
  const [copied, copy] = useCopied();
  return (
    <Button onClick={() => copy(text)}>
      {copied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      {copied ? t("Copied") : label}
    </Button>
  );
}
