import { useState } from "react";
import { Dialog } from "@/components/overlay/dialog";
import { Kbd } from "@/components/text/kbd";
import { formatPlural } from "@/lib/format/format";
import { allCommands, type CommandGroup, commandSpec } from "@/lib/keys/commands";

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
const movingKeys: { title: string; lines: Line[] }[] = [
  {
    title: "In lists",
    lines: [
      { title: "Move", keys: ["ArrowUp", "ArrowDown"] },
      { title: "Extend the selection", keys: ["Shift+ArrowUp", "Shift+ArrowDown"] },
      { title: "Add or remove", keys: ["Mod+Space"] },
      { title: "First and last", keys: ["Home", "End"] },
      { title: "Jump to a title", keys: ["A … Z"] },
      { title: "Open", keys: ["Enter"] },
      { title: "Menu", keys: ["Shift+F10"] },
    ],
  },
  {
    title: "In the outline",
    lines: [
      { title: "Fold and unfold, or step out and in", keys: ["ArrowLeft", "ArrowRight"] },
      { title: "Alternatives", keys: ["Alt+ArrowUp", "Alt+ArrowDown"] },
      { title: "Parent, and the child last viewed", keys: ["Alt+ArrowLeft", "Alt+ArrowRight"] },
      { title: "Forks", keys: ["Mod+ArrowLeft", "Mod+ArrowRight"] },
      { title: "Mark several", keys: ["Shift+ArrowUp", "Shift+ArrowDown"] },
    ],
  },
  {
    title: "On the map",
    lines: [
      { title: "From turn to turn", keys: ["ArrowUp", "ArrowDown"] },
      { title: "Into a branch, and out of it", keys: ["ArrowRight", "ArrowLeft"] },
      { title: "Move the map", keys: ["Shift+ArrowUp", "Shift+ArrowDown"] },
      { title: "Zoom", keys: ["Plus", "Minus"] },
      { title: "Go to the current turn", keys: ["Home"] },
    ],
  },
];

/** Every key there is, whether it does something now or not. */
export function ShortcutsSheet({ open, onClose }: ShortcutsSheetProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" wide>
      <Searchable />
    </Dialog>
  );
}

/** The keys that fit what is typed, by their action or by the key itself. */
function Searchable() {
  const [text, setText] = useState("");
  const all = [
    ...groups.map((group) => ({ title: group as string, lines: keysOf(group) })),
    ...movingKeys,
  ];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (group: string, { title, keys }: Line) => {
    const line = `${group} ${title} ${keys.join(" ")} ${keys.map(chordWords).join(" ")}`;
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
        aria-label="Search shortcuts"
        placeholder="Search by action or key"
        data-autofocus=""
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="mb-4 h-8 w-full rounded border border-border-strong bg-surface px-2"
      />
      <p role="status" className="sr-only">
        {text && formatPlural(count, "shortcut")}
      </p>
      {count === 0 && <p className="text-text-2">No shortcut matches.</p>}
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
  return chord.replace("Mod", "Ctrl").replace("Arrow", "");
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
            <dt className="min-w-0 flex-1">{title.replace(/…$/, "")}</dt>
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
