import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";
import { Backups } from "./backups";
import { DataFile } from "./data-file";
import { Encryption } from "./encryption";
import { Mirror } from "./mirror";
import { Secrets } from "./secrets";
import { Group } from "./section";
import type { FileWork } from "./use-file-work";

/** The library's file and its backups. */
export function DataSection({ work }: { work: FileWork }) {
  const about = useQuery({ queryKey: keys.about(), queryFn: api.getAbout });
  return (
    <>
      <Group
        title={t("Library")}
        text={t("Everything is in this file. Keys of model providers are not.")}
      >
        <DataFile about={about.data} error={about.error} work={work} />
      </Group>
      <Group
        title={t("Encryption")}
        text={t("An encrypted library can only be read with one of its keys.")}
      >
        <Encryption />
      </Group>
      <Group
        title={t("Backups")}
        text={t(
          "Copies of the library in the folder backups beside it. Each one is checked when it is made.",
        )}
      >
        <Backups work={work} />
      </Group>
      <Group
        title={t("Mirror")}
        text={t(
          "A folder of readable files, one for each session, that Coppice keeps up to date. Files that you change there are left alone.",
        )}
      >
        <Mirror />
      </Group>
      <Group
        title={t("Secrets")}
        text={t(
          "Keys and passwords that were recognised in sessions, each once. Their text is not stored a second time.",
        )}
      >
        <Secrets />
      </Group>
    </>
  );
}
