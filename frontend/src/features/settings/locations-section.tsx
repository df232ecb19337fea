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
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import { follow, unfollow, useFollowed } from "@/lib/library/followed";
import { Group, Rows } from "./section";

/** The folders that are followed, and those of this machine that could be. */
export function LocationsSection() {
  const { followed, error } = useFollowed();
  const { data: found } = useQuery({ queryKey: keys.sources(), queryFn: api.findSources });
  if (error)
    return (
      <p className="text-error">
        {t("Could not read the followed folders: {{message}}", { message: error.message })}
      </p>
    );
  if (!followed) return null;
  // Two tools may share a folder: it is offered once.
  const others = (found ?? []).filter(
    ({ path }, index, all) =>
      !followed.paths.includes(path) && all.findIndex((folder) => folder.path === path) === index,
  );
  const change = (work: Promise<void>) =>
    work.catch((reason) => toastError(t("Could not change the followed folders"), reason));
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
        title={t("Followed folders")}
        text={t(
          "While Coppice is open, new messages in these folders appear in the library within seconds. Coppice never changes the folders. Sessions that are deleted there stay in the library.",
        )}
        actions={
          <Button onClick={() => void change(chooseFolder())}>
            <FolderPlus size={16} aria-hidden="true" />
            {t("Follow folder…")}
          </Button>
        }
      >
        {followed.trouble && (
          <p role="alert" className="selectable mb-2 text-error [overflow-wrap:anywhere]">
            {t("New messages are not read at the moment: {{reason}}", { reason: followed.trouble })}
          </p>
        )}
        {followed.paths.length === 0 && (
          <p className="text-text-3">{t("No folder is followed.")}</p>
        )}
        <Rows label={t("Followed folders")}>
          {followed.paths.map((path) => {
            const isMissing = followed.missing?.includes(path);
            return (
              <FolderRow
                key={path}
                path={path}
                source={sourceOf(path)}
                problem={
                  isMissing ? t("Not found: moved, deleted, or on a disk that is absent") : ""
                }
              >
                {isMissing && (
                  <Button
                    aria-label={t("Choose the new place of {{path}}", { path })}
                    onClick={() => void change(chooseFolder(path))}
                  >
                    <FolderSearch size={16} aria-hidden="true" />
                    {t("Find…")}
                  </Button>
                )}
                <IconButton
                  icon={X}
                  label={t("Stop following {{path}}", { path })}
                  className="!size-6"
                  onClick={() => void change(unfollow(path))}
                />
              </FolderRow>
            );
          })}
        </Rows>
      </Group>
      <Group
        title={t("Found on this machine")}
        text={t("Folders in which other tools keep their sessions.")}
        actions={
          <Button onClick={() => runCommand("import")}>
            <FolderInput size={16} aria-hidden="true" />
            {t("Import…")}
          </Button>
        }
      >
        {found && others.length === 0 && (
          <p className="text-text-3">
            {found.length > 0
              ? t("All of them are followed.")
              : t("No sessions of known tools were found in their usual folders.")}
          </p>
        )}
        <Rows label={t("Found folders")}>
          {others.map(({ source, path, files, sizeBytes }) => (
            <FolderRow
              key={path}
              path={path}
              source={source}
              facts={`${formatPlural(files, "file")} · ${formatBytes(sizeBytes)}`}
            >
              <Button
                aria-label={t("Follow {{tool}}, {{path}}", { tool: sourceName(source), path })}
                onClick={() => void change(follow([path]))}
              >
                {t("Follow")}
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
    <li className="flex min-h-9 items-center gap-3 py-1 pe-1.5 ps-3">
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
