import type { Statistics, StatisticsGroup } from "@/lib/api/api";
import { costWords, estimateWords } from "@/lib/format/cost";
import { formatCount } from "@/lib/format/format";
import { sourceName } from "@/lib/format/sources";
import { t } from "@/lib/i18n/i18n";
import { amountOf, counted, type Measure, tokenWords } from "./measures";
import { Ranking, type RankingLine } from "./ranking";
import { splitName } from "./split-name";
import type { StatisticsView } from "./use-statistics";

interface RankingsProps {
  statistics: Statistics;
  view: StatisticsView;
  measure: Measure;
  onChange: (part: Partial<StatisticsView>) => void;
}

const columns = () => [t("Sessions"), t("Tokens"), t("Cost"), t("List price")];

/** Activity by model, agent, workspace, source and tool. */
export function Rankings({ statistics, view, measure, onChange }: RankingsProps) {
  const hasAgents = statistics.agents.some(({ key }) => key !== "");
  return (
    <div className="grid grid-cols-2 gap-x-10 gap-y-6 tight:grid-cols-1">
      <Ranking
        title={t("Models")}
        columns={columns()}
        lines={linesOf(statistics.models, measure, (key) => splitName(key, "model"))}
        chosen={view.model || undefined}
        onChoose={(model) => onChange({ model: model === view.model ? "" : model })}
        empty={t("No model was called.")}
      />
      {hasAgents && (
        <Ranking
          title={t("Agents")}
          columns={columns()}
          lines={linesOf(statistics.agents, measure, (key) => key || t("No agent"))}
          empty={t("No model was called.")}
        />
      )}
      <Ranking
        title={t("Workspaces")}
        columns={columns()}
        lines={linesOf(statistics.workspaces, measure, (key) => splitName(key, "workspace"), true)}
        chosen={view.workspace || undefined}
        onChoose={(workspace) =>
          onChange({ workspace: workspace === view.workspace ? "" : workspace })
        }
        empty={t("No activity in these days.")}
      />
      <Ranking
        title={t("Sources")}
        columns={columns()}
        lines={linesOf(statistics.sources, measure, sourceName)}
        chosen={view.source || undefined}
        onChoose={(source) => onChange({ source: source === view.source ? "" : source })}
        empty={t("No activity in these days.")}
      />
      <Ranking
        title={t("Tools")}
        columns={[t("Calls"), t("Sessions")]}
        lines={statistics.tools.map(({ name, calls, sessions }) => ({
          key: name,
          name,
          share: calls / (statistics.tools[0]?.calls || 1),
          cells: [formatCount(calls), formatCount(sessions)],
        }))}
        empty={t("No tool was called.")}
      />
    </div>
  );
}

function linesOf(
  groups: readonly StatisticsGroup[],
  measure: Measure,
  name: (key: string) => string,
  title?: boolean,
): RankingLine[] {
  const values = groups.map((group) => amountOf(counted(group), measure));
  const largest = Math.max(...values, 0);
  return groups
    .map((group, index) => ({
      key: group.key,
      name: name(group.key),
      title: title && group.key ? group.key : undefined,
      value: values[index] ?? 0,
      share: largest > 0 ? (values[index] ?? 0) / largest : 0,
      cells: [
        formatCount(group.sessions),
        tokenWords(group),
        costWords(group),
        estimateWords(group),
      ],
    }))
    .sort((a, b) => b.value - a.value);
}
