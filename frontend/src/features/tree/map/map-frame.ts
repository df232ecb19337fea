import type { TurnWords } from "../turn/turn-words";
import type { TurnWork } from "../turn/turn-work";
import type { MapMarks, MapScene } from "./map-scene";
import type { MapTheme } from "./map-theme";
import type { MapRoom, MapView } from "./map-view";
import type { Measure } from "./measure";

/** All that a frame is drawn from. */
export interface MapFrame {
  scene: MapScene;
  marks: MapMarks;
  view: MapView;
  /** Of the canvas, in pixels of the page. */
  size: MapRoom;
  theme: MapTheme;
  /** Pixels of the screen to one of the page. */
  scale: number;
  words: TurnWords;
  /** Takes the turns in sight whose words are not here. */
  missing: number[];
  work: TurnWork;
  /** What the sizes on the map show. */
  measure: Measure;
  /** Takes the turns in sight whose size is not known yet, */
  unsized: number[];
  /** and those that are drawn as cards. */
  cards: number[];
}
