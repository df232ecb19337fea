// The part of the map in sight. Lanes go across and depth goes down; a map that lies is drawn with both exchanged,
// and here nothing knows of it but the scales. Across and down have scales of their own, so that a chain of 100,000
// turns and a comb of 10,000 both fill the window when all is in sight; zooming in brings both up to
// the size of cards.

/** The size of the window on the map, in pixels. */
export interface MapSize {
  width: number;
  height: number;
}

/** The window with the room in its last corner, of the last lanes at the last depths, that the minimap covers. */
export interface MapRoom extends MapSize {
  corner?: MapSize | undefined;
}

/** Where a tree grows to. */
export type Orientation = "down" | "right";

/** How much there is to see. */
export interface MapExtent {
  lanes: number;
  depths: number;
  /** Down where nothing is said. */
  orientation?: Orientation;
}

/** What is in sight: pixels per lane and per depth, and how far the window's corner is from that of lane 0 at depth 0. */
export interface MapView {
  laneWidth: number;
  depthHeight: number;
  left: number;
  top: number;
}

/** Around the map when all is in sight. */
const margin = 20;
/** The scales of cards, beyond which nothing gets more readable. */
const most = {
  down: { laneWidth: 250, depthHeight: 86 },
  right: { laneWidth: 104, depthHeight: 236 },
};
/** The scales of a small tree in a large window. */
const mostToFit = {
  down: { laneWidth: 148, depthHeight: 40 },
  right: { laneWidth: 48, depthHeight: 140 },
};
/** A shallow map that grows right is as wide as the window: so far apart are its turns at most, */
const widestTurns = 230;
/** and so many times that far reach the words of its last ones. */
const lastWords = 2;
/** How close the map opens, with room for words; */
const withWords = {
  down: { laneWidth: 112, depthHeight: 26 },
  right: { laneWidth: 40, depthHeight: 124 },
};
/** where from here on all of it is in sight, no closer than that. */
const leastWithWords = {
  down: { laneWidth: 60, depthHeight: 20 },
  right: { laneWidth: 30, depthHeight: 80 },
};
/** Lanes narrower than this have no words beside them, which stand in the middle then. */
const wordlessLane = 24;
/** While turns are less than a pixel high, lanes far apart would only tear the picture. */
const closeLanes = 12;

/** The view in pixels that are smaller by a factor. */
export function scaleView({ laneWidth, depthHeight, left, top }: MapView, factor: number): MapView {
  return {
    laneWidth: laneWidth * factor,
    depthHeight: depthHeight * factor,
    left: left * factor,
    top: top * factor,
  };
}

/** How far right of its lane's left edge a strand's line is at most: the rest is for text. */
export const lineInset = 14;

/** The left edge of a lane. */
export function laneLeft({ laneWidth, left }: MapView, lane: number): number {
  return lane * laneWidth - left;
}

/** The upper edge of a depth. */
export function depthTop({ depthHeight, top }: MapView, depth: number): number {
  return depth * depthHeight - top;
}

/** The lane at a distance from the left edge; may be out of range. */
export function laneAt({ laneWidth, left }: MapView, x: number): number {
  return Math.floor((x + left) / laneWidth);
}

/** The depth at a distance from the upper edge; may be out of range. */
export function depthAt({ depthHeight, top }: MapView, y: number): number {
  return Math.floor((y + top) / depthHeight);
}

/** All in sight. */
export function fitMap(extent: MapExtent, size: MapRoom): MapView {
  const { lanes, depths } = extent;
  const largest = mostToFit[extent.orientation ?? "down"];
  const room = (pixels: number, parts: number) =>
    Math.max(1, pixels - 2 * margin) / Math.max(1, parts);
  const wide = Math.min(widestTurns, room(size.height, depths + lastWords));
  const most =
    extent.orientation === "right" ? Math.max(largest.depthHeight, wide) : largest.depthHeight;
  const depthHeight = Math.min(most, room(size.height, depths));
  const widest = depthHeight < 1 ? closeLanes : largest.laneWidth;
  return centered(
    { laneWidth: Math.min(widest, room(size.width, lanes)), depthHeight, left: 0, top: 0 },
    extent,
    size,
  );
}

/** From these sizes on the turns of a map that grows right are cards. */
export const lyingCard = { laneWidth: 72, depthHeight: 150 };
/** The words below a turn end where the line to a fork leaves; */
const lyingBend = 16;

/** How far before the first turn of a fork the line to it leaves: halfway, between the rows of words and of cards. */
export function bendOf({ laneWidth, depthHeight }: MapView, { orientation }: MapExtent): number {
  const isCard = laneWidth >= lyingCard.laneWidth && depthHeight >= lyingCard.depthHeight;
  const halfway = depthHeight / 2;
  return orientation === "right" && !isCard ? Math.min(halfway, lyingBend) : halfway;
}

/** The first view: all that has room for words across and along, else the surroundings of a place. */
export function openMap(lane: number, depth: number, extent: MapExtent, size: MapRoom): MapView {
  return centerMap(nearMap(fitMap(extent, size), extent), lane, depth, extent, size);
}

