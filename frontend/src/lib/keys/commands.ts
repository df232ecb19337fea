// The only list of the actions that the user can run now. A component registers an action while it is mounted;
// the menu, the palette, the shortcuts sheet and the keyboard all read this list.

import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { type Message, t, translate } from "@/lib/i18n/i18n";
import { Listeners } from "@/lib/store/store";
import table from "./commands.json";
import { isTextField, type KeyPress, matchesChord } from "./keys";

/** An action, wherever it is offered; commands.json defines them all, in the order in which they are listed. */
interface CommandSpec {
  /** As shown in the palette: "Export…". */
  title: string;
  group: CommandGroup;
  /** Chords as in keys.ts; the first one is shown. */
  keys: readonly string[];
  /** The part of the window that must have the focus for the keys to work; undefined: any part. */
  scope?: CommandScope | undefined;
  /** Not offered in the palette, such as the command that opens the palette. */
  hidden: boolean;
}

/** Every action's name; the native menu sends these. */
export type CommandName = keyof typeof table;

/** Parts of the window with keys of their own. "turns" is the outline or the map itself, "tree" anything in the tree's pane. */
type CommandScope = "library" | "transcript" | "compare" | "tree" | "turns" | "map";

export type CommandGroup = "Library" | "Session" | "Tree" | "Find" | "View" | "Help";

/** Returns the name of a group in the user's language. */
export function groupTitle(group: CommandGroup): string {
  const titles: Record<CommandGroup, string> = {
    Library: t("Library"),
    Session: t("Session"),
    Tree: t("Tree"),
    Find: t("Find", { context: "menu" }),
    View: t("View", { context: "menu" }),
    Help: t("Help"),
  };
  return titles[group];
}

/** The properties that differ from the table while the action is offered. */
export interface CommandOptions extends Partial<Omit<CommandSpec, "keys" | "title">> {
  title?: string | undefined;
  keys?: string | readonly string[];
  /** False: listed as disabled, does nothing. Default true. */
  enabled?: boolean;
}

export interface Command extends CommandSpec {
  name: CommandName;
  enabled: boolean;
}

/** Returns the entry of an action in the table, with its title in the user's language. */
export function commandSpec(name: CommandName): CommandSpec {
  const { keys = [], hidden = false, title, ...spec } = lines[name];
  return { ...spec, title: translate(title), keys, hidden };
}

/** Returns the title of an action in English, by which Go knows it. */
export function englishTitle(name: CommandName): string {
  return lines[name].title;
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
const lines = table as unknown as Record<
  CommandName,
  Pick<CommandSpec, "group"> & Partial<CommandSpec> & { title: Message }
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

/** An action that a component offers. */
export interface Offer {
  name: CommandName;
  /** The argument is empty unless runCommand was given one. */
  run: Handler;
  options?: CommandOptions;
}

/** Registers an action while the component is mounted. The newest handler always runs. */
export function useCommand(name: CommandName, run: Handler, options?: CommandOptions): void {
  useOffers([{ name, run, options }]);
}

/** Registers actions while the component is mounted. */
export function useOffers(offers: readonly Offer[]): void {
  const newest = useRef(offers);
  useLayoutEffect(() => {
    newest.current = offers;
  });
  const commands = JSON.stringify(offers.map(commandOf));
  useLayoutEffect(() => {
    const added = (JSON.parse(commands) as Command[]).map(
      (command, at): Registration => ({
        command,
        handler: (argument) => newest.current[at]?.run(argument),
      }),
    );
    registrations.push(...added);
    announce();
    return () => {
      for (const one of added) registrations.splice(registrations.indexOf(one), 1);
      announce();
    };
  }, [commands]);
}

function commandOf({ name, options }: Offer): Command {
  const usual = commandSpec(name);
  const { keys, ...spec } = { ...usual, enabled: true, ...options };
  // An option may be undefined, which is as if it were missing.
  return { ...spec, name, title: spec.title ?? usual.title, keys: [keys ?? usual.keys].flat() };
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
 * text. A part of the window with keys of its own names its scope. Returns whether an action ran.
 */
export function runKey(event: KeyboardEvent, wanted?: CommandScope): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  for (const { name, keys, scope, group } of listCommands()) {
    if (scope !== wanted) continue;
    const chord = keys.find((keys) => matchesChord(event, keys));
    if (chord === undefined) continue;
    if (isTextField(event.target) && belongsToText(chord)) continue;
    if (isInDialog(event.target) && group !== "View" && name !== "quit") continue;
    if (runCommand(name)) {
      event.preventDefault();
      return true;
    }
  }
  return false;
}

/** Returns the action that a key press means in one of the scopes, offered now or not; undefined if none exists. */
export function commandFor(
  event: KeyPress,
  ...scopes: readonly CommandScope[]
): CommandName | undefined {
  return allCommands().find((name) => {
    const { scope, keys } = commandSpec(name);
    return scope && scopes.includes(scope) && keys.some((keys) => matchesChord(event, keys));
  });
}

/** Text fields have their own editing keys, and keys without Mod or a function key are typed into them. */
function belongsToText(chord: string): boolean {
  return /^Mod\+[ACVXZ]$/.test(chord) || !/^(Mod|Ctrl|Shift\+F\d|F\d)/.test(chord);
}

/** Behind a dialog only actions on the view and quitting are active; also if the focused element is removed. */
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
