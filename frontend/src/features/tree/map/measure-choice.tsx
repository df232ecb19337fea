import { Tabs } from "@/components/form/tabs";
import { msg, t, translate } from "@/lib/i18n/i18n";
import { measures } from "./measure";
import { useMeasure } from "./use-measure";

const titles = { steps: msg("Steps"), cost: msg("Cost"), time: msg("Time") };

/** The choice of what the sizes on the map show. */
export function MeasureChoice() {
  const [measure, setMeasure] = useMeasure();
  const choices = measures.map((name) => ({ name, title: translate(titles[name]) }));
  return (
    <span className="flex items-center gap-2 text-sm text-text-3">
      {t("Size by")}
      <Tabs label={t("Size by")} value={measure} onChange={setMeasure} tabs={choices} />
    </span>
  );
}
