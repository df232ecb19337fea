import { Tabs } from "@/components/form/tabs";
import { t } from "@/lib/i18n/i18n";
import { measures } from "./measure";
import { useMeasure } from "./use-measure";

const titles = { steps: "Steps", cost: "Cost", time: "Time" };
const choices = measures.map((name) => ({ name, title: titles[name] }));

/** The choice of what the sizes on the map show. */
export function MeasureChoice() {
  const [measure, setMeasure] = useMeasure();
  return (
    <span className="flex items-center gap-2 text-sm text-text-3">
      {t("Size by")}
      <Tabs label={t("Size by")} value={measure} onChange={setMeasure} tabs={choices} />
    </span>
  );
}
