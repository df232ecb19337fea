import { Download } from "lucide-react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { Menu } from "@/components/menu/menu";
import { api, type StatisticsQuery } from "@/lib/api/api";
import { baseName } from "@/lib/format/format";

const exports = [
  ["day", "Days"],
  ["model", "Models"],
  ["workspace", "Workspaces"],
  ["source", "Sources"],
  ["tool", "Tools"],
] as const;

/** Saves the statistics, one table per file. */
export function ExportMenu({ query }: { query: StatisticsQuery }) {
  const start = async (by: string) => {
    try {
      const path = await api.exportStatistics(query, by);
      if (path) toastDone(`Exported to ${baseName(path)}`);
    } catch (error) {
      toastError("Could not export the statistics", error);
    }
  };
  return (
    <Menu
      align="end"
      label="Export as CSV"
      trigger={
        <Button>
          <Download size={14} aria-hidden="true" />
          Export CSV
        </Button>
      }
      entries={exports.map(([by, title]) => ({ title, onSelect: () => void start(by) }))}
    />
  );
}