/** So close that there is room for words. */
export function nearMap(view: MapView, { orientation = "down" }: MapExtent): MapView {
  const close = withWords[orientation];
  const least = leastWithWords[orientation];
  return {
    ...view,
    laneWidth: view.laneWidth >= least.laneWidth ? view.laneWidth : close.laneWidth,
    depthHeight: view.depthHeight >= least.depthHeight ? view.depthHeight : close.depthHeight,
  };
}

/** Where a tree grows to so that most of it is in sight with its words; down where that is the same. */
export function bestOrientation({ lanes, depths }: MapExtent, size: MapSize): Orientation {
  const inSight = (
    width: number,
    height: number,
    { laneWidth, depthHeight }: typeof withWords.down,
  ) => Math.min(lanes, width / laneWidth) * Math.min(depths, height / depthHeight);
  const down = inSight(size.width, size.height, withWords.down);
  return inSight(size.height, size.width, withWords.right) > 1.2 * down ? "right" : "down";
}

/** Larger by a factor (smaller below 1) around a point, between all in sight and cards. */
export function zoomMap(
  view: MapView,
  factor: number,
  at: { x: number; y: number },
  extent: MapExtent,
  size: MapRoom,
): MapView {
  const fit = fitMap(extent, size);
  const largest = most[extent.orientation ?? "down"];
  const within = (value: number, low: number, high: number) =>
    Math.min(Math.max(value, Math.min(low, high)), high);
  const laneWidth = within(view.laneWidth * factor, fit.laneWidth, largest.laneWidth);
  const depthHeight = within(view.depthHeight * factor, fit.depthHeight, largest.depthHeight);
  const left = (at.x + view.left) * (laneWidth / view.laneWidth) - at.x;
  const top = (at.y + view.top) * (depthHeight / view.depthHeight) - at.y;
  return boundMap({ laneWidth, depthHeight, left, top }, extent, size);
}

/** Moved by pixels. */
export function panMap(
  view: MapView,
  right: number,
  down: number,
  extent: MapExtent,
  size: MapRoom,
): MapView {
  return boundMap({ ...view, left: view.left + right, top: view.top + down }, extent, size);
}

/** In a window of another size: all of it still where all was in sight, else the same part. */
export function resizeMap(
  view: MapView,
  extent: MapExtent,
  before: MapRoom,
  size: MapRoom,
): MapView {
  return isAllInSight(view, extent, before) ? fitMap(extent, size) : boundMap(view, extent, size);
}

/** With a turn's place in the middle, as far as the map reaches. */
export function centerMap(
  view: MapView,
  lane: number,
  depth: number,
  extent: MapExtent,
  size: MapRoom,
): MapView {
  const left = (lane + 0.5) * view.laneWidth - size.width / 2;
  const top = (depth + 0.5) * view.depthHeight - size.height / 2;
  return boundMap({ ...view, left, top }, extent, size);
}

/** Whether a turn's place is in sight, not only its edge, and not below the minimap. */
export function isInSight(view: MapView, lane: number, depth: number, size: MapRoom): boolean {
  const x = laneLeft(view, lane) + Math.min(view.laneWidth / 2, lineInset);
  const y = depthTop(view, depth + 0.5);
  const { width = 0, height = 0 } = size.corner ?? {};
  if (x > size.width - width && y > size.height - height) return false;
  return x >= 0 && x <= size.width && y >= margin / 2 && y <= size.height - margin / 2;
}

/** Whether nothing of the map is out of sight. */
export function isAllInSight(view: MapView, extent: MapExtent, size: MapRoom): boolean {
  return (
    laneLeft(view, 0) >= 0 &&
    depthTop(view, 0) >= 0 &&
    laneLeft(view, extent.lanes) <= size.width &&
    depthTop(view, extent.depths) <= size.height
  );
}

// The map ends at its margins, and extends so far that its last turns are visible above the minimap, which appears unless all is visible;
// what is smaller than the window is centred.
function boundMap(view: MapView, extent: MapExtent, size: MapRoom): MapView {
  const middle = centered(view, extent, size);
  const bound = (at: number, content: number, room: number, center: number) =>
    content <= room ? center : Math.min(Math.max(at, -margin), content - room - margin);
  const { width, height } = contentOf(view, extent);
  const isWhole = width <= size.width && height <= size.height;
  const covered = isWhole || !size.corner ? 0 : size.corner.height - margin;
  return {
    ...view,
    left: bound(view.left, width, size.width, middle.left),
    top: bound(view.top, height + covered, size.height, middle.top),
  };
}

function contentOf(view: MapView, { lanes, depths }: MapExtent): MapSize {
  return {
    width: lanes * view.laneWidth + 2 * margin,
    height: depths * view.depthHeight + 2 * margin,
  };
}

// From the top, for a tree grows down, and across in the middle; the more room the words right of it need, the further left.
function centered(view: MapView, extent: MapExtent, size: MapSize): MapView {
  const { width } = contentOf(view, extent);
  const wordy = withWords.down.laneWidth;
  const leaves =
    extent.orientation === "right" ? 1 : (wordy - view.laneWidth) / (wordy - wordlessLane);
  const middle = (Math.min(0, width - size.width) / 2) * Math.min(Math.max(leaves, 0), 1);
  return { ...view, left: middle - margin, top: -margin };
}
