import { useQuery } from "@tanstack/react-query";
import { FolderPlus, X } from "lucide-react";
import type { ReactNode } from "react";
import { toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { IconButton } from "@/components/form/icon-button";
import { SourceMark } from "@/components/session/source-mark";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { sourceName } from "@/lib/format/sources";
import { follow, unfollow, useFollowed } from "@/lib/library/followed";

/** The folders that are followed, those of this machine that could be, and a button that adds another. */
export function FollowedFolders() {
  const { followed, error } = useFollowed();
  const { data: found } = useQuery({ queryKey: keys.sources(), queryFn: api.findSources });
  if (error)
    return <p className="text-error">Could not read the followed folders: {error.message}</p>;
  if (!followed) return null;
  // Two tools may share a folder: it is offered once.
  const others = (found ?? []).filter(
    ({ path }, index, all) =>
      !followed.paths.includes(path) && all.findIndex((folder) => folder.path === path) === index,
  );
  const change = (work: Promise<void>) =>
    work.catch((reason) => toastError("Could not change the followed folders", reason));
  const chooseFolder = async () => {
    const folder = await api.chooseFolder();
    if (folder) await follow([folder]);
  };
  return (
    <>
      <p className="mb-2 text-text-2">
        While this window is open, new messages in these folders appear in the library within
        seconds. Coppice never changes the folders. Sessions that are deleted there stay in the
        library.
      </p>
      {followed.trouble && (
        <p role="alert" className="selectable mb-2 text-error [overflow-wrap:anywhere]">
          New messages are not read at the moment: {followed.trouble}
        </p>
      )}
      <ul
        aria-label="Followed folders"
        className="divide-y divide-border rounded border border-border empty:hidden"
      >
        {followed.paths.map((path) => (
          <FolderRow key={path} path={path} source={sourceOf(path)}>
            <IconButton
              icon={X}
              label={`Stop following ${path}`}
              className="!size-6"
              onClick={() => void change(unfollow(path))}
            />
          </FolderRow>
        ))}
        {others.map(({ source, path }) => (
          <FolderRow key={path} path={path} source={source}>
            <Button
              aria-label={`Follow ${sourceName(source)}, ${path}`}
              onClick={() => void change(follow([path]))}
            >
              Follow
            </Button>
          </FolderRow>
        ))}
      </ul>
      <Button className="mt-3" onClick={() => void change(chooseFolder())}>
        <FolderPlus size={16} aria-hidden="true" />
        Follow folder…
      </Button>
    </>
  );

  function sourceOf(path: string): string {
    return found?.find((folder) => folder.path === path)?.source ?? "";
  }
}

interface FolderRowProps {
  path: string;
  /** The tool whose folder it is; empty: none that is known. */
  source: string;
  children: ReactNode;
}

function FolderRow({ path, source, children }: FolderRowProps) {
  return (
    <li className="flex min-h-9 items-center gap-3 py-1 pr-1 pl-3">
      {source && <SourceMark source={source} />}
      <span className="selectable min-w-0 flex-1 truncate font-mono text-sm" title={path}>
        {path}
      </span>
      {children}
    </li>
  );
}
