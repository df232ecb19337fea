import { BookOpen, Hand, type LucideIcon, ShieldCheck, TriangleAlert } from "lucide-react";
import { type Message, msg, translate } from "@/lib/i18n/i18n";

/** What an agent may do without asking. */
interface ModeWords {
  mode: string;
  title: string;
  /** Its meaning, in a sentence. */
  text: string;
  icon: LucideIcon;
  /** Nothing is asked: shown as a warning. */
  warns?: boolean;
}

const table: readonly (ModeWords & { title: Message; text: Message })[] = [
  {
    mode: "confirm-sensitive",
    title: msg("Confirm sensitive"),
    text: msg("Asks before it writes files or runs commands"),
    icon: ShieldCheck,
  },
  {
    mode: "confirm-all",
    title: msg("Confirm all"),
    text: msg("Asks before every call, including reads"),
    icon: Hand,
  },
  { mode: "plan", title: msg("Plan"), text: msg("Reads only: changes nothing"), icon: BookOpen },
  {
    mode: "yolo",
    title: msg("Yolo"),
    text: msg("Never asks: writes files and runs commands immediately"),
    icon: TriangleAlert,
    warns: true,
  },
];

/** The modes, from the usual one to the freest. */
export function modes(): ModeWords[] {
  return table.map((mode) => ({
    ...mode,
    title: translate(mode.title),
    text: translate(mode.text),
  }));
}

/** The label of a mode. */
export function modeWords(mode: string): ModeWords {
  return (
    modes().find((one) => one.mode === mode) ?? { mode, title: mode, text: "", icon: ShieldCheck }
  );
}
