import { BookOpen, Hand, type LucideIcon, ShieldCheck, TriangleAlert } from "lucide-react";

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

export const modes: readonly ModeWords[] = [
  {
    mode: "confirm-sensitive",
    title: "Confirm sensitive",
    text: "Asks before it writes files or runs commands",
    icon: ShieldCheck,
  },
  {
    mode: "confirm-all",
    title: "Confirm all",
    text: "Asks before every call, including reads",
    icon: Hand,
  },
  { mode: "plan", title: "Plan", text: "Reads only: changes nothing", icon: BookOpen },
  {
    mode: "yolo",
    title: "Yolo",
    text: "Never asks: writes files and runs commands immediately",
    icon: TriangleAlert,
    warns: true,
  },
];

/** The label of a mode. */
export function modeWords(mode: string): ModeWords {
  return (
    modes.find((one) => one.mode === mode) ?? { mode, title: mode, text: "", icon: ShieldCheck }
  );
}
