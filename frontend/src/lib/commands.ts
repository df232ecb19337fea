// The only list of the actions that the user can run now. A component registers an action while it is mounted;
// the menu, the palette, the shortcuts sheet and the keyboard all read this list.

import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import table from "./commands.json";
import { isTextField, matchesChord } from "./keys";
import { Listeners } from "./store";

/** An action, wherever it is offered; commands.json defines them all, in the order in which they are listed. */
export interface CommandSpec {
  /** As shown in the palette: "Export…". */
  title: string;
  group: CommandGroup;
  /** Chords as in keys.ts; the first one is shown. */
  keys: readonly string[];
  /** A component handles the keys itself (single letters in the tree); here they are only shown. */
  local: boolean;
  /** Not offered in the palette, such as the command that opens the palette. */
  hidden: boolean;
}

/** Every action's name; the native menu sends these. */
export type CommandName = keyof typeof table;

export type CommandGroup = "Library" | "Session" | "Tree" | "Find" | "View" | "Help";

/** The properties that differ from the table while the action is offered. */
export interface CommandOptions extends Partial<Omit<CommandSpec, "keys">> {
  keys?: string | readonly string[];
  /** False: listed as disabled, does nothing. Default true. */
  enabled?: boolean;
}

export interface Command extends CommandSpec {
  name: CommandName;
  enabled: boolean;
}

/** Returns the entry of an action in the table. */
export function commandSpec(name: CommandName): CommandSpec {
  const { keys = [], local = false, hidden = false, ...spec } = lines[name];
  return { ...spec, keys, local, hidden };
}

/** Returns all actions, offered now or not, in the order of the table. */
export function allCommands(): CommandName[] {
  return Object.keys(table) as CommandName[];
}

/** Returns the first chord of an action; empty if it has none. */
export function keyOf(name: CommandName): string {
  return commandSpec(name).keys[0] ?? "";
}

type Handler = (argument: string) => void;

interface Registration {
  command: Command;
  handler: Handler;
}

// JSON has no type for an enumeration; a test checks the groups.
const lines = table as Record<
  CommandName,
  Pick<CommandSpec, "title" | "group"> & Partial<CommandSpec>
>;
const registrations: Registration[] = [];
const changes = new Listeners();
/** Undefined: the list must be rebuilt. */
let current: readonly Command[] | undefined;
let isTelling = false;

// Once for all that mount and unmount in one render.
function announce() {
  current = undefined;
  if (isTelling) return;
  isTelling = true;
  queueMicrotask(() => {
    isTelling = false;
    changes.notify();
  });
}

function list(): readonly Command[] {
  // The component mounted last handles the action.
  const byName = new Map<CommandName, Command>();
  for (const { command } of registrations) byName.set(command.name, command);
  return allCommands().flatMap((name) => byName.get(name) ?? []);
}

function find(name: string): Registration | undefined {
  return registrations.findLast(({ command }) => command.name === name);
}

/**
 * Registers an action while the component is mounted. The newest handler always runs; its argument
 * is empty unless runCommand was given one.
 */
export function useCommand(
  name: CommandName,
  handler: Handler,
  options: CommandOptions = {},
): void {
  const newest = useRef(handler);
  useLayoutEffect(() => {
    newest.current = handler;
  });
  const spec = { ...commandSpec(name), enabled: true, ...options };
  const { title, group, enabled, local, hidden } = spec;
  const chords = [spec.keys].flat().join("\n");
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
 * Runs an action; returns false if nothing on screen offers it now. The argument is the target of the
 * action, if it takes one: `open-session` takes the session's id.
 */
export function runCommand(name: string, argument = ""): boolean {
  const registration = find(name);
  if (!registration?.command.enabled) return false;
  registration.handler(argument);
  return true;
}

/** Returns every registered action, in the order of the table. */
export function listCommands(): readonly Command[] {
  current ??= list();
  return current;
}

/** The live list of actions. */
export function useCommands(): readonly Command[] {
  return useSyncExternalStore(changes.add, listCommands);
}

/** Returns those of the given actions that are offered now. The caller is not rendered again when others change. */
export function useCommandsNamed(names: ReadonlySet<string>): readonly Command[] {
  const kept = useRef<readonly Command[]>([]);
  return useSyncExternalStore(changes.add, () => {
    const now = listCommands().filter(({ name }) => names.has(name));
    if (JSON.stringify(now) !== JSON.stringify(kept.current)) kept.current = now;
    return kept.current;
  });
}

/** Returns the first chord of an action, for tooltips; undefined if it has none or is not offered now. */
export function useCommandKey(name: CommandName | undefined): string | undefined {
  return useSyncExternalStore(
    changes.add,
    () => name && listCommands().find((command) => command.name === name)?.keys[0],
  );
}

/**
 * Runs the action of a key press, unless a component has handled it (defaultPrevented) or it is
 * text. Returns whether an action ran.
 */
export function runKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  for (const { name, keys, local, group } of listCommands()) {
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

/** Text fields have their own undo, and keys without Mod or a function key are typed into them. */
function belongsToText(chord: string): boolean {
  return chord === "Mod+Z" || !/^(Mod|Ctrl|Shift\+F\d|F\d)/.test(chord);
}

/** Behind a dialog only actions on the view are active; also if the focused element is removed. */
function isInDialog(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target === document.body) return document.querySelector("[role=dialog]") !== null;
  return target.closest("[role=dialog]") !== null;
}

/** Connects the keyboard; called once, by the shell. Returns a function that disconnects it. */
export function connectKeys(): () => void {
  const listener = (event: KeyboardEvent) => void runKey(event);
  window.addEventListener("keydown", listener);
  return () => window.removeEventListener("keydown", listener);
}
