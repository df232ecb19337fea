import { useMemo } from "react";
import { useTree } from "@/lib/tree";
import { crumbsOf } from "./crumbs";

interface BreadcrumbsProps {
  sessionId: string;
  /** The turn on screen. */
  turn: number;
  onGo: (turn: number) => void;
}

const most = 4;

/** The way from the session's beginning to the turn on screen, along labels and branches. */
export function Breadcrumbs({ sessionId, turn, onGo }: BreadcrumbsProps) {
  const { data: tree } = useTree(sessionId);
  const crumbs = useMemo(() => (tree ? crumbsOf(tree, turn, most + 1) : []), [tree, turn]);
  if (crumbs.length === 0) return null;
  const isCut = crumbs.length > most;
  return (
    <nav
      aria-label="Way to the turn on screen"
      className="flex min-w-28 shrink-[2] grow text-text-3"
    >
      <ol className="flex min-w-0 items-center">
        {isCut && <li className="flex-none pl-1">› …</li>}
        {crumbs.slice(-most).map(({ turn: at, name }) => (
          <li key={at} className="flex min-w-0 items-center last:flex-none">
            <span className="flex-none px-1" aria-hidden="true">
              ›
            </span>
            <button
              type="button"
              dir="auto"
              title={name}
              aria-current={at === turn ? "location" : undefined}
              className="min-w-3 max-w-40 truncate rounded-sm hover:text-text hover:underline"
              onClick={() => onGo(at)}
            >
              {name}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
