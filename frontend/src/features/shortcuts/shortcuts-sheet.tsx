import { useState } from "react";
import { Dialog } from "@/components/overlay/dialog";
import { Kbd } from "@/components/text/kbd";
import { formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { allCommands, type CommandGroup, commandSpec, groupTitle } from "@/lib/keys/commands";
import { chordLabels } from "@/lib/keys/keys";

interface ShortcutsSheetProps {
  open: boolean;
  onClose: () => void;
}

interface Line {
  title: string;
  keys: readonly string[];
}

const groups: CommandGroup[] = ["Find", "Library", "Session", "Tree", "View", "Help"];

/** Keys that only move; they have no command. */
const movingKeys = (): { title: string; lines: Line[] }[] => [
  {
    title: t("In lists"),
    lines: [
      { title: t("Move"), keys: ["ArrowUp", "ArrowDown"] },
      { title: t("Extend the selection"), keys: ["Shift+ArrowUp", "Shift+ArrowDown"] },
      { title: t("Add or remove"), keys: ["Mod+Space"] },
      { title: t("First and last"), keys: ["Home", "End"] },
      { title: t("Jump to a title"), keys: ["A … Z"] },
      { title: t("Open"), keys: ["Enter"] },
      { title: t("Menu"), keys: ["Shift+F10"] },
    ],
  },
  {
    title: t("In the outline"),
    lines: [
      { title: t("Fold and unfold, or step out and in"), keys: ["ArrowLeft", "ArrowRight"] },
      { title: t("Alternatives"), keys: ["Alt+ArrowUp", "Alt+ArrowDown"] },
      { title: t("Parent, and the child last viewed"), keys: ["Alt+ArrowLeft", "Alt+ArrowRight"] },
      { title: t("Forks"), keys: ["Mod+ArrowLeft", "Mod+ArrowRight"] },
      { title: t("Mark several"), keys: ["Shift+ArrowUp", "Shift+ArrowDown"] },
    ],
  },
  {
    title: t("On the map"),
    lines: [
      { title: t("From turn to turn"), keys: ["ArrowUp", "ArrowDown"] },
      { title: t("Into a branch, and out of it"), keys: ["ArrowRight", "ArrowLeft"] },
      { title: t("Move the map"), keys: ["Shift+ArrowUp", "Shift+ArrowDown"] },
      { title: t("Zoom"), keys: ["Plus", "Minus"] },
      { title: t("Go to the current turn"), keys: ["Home"] },
    ],
  },
];

/** Every key there is, whether it does something now or not. */
export function ShortcutsSheet({ open, onClose }: ShortcutsSheetProps) {
  return (
    <Dialog open={open} onClose={onClose} title={t("Keyboard shortcuts")} wide>
      <Searchable />
    </Dialog>
  );
}

/** The keys that fit what is typed, by their action or by the key itself. */
function Searchable() {
  const [text, setText] = useState("");
  const all = [
    ...groups.map((group) => ({ title: groupTitle(group), lines: keysOf(group) })),
    ...movingKeys(),
  ];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (group: string, { title, keys }: Line) => {
    const line = `${group} ${title} ${keys.join(" ").replaceAll("Arrow", "")} ${keys.map(chordWords).join(" ")}`;
    return words.every((word) => line.toLowerCase().includes(word));
  };
  const found = all
    .map(({ title, lines }) => ({ title, lines: lines.filter((line) => fits(title, line)) }))
    .filter(({ lines }) => lines.length > 0);
  const count = found.reduce((sum, { lines }) => sum + lines.length, 0);
  return (
    <>
      <input
        type="search"
        aria-label={t("Search shortcuts")}
        placeholder={t("Search by action or key")}
        data-autofocus=""
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="mb-4 h-8 w-full rounded border border-border-strong bg-surface px-2"
      />
      <p role="status" className="sr-only">
        {text && formatPlural(count, "shortcut")}
      </p>
      {count === 0 && <p className="text-text-2">{t("No shortcut matches.")}</p>}
      <div className="columns-2 gap-8 tiny:columns-1">
        {found.map(({ title, lines }) => (
          <Group key={title} title={title} lines={lines} />
        ))}
      </div>
    </>
  );
}

/** A chord as it is printed on keys: "Ctrl+K" for "Mod+K". */
function chordWords(chord: string): string {
  return chordLabels(chord).join("+");
}

function keysOf(group: CommandGroup): Line[] {
  return allCommands()
    .map(commandSpec)
    .filter((command) => command.group === group && command.keys.length > 0);
}

function Group({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <section className="mb-5">
      <h3 className="mb-1 break-after-avoid text-sm font-semibold text-text-2">{title}</h3>
      <dl>
        {lines.map(({ title, keys }) => (
          <div
            key={title}
            className="flex min-h-7 break-inside-avoid items-center gap-3 border-b border-border/60 py-0.5 last:border-b-0"
          >
            <dt className="min-w-0 flex-1 [overflow-wrap:anywhere]">{title.replace(/…$/, "")}</dt>
            <dd className="flex flex-none gap-2">
              {keys.slice(0, 2).map((chord) => (
                <Kbd key={chord} chord={chord} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
