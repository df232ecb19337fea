// The one list of what a person can do now. A component registers an action while it is mounted;
// the menu, the palette, the shortcuts sheet and the keyboard all read this list.

import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { isTextField, matchesChord } from "./keys";

/** Every action's name; the native menu sends these. */
export type CommandName =
  // Library and files.
  | "import"
  | "import-files"
  | "import-folder"
  | "load-samples"
  | "export"
  | "export-sessions"
  | "backup"
  | "check"
  | "rename"
  | "pin"
  | "archive"
  | "trash"
  | "restore"
  | "purge"
  | "empty-trash"
  | "select-all"
  | "undo"
  | "show-all"
  | "show-pinned"
  | "show-unfinished"
  | "show-archived"
  | "show-trash"
  // Runs.
  | "new-session"
  | "focus-composer"
  | "stop-run"
  | "resume-run"
  | "answer-question"
  | "choose-model"
  | "edit-message"
  | "regenerate"
  | "regenerate-with"
  | "quote-from"
  | "quote-here"
  // Finding.
  | "palette"
  | "search"
  | "find-in-session"
  | "find-in-tree"
  // The window.
  | "toggle-library"
  | "toggle-tree"
  | "focus-library"
  | "focus-transcript"
  | "focus-tree"
  | "next-pane"
  | "previous-pane"
  | "theme-light"
  | "theme-dark"
  | "theme-system"
  | "zoom-in"
  | "zoom-out"
  | "zoom-reset"
  | "statistics"
  | "settings"
  | "shortcuts"
  | "about"
  // The session on screen: transcript and tree.
  | "move-head"
  | "go-to-head"
  | "label"
  | "copy-message"
  | "copy-path"
  | "previous-sibling"
  | "next-sibling"
  | "parent"
  | "child"
  | "previous-fork"
  | "next-fork"
  | "go-to-start"
  | "go-to-end"
  | "expand-all"
  | "collapse-all"
  | "fold-others"
  | "hoist"
  | "show-whole-tree"
  | "go-back"
  | "go-forward"
  | "show-outline"
  | "show-map"
  | "zoom-to-fit"
  | "turn-map"
  | "compare"
  | "compare-words"
  | "compare-swap"
  | "go-to-message"
  | "open-parent-session"
  | "open-session";

export type CommandGroup = "Library" | "Session" | "Tree" | "Find" | "View" | "Help";

export interface CommandOptions {
  /** As the palette shows it: "Export…". */
  title: string;
  group?: CommandGroup;
  /** Chords as in keys.ts, the first one is shown; none by default. */
  keys?: string | string[];
  /** False: listed greyed in the menu's sense, runs nothing. Default true. */
  enabled?: boolean;
  /** True: the component hears the keys itself (single letters in the tree); here they are only shown. */
  local?: boolean;
  /** True: not offered in the palette, such as the command that opens the palette. */
  hidden?: boolean;
}

export interface Command {
  name: CommandName;
  title: string;
  group: CommandGroup;
  keys: string[];
  enabled: boolean;
  local: boolean;
  hidden: boolean;
}

type Handler = (argument: string) => void;

interface Registration {
  command: Command;
  handler: Handler;
}

const registrations: Registration[] = [];
const listeners = new Set<() => void>();
let current: readonly Command[] = [];

function announce() {
  // The component mounted last owns the name.
  const byName = new Map<CommandName, Command>();
  for (const { command } of registrations) byName.set(command.name, command);
  current = [...byName.values()];
  for (const listener of [...listeners]) listener();
}

function find(name: string): Registration | undefined {
  return registrations.findLast(({ command }) => command.name === name);
}

/**
 * Registers an action while the component is mounted. The newest handler always runs; its argument
 * is empty unless runCommand was given one.
 */
export function useCommand(name: CommandName, handler: Handler, options: CommandOptions): void {
  const newest = useRef(handler);
  useLayoutEffect(() => {
    newest.current = handler;
  });
  const { title, group = "View", enabled = true, local = false, hidden = false } = options;
  const chords = [options.keys ?? []].flat().join("\n");
  useLayoutEffect(() => {
    const keys = chords === "" ? [] : chords.split("\n");
    const registration: Registration = {
      command: { name, title, group, keys, enabled, local, hidden },
      handler: (argument) => newest.current(argument),
    };
    registrations.push(registration);
    announce();
    return () => {
      registrations.splice(registrations.indexOf(registration), 1);
      announce();
    };
  }, [name, title, group, chords, enabled, local, hidden]);
}

/**
 * Runs an action; false where nothing on screen offers it now. The argument is what the action is
 * about, where it takes one: `open-session` takes the session's id.
 */
export function runCommand(name: string, argument = ""): boolean {
  const registration = find(name);
  if (!registration?.command.enabled) return false;
  registration.handler(argument);
  return true;
}

/** Every action that is registered now, in the order of registration. */
export function listCommands(): readonly Command[] {
  return current;
}

/** The live list of actions. */
export function useCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, listCommands);
}

/** The first chord of an action, for tooltips; undefined where it has none or is not offered now. */
export function useCommandKey(name: CommandName | undefined): string | undefined {
  return useCommands().find((command) => command.name === name)?.keys[0];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * Runs the action of a key press, unless a component has handled it (defaultPrevented) or it is
 * text. Returns whether an action ran.
 */
export function runKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  for (const { name, keys, local, group } of current) {
    if (local) continue;
    const chord = keys.find((keys) => matchesChord(event, keys));
    if (chord === undefined) continue;
    if (isTextField(event.target) && belongsToText(chord)) continue;
    if (isInDialog(event.target) && group !== "View") continue;
    if (runCommand(name)) {
      event.preventDefault();
      return true;
    }
  }
  return false;
}

/** Text has its own undo, and everything without Mod or a function key is typed. */
function belongsToText(chord: string): boolean {
  return chord === "Mod+Z" || !/^(Mod|Ctrl|Shift\+F\d|F\d)/.test(chord);
}

/** Behind a dialog nothing changes but the looks. */
function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog]") !== null;
}

/** Connects the keyboard; called once, by the shell. Returns the way to disconnect. */
export function connectKeys(): () => void {
  const listener = (event: KeyboardEvent) => void runKey(event);
  window.addEventListener("keydown", listener);
  return () => window.removeEventListener("keydown", listener);
}
