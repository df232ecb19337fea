import { Download } from "lucide-react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { Menu } from "@/components/menu/menu";
import { api, type StatisticsQuery } from "@/lib/api/api";
import { baseName } from "@/lib/format/format";
import { msg, t, translate } from "@/lib/i18n/i18n";

const exports = [
  ["day", msg("Days")],
  ["model", msg("Models")],
  ["agent", msg("Agents")],
  ["workspace", msg("Workspaces")],
  ["source", msg("Sources")],
  ["tool", msg("Tools")],
] as const;

/** Saves the statistics, one table per file. */
export function ExportMenu({ query }: { query: StatisticsQuery }) {
  const start = async (by: string) => {
    try {
      const path = await api.exportStatistics(query, by);
      if (path) toastDone(t("Exported to {{file}}", { file: baseName(path) }));
    } catch (error) {
      toastError(t("Could not export the statistics"), error);
    }
  };
  return (
    <Menu
      align="end"
      label={t("Export as CSV")}
      trigger={
        <Button>
          <Download size={14} aria-hidden="true" />
          {t("Export CSV")}
        </Button>
      }
      entries={exports.map(([by, title]) => ({
        title: translate(title),
        onSelect: () => void start(by),
      }))}
    />
  );
}
