import { useWindowState } from "@/lib/store/window-state";
import { type Measure, measures } from "./measure";

const firstMeasure = "steps" as Measure;

/** What the sizes on the map show, and the way to change it. */
export function useMeasure(): [Measure, (measure: Measure) => void] {
  const [measure, setMeasure] = useWindowState("mapMeasure", firstMeasure);
  return [measures.includes(measure) ? measure : firstMeasure, setMeasure];
}
