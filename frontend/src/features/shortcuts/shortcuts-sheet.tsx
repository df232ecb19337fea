import { Dialog } from "@/components/dialog";
import { Kbd } from "@/components/kbd";
import { type Command, type CommandGroup, useCommands } from "@/lib/commands";

interface ShortcutsSheetProps {
  open: boolean;
  onClose: () => void;
}

const groups: CommandGroup[] = ["Find", "Library", "Session", "Tree", "View", "Help"];

/** Keys that every list answers to; no command stands for them. */
const listKeys: { title: string; keys: string[] }[] = [
  { title: "Move", keys: ["ArrowUp", "ArrowDown"] },
  { title: "Extend the selection", keys: ["Shift+ArrowDown"] },
  { title: "Add or take away", keys: ["Mod+Space"] },
  { title: "First and last", keys: ["Home", "End"] },
  { title: "Jump to a title", keys: ["A … Z"] },
  { title: "Open", keys: ["Enter"] },
  { title: "Menu", keys: ["Shift+F10"] },
];

/** Every key there is now, read from the commands. */
export function ShortcutsSheet({ open, onClose }: ShortcutsSheetProps) {
  const commands = useCommands().filter(({ keys }) => keys.length > 0);
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" wide toRead>
      <div className="columns-2 gap-8 tiny:columns-1">
        {groups.map((group) => (
          <Group
            key={group}
            title={group}
            lines={uniqueByTitle(commands.filter((command) => command.group === group))}
          />
        ))}
        <Group title="In lists" lines={listKeys} />
      </div>
    </Dialog>
  );
}

function uniqueByTitle(commands: readonly Command[]) {
  return [...new Map(commands.map((command) => [command.title, command])).values()];
}

function Group({ title, lines }: { title: string; lines: { title: string; keys: string[] }[] }) {
  if (lines.length === 0) return null;
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="mb-1 text-sm text-text-3">{title}</h3>
      <dl>
        {lines.map(({ title, keys }) => (
          <div key={title} className="flex min-h-7 items-center gap-3">
            <dt className="min-w-0 flex-1">{title.replace(/…$/, "")}</dt>
            <dd className="flex gap-2">
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
