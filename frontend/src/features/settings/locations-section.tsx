import { useQuery } from "@tanstack/react-query";
import { FolderInput, FolderPlus, FolderSearch, X } from "lucide-react";
import type { ReactNode } from "react";
import { toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { IconButton } from "@/components/form/icon-button";
import { SourceMark } from "@/components/session/source-mark";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatBytes, formatPlural } from "@/lib/format/format";
import { sourceName } from "@/lib/format/sources";
import { runCommand } from "@/lib/keys/commands";
import { follow, unfollow, useFollowed } from "@/lib/library/followed";
import { Group, Rows } from "./section";

/** The folders that are followed, and those of this machine that could be. */
export function LocationsSection() {
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
  /** Follows a folder of the user's choice, in the place of another one if that is named. */
  const chooseFolder = async (instead = "") => {
    const folder = await api.chooseFolder();
    if (!folder) return;
    if (instead) await unfollow(instead);
    await follow([folder]);
  };
  const sourceOf = (path: string) => found?.find((folder) => folder.path === path)?.source ?? "";
  return (
    <>
      <Group
        title="Followed folders"
        text="While Coppice is open, new messages in these folders appear in the library within seconds. Coppice never changes the folders. Sessions that are deleted there stay in the library."
        actions={
          <Button onClick={() => void change(chooseFolder())}>
            <FolderPlus size={16} aria-hidden="true" />
            Follow folder…
          </Button>
        }
      >
        {followed.trouble && (
          <p role="alert" className="selectable mb-2 text-error [overflow-wrap:anywhere]">
            New messages are not read at the moment: {followed.trouble}
          </p>
        )}
        {followed.paths.length === 0 && <p className="text-text-3">No folder is followed.</p>}
        <Rows label="Followed folders">
          {followed.paths.map((path) => {
            const isMissing = followed.missing?.includes(path);
            return (
              <FolderRow
                key={path}
                path={path}
                source={sourceOf(path)}
                problem={isMissing ? "Not found: moved, deleted, or on a disk that is absent" : ""}
              >
                {isMissing && (
                  <Button
                    aria-label={`Choose the new place of ${path}`}
                    onClick={() => void change(chooseFolder(path))}
                  >
                    <FolderSearch size={16} aria-hidden="true" />
                    Find…
                  </Button>
                )}
                <IconButton
                  icon={X}
                  label={`Stop following ${path}`}
                  className="!size-6"
                  onClick={() => void change(unfollow(path))}
                />
              </FolderRow>
            );
          })}
        </Rows>
      </Group>
      <Group
        title="Found on this machine"
        text="Folders in which other tools keep their sessions."
        actions={
          <Button onClick={() => runCommand("import")}>
            <FolderInput size={16} aria-hidden="true" />
            Import…
          </Button>
        }
      >
        {found && others.length === 0 && (
          <p className="text-text-3">
            {found.length > 0
              ? "All of them are followed."
              : "No sessions of known tools were found in their usual folders."}
          </p>
        )}
        <Rows label="Found folders">
          {others.map(({ source, path, files, sizeBytes }) => (
            <FolderRow
              key={path}
              path={path}
              source={source}
              facts={`${formatPlural(files, "file")} · ${formatBytes(sizeBytes)}`}
            >
              <Button
                aria-label={`Follow ${sourceName(source)}, ${path}`}
                onClick={() => void change(follow([path]))}
              >
                Follow
              </Button>
            </FolderRow>
          ))}
        </Rows>
      </Group>
    </>
  );
}

interface FolderRowProps {
  path: string;
  /** The tool whose folder it is; empty: none that is known. */
  source: string;
  facts?: string;
  problem?: string;
  children: ReactNode;
}

function FolderRow({ path, source, facts, problem, children }: FolderRowProps) {
  return (
    <li className="flex min-h-9 items-center gap-3 py-1 pr-1.5 pl-3">
      {source && <SourceMark source={source} />}
      <span className="min-w-0 flex-1">
        <span className="selectable block truncate font-mono text-sm" title={path}>
          {path}
        </span>
        {problem && <span className="block text-sm text-error">{problem}</span>}
      </span>
      {facts && <span className="shrink-0 text-sm text-text-3">{facts}</span>}
      {children}
    </li>
  );
}
