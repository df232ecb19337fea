import clsx from "clsx";
import { useMemo } from "react";
import { t } from "@/lib/i18n/i18n";
import { useTree } from "@/lib/tree/tree";
import { crumbsOf } from "./crumbs";

interface BreadcrumbsProps {
  sessionId: string;
  /** The turn on screen. */
  turn: number;
  onGo: (turn: number) => void;
}

const most = 4;

/** A stop is left out where there is no room for it and those behind it; by how many stops are behind it. */
const stopLooks = [
  "flex-none",
  "hidden @[8rem]:flex",
  "hidden @[13rem]:flex",
  "hidden @[18rem]:flex",
];
/** What says that some are left out; by how many stops there are but one. */
const cutLooks = ["hidden", "@[8rem]:hidden", "@[13rem]:hidden", "@[18rem]:hidden"];

/** The way from the session's beginning to the turn on screen, along labels and branches; its room is taken before the tree is known. */
export function Breadcrumbs({ sessionId, turn, onGo }: BreadcrumbsProps) {
  const { data: tree } = useTree(sessionId);
  const crumbs = useMemo(() => (tree ? crumbsOf(tree, turn, most + 1) : []), [tree, turn]);
  if (crumbs.length === 0) return <span className="flex-1" />;
  const shown = crumbs.slice(-most);
  const isCut = crumbs.length > most;
  const isNumber = crumbs.length === 1 && crumbs[0]?.name === `n${turn}`;
  return (
    <nav
      aria-label={t("Path to the turn on screen")}
      className={clsx(
        "@container flex shrink-[2] grow text-text-3",
        // The number of a turn alone leaves the title its room.
        isNumber ? "min-w-20 basis-20" : "min-w-28 basis-72 @[44rem]:min-w-52",
      )}
    >
      <ol className="flex min-w-0 items-center">
        <li className={clsx("flex-none pl-1", !isCut && cutLooks[shown.length - 1])}>› …</li>
        {shown.map(({ turn: at, name }, index) => (
          <li
            key={at}
            className={clsx("flex min-w-0 items-center", stopLooks[shown.length - 1 - index])}
          >
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
