import { keepPreviousData, useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { useMemo } from "react";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { visible } from "@/lib/format/visible";
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
  "shrink-[4]",
  "hidden @[8rem]:flex",
  "hidden @[13rem]:flex",
  "hidden @[18rem]:flex",
];
/** What says that some are left out; by how many stops there are but one. */
const cutLooks = ["hidden", "@[8rem]:hidden", "@[13rem]:hidden", "@[18rem]:hidden"];

/** What the turns are called: by their labels, else by their first words. */
function useNames(sessionId: string, crumbs: readonly { turn: number; label: string }[]): string[] {
  const unlabelled = crumbs.filter(({ label }) => label === "").map(({ turn }) => turn);
  const { data } = useQuery({
    queryKey: [...keys.tree(sessionId), "crumbs", ...unlabelled],
    queryFn: () => api.getTurns(sessionId, unlabelled),
    enabled: unlabelled.length > 0,
    placeholderData: keepPreviousData,
  });
  const previews = new Map(data?.map(({ node, preview }) => [node, visible(preview)]));
  return crumbs.map(({ turn, label }) => label || previews.get(turn) || "…");
}

/** The way from the session's beginning to the turn on screen, along labels and branches; its room is taken before the tree is known. */
export function Breadcrumbs({ sessionId, turn, onGo }: BreadcrumbsProps) {
  const { data: tree } = useTree(sessionId);
  const crumbs = useMemo(() => (tree ? crumbsOf(tree, turn, most + 1) : []), [tree, turn]);
  const shown = crumbs.slice(-most);
  const isCut = crumbs.length > most;
  const names = useNames(sessionId, shown);
  if (crumbs.length === 0) return <span className="flex-1" />;
  return (
    <>
      {/* In a narrow pane the title and the actions need the space. */}
      <span className="flex-1 @2xl:hidden" />
      <nav
        aria-label={t("Path to the turn on screen")}
        className="@container flex min-w-28 shrink-[2] grow basis-72 text-text-3 @[44rem]:min-w-52 @max-2xl:hidden"
      >
        <ol className="flex min-w-0 items-center">
          <li className={clsx("flex-none ps-1", !isCut && cutLooks[shown.length - 1])}>› …</li>
          {shown.map(({ turn: at }, index) => (
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
                title={names[index]}
                aria-current={at === turn ? "location" : undefined}
                className="min-w-3 max-w-40 truncate rounded-sm hover:text-text hover:underline"
                onClick={() => onGo(at)}
              >
                {names[index]}
              </button>
            </li>
          ))}
        </ol>
      </nav>
    </>
  );
}
