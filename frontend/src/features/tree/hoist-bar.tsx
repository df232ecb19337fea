import { ChevronsUp } from "lucide-react";
import { Button } from "@/components/form/button";
import { formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { commandSpec } from "@/lib/keys/commands";
import { turnText } from "./turn/turn-name";
import type { TurnWords } from "./turn/turn-words";
import { useWords } from "./turn/use-turn-words";

interface HoistBarProps {
  root: number;
  words: TurnWords;
  /** Turns of the part that is shown. */
  count: number;
  onAll: () => void;
}

/** Says that only a part of the tree is shown, and which. */
export function HoistBar({ root, words, count, onAll }: HoistBarProps) {
  return (
    <div className="flex h-9 flex-none items-center gap-2 border-b border-border bg-sunken pe-2 ps-4 text-sm text-text-2">
      <span className="min-w-0 flex-1 truncate">
        {t("Below ")}
        <span dir="auto">{turnText(useWords(words, root))}</span>
      </span>
      <span className="flex-none text-text-3">{formatPlural(count, "turn")}</span>
      <Button variant="quiet" className="h-[26px]! flex-none px-2!" onClick={onAll}>
        <ChevronsUp size={14} aria-hidden="true" />
        {commandSpec("show-whole-tree").title}
      </Button>
    </div>
  );
}
