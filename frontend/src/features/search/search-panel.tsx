import { Command } from "cmdk";
import { Search } from "lucide-react";
import { Dialog } from "radix-ui";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Scrim } from "@/components/overlay/scrim";
import type { Hit } from "@/lib/api/api";
import { useDebounced } from "@/lib/browser/use-debounced";
import { t } from "@/lib/i18n/i18n";
import { useCommands } from "@/lib/keys/commands";
import { beginTrail, type HitTrail } from "@/lib/session/hit-trail";
import type { Passage } from "@/lib/session/location";
import { useFoundSessions } from "@/lib/session/use-found-sessions";
import { useWindowState } from "@/lib/store/window-state";
import { CommandItems } from "./command-items";
import { filterQuery, noFilters, type Reading } from "./filters";
import { HitItems } from "./hit-items";
import { groupHits, matchCommands, passageOf } from "./matching";
import { PanelFoot } from "./panel-foot";
import { listLook } from "./panel-looks";
import { SearchChips } from "./search-chips";
import { SessionItems } from "./session-items";
import { useFirstChosen } from "./use-first-chosen";
import { type Hits, useHits } from "./use-hits";

/** What the panel searches: everything, messages, or the messages of the session on screen. */
export type SearchScope = "everything" | "messages" | "session";

interface SearchPanelProps {
  /** Undefined: closed. */
  scope: SearchScope | undefined;
  /** The session on screen. */
  session: { id: string; title: string } | undefined;
  onClose: () => void;
  onOpenSession: (id: string) => void;
  onOpenHit: (sessionId: string, uid: string, passage: Passage) => void;
}

const typingMs = 120;

/** The panel that finds everything: commands, sessions by title, and messages in every branch. */
export function SearchPanel(props: SearchPanelProps) {
  const { scope, onClose } = props;
  // Stored between two openings, so that the user can return for the next hit.
  const lastSearch = useRef("");
  return (
    <Dialog.Root open={scope !== undefined} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Scrim />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[8%] left-1/2 z-40 flex max-h-[80%] w-[min(680px,calc(100%-32px))] -translate-x-1/2 animate-appear flex-col overflow-hidden rounded-lg border border-border bg-surface shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">{t("Search everything")}</Dialog.Title>
          {scope && <Panel {...props} scope={scope} lastSearch={lastSearch} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PanelProps extends SearchPanelProps {
  scope: SearchScope;
  lastSearch: RefObject<string>;
}

function Panel(props: PanelProps) {
  const { scope, session, onClose, lastSearch } = props;
  const field = useRef<HTMLInputElement>(null);
  // What another part of the window asks to search for.
  const [wanted, setWanted] = useWindowState("searchFor", "");
  const [text, setText] = useState(wanted || lastSearch.current);
  const [reading, setReading] = useState<Reading>("words");
  const [filters, setFilters] = useState(noFilters);
  const [byRelevance, setByRelevance] = useState(false);
  const [inSession, setInSession] = useState(scope === "session" && session !== undefined);
  const settled = useDebounced(text, typingMs);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    setWanted("");
  }, [setWanted]);
  const onlyCommands = text.startsWith(">");
  useEffect(() => {
    lastSearch.current = onlyCommands ? "" : text;
  }, [lastSearch, onlyCommands, text]);
  const filter = filterQuery(filters);
  const messagesOnly = scope !== "everything" || reading !== "words" || filter !== "" || inSession;
  const empty = text.trim() === "";
  const hits = useHits({
    enabled: !onlyCommands && (messagesOnly || !empty),
    text: settled,
    typing: settled !== text,
    reading,
    filter,
    byRelevance: byRelevance && reading === "words",
    sessionId: inSession && session ? session.id : "",
    fromId: session?.id ?? "",
  });
  const typed = onlyCommands ? text.slice(1) : text;
  const fitting = matchCommands(useCommands(), typed);
  const commands = messagesOnly ? [] : onlyCommands || empty ? fitting : fitting.slice(0, 4);
  const found = useFoundSessions(settled, !messagesOnly && !onlyCommands);
  const lines = useFirstChosen(list, { text, late: isLate() });

  /** Whether the first entry still belongs to the previous text. Commands come at once, and before everything else if there is text. */
  function isLate() {
    if (onlyCommands || (!empty && commands.length > 0)) return false;
    if (found.waiting || settled !== text) return true;
    return found.sessions.length === 0 && hits.waiting;
  }
  const close = (then: () => void, kept = "") => {
    // Only who looks for a text returns for its next hit: a command and a session are found.
    lastSearch.current = kept;
    onClose();
    // After the focus has returned: a command may move it.
    requestAnimationFrame(then);
  };
  const commandItems = <CommandItems commands={commands} onRun={close} />;
  return (
    <Command
      shouldFilter={false}
      loop
      value={lines.chosen}
      onValueChange={lines.setChosen}
      label={t("Search everything")}
      className="flex min-h-0 flex-col"
      onKeyDown={(event) => {
        lines.onKeyDown(event);
        if (!event.altKey) return;
        const read = (next: Reading) => setReading(reading === next ? "words" : next);
        if (event.key.toLowerCase() === "r") read("regex");
        else if (event.key.toLowerCase() === "t") read("text");
        else if (event.key.toLowerCase() === "s" && session) setInSession(!inSession);
        else return;
        event.preventDefault();
      }}
    >
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-border px-4">
        <Search size={16} className="text-text-3" aria-hidden="true" />
        <Command.Input
          ref={field}
          value={text}
          onValueChange={setText}
          placeholder={
            messagesOnly ? t("Search messages") : t("Search everything, or > for commands")
          }
          className="min-w-0 flex-1 bg-transparent text-xl outline-none"
        />
      </div>
      {!onlyCommands && (
        <SearchChips
          filters={filters}
          onFilters={setFilters}
          reading={reading}
          onReading={setReading}
          byRelevance={byRelevance}
          onByRelevance={setByRelevance}
          session={session}
          inSession={inSession}
          onInSession={setInSession}
        />
      )}
      <Command.List label={t("Results")} ref={list} className={listLook}>
        {!empty && commandItems}
        {onlyCommands && (
          <Command.Empty className="px-2.5 py-1.5 text-text-3">
            {t("No command matches these words.")}
          </Command.Empty>
        )}
        <SessionItems
          sessions={found.sessions}
          areRecent={settled.trim() === ""}
          onOpen={(id) => close(() => props.onOpenSession(id))}
        />
        {empty && commandItems}
        <HitItems
          hits={hits.hits}
          waiting={hits.waiting}
          onOpen={(hit) => {
            beginTrail(trailOf(hits, hit));
            close(() => props.onOpenHit(hit.sessionId, hit.uid, passageOf(hit)), text);
          }}
        />
      </Command.List>
      <PanelFoot hits={hits} />
    </Command>
  );
}

/** The hits in the order of the list, at the one that was opened. */
function trailOf({ hits, isPart }: Hits, opened: Hit): HitTrail {
  const listed = groupHits(hits).flatMap((group) => group.hits);
  return {
    hits: listed.map((hit) => ({
      sessionId: hit.sessionId,
      uid: hit.uid,
      passage: passageOf(hit),
    })),
    index: listed.indexOf(opened),
    more: isPart,
  };
}
