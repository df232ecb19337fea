import { describe, expect, it } from "vitest";
import {
  bendOf,
  bestOrientation,
  centerMap,
  depthAt,
  depthTop,
  fitMap,
  isAllInSight,
  isInSight,
  laneAt,
  laneLeft,
  openMap,
  panMap,
  resizeMap,
  scaleView,
  zoomMap,
} from "./map-view";

const size = { width: 340, height: 600 };
const extents = [
  { lanes: 1, depths: 1 },
  { lanes: 4, depths: 14 },
  { lanes: 1, depths: 100_000 },
  { lanes: 30_000, depths: 31 },
];

describe("all in sight", () => {
  const depthHeight = (depths: number, height: number) =>
    fitMap({ lanes: 20, depths, orientation: "right" }, { width: 700, height }).depthHeight;

  it("leaves the turns of a shallow map that grows right more room for words in a wider window", () => {
    expect(depthHeight(4, 700)).toBe(140);
    expect(depthHeight(4, 1280)).toBeCloseTo(1240 / 6);
    expect(depthHeight(4, 1920)).toBe(230);
    expect(depthHeight(40, 1280)).toBeCloseTo(31);
  });
});

describe.each(extents)("the view of $lanes lanes and $depths depths", (extent) => {
  it("has all in sight when it fits", () => {
    const view = fitMap(extent, size);
    expect(isAllInSight(view, extent, size)).toBe(true);
    expect(laneAt(view, laneLeft(view, 0) + 0.01 * view.laneWidth)).toBe(0);
    expect(depthAt(view, depthTop(view, extent.depths - 0.5))).toBe(extent.depths - 1);
  });

  it("keeps the point under the pointer while it zooms in", () => {
    const fit = fitMap(extent, size);
    const at = { x: 170, y: 300 };
    let view = zoomMap(fit, 3, at, extent, size);
    const lane = (at.x + view.left) / view.laneWidth;
    const depth = (at.y + view.top) / view.depthHeight;
    const wider = view.laneWidth * extent.lanes > 2 * size.width;
    const higher = view.depthHeight * extent.depths > 2 * size.height;
    view = zoomMap(view, 1.1, at, extent, size);
    if (wider) expect((at.x + view.left) / view.laneWidth).toBeCloseTo(lane, 3);
    if (higher) expect((at.y + view.top) / view.depthHeight).toBeCloseTo(depth, 3);
  });

  it("zooms no further than to cards, and out no further than to all", () => {
    const fit = fitMap(extent, size);
    const at = { x: 10, y: 10 };
    const near = zoomMap(fit, 1e9, at, extent, size);
    expect([near.laneWidth, near.depthHeight]).toEqual([250, 86]);
    const far = zoomMap(near, 1e-9, at, extent, size);
    expect(far.laneWidth).toBeCloseTo(fit.laneWidth);
    expect(far.depthHeight).toBeCloseTo(fit.depthHeight);
    expect(isAllInSight(far, extent, size)).toBe(true);
  });

  it("can be moved until its last turn stands above the minimap", () => {
    const room = { ...size, corner: { width: 100, height: 140 } };
    const near = zoomMap(fitMap(extent, room), 1e9, { x: 10, y: 10 }, extent, room);
    const last = depthTop(panMap(near, 0, 1e9, extent, room), extent.depths);
    const whole = isAllInSight(near, extent, room);
    expect(last).toBeLessThanOrEqual(whole ? size.height : size.height - room.corner.height);
    const seen = centerMap(near, extent.lanes - 1, extent.depths - 1, extent, room);
    expect(isInSight(seen, extent.lanes - 1, extent.depths - 1, room)).toBe(true);
  });

  it("cannot be moved off the map", () => {
    const near = zoomMap(fitMap(extent, size), 1e9, { x: 0, y: 0 }, extent, size);
    for (const [right, down] of [
      [1e9, 1e9],
      [-1e9, -1e9],
    ] as const) {
      const view = panMap(near, right, down, extent, size);
      expect(laneLeft(view, 0)).toBeLessThanOrEqual(size.width);
      expect(laneLeft(view, extent.lanes)).toBeGreaterThanOrEqual(0);
      expect(depthTop(view, extent.depths)).toBeGreaterThanOrEqual(0);
    }
  });

  it("brings any place in sight", () => {
    const near = zoomMap(fitMap(extent, size), 1e9, { x: 0, y: 0 }, extent, size);
    const [lane, depth] = [extent.lanes - 1, extent.depths - 1];
    expect(isInSight(centerMap(near, lane, depth, extent, size), lane, depth, size)).toBe(true);
  });
});

it("a scaled view shows the same", () => {
  const view = { laneWidth: 20, depthHeight: 10, left: -7, top: 33 };
  const twice = scaleView(view, 2);
  expect(laneLeft(twice, 3)).toBe(2 * laneLeft(view, 3));
  expect(depthTop(twice, 9)).toBe(2 * depthTop(view, 9));
});

describe("the first view", () => {
  const near = { lanes: 300, depths: 5000 };

  it("has room for words where not all of the tree fits", () => {
    const view = openMap(0, 4999, near, size);
    expect([view.laneWidth, view.depthHeight]).toEqual([112, 26]);
    expect(isInSight(view, 0, 4999, size)).toBe(true);
  });

  it("is all of a tree that fits with its words", () => {
    const small = { lanes: 3, depths: 9 };
    expect(isAllInSight(openMap(0, 8, small, size), small, size)).toBe(true);
  });

  it("keeps a small tree in sight when the pane gets wider or narrower", () => {
    const small = { lanes: 3, depths: 9 };
    const wide = { width: 760, height: 700 };
    const view = resizeMap(openMap(0, 8, small, size), small, size, wide);
    expect(view.laneWidth).toBeGreaterThan(140);
    expect(isAllInSight(resizeMap(view, small, wide, size), small, size)).toBe(true);
    const part = openMap(0, 4999, near, size);
    const resized = resizeMap(part, near, size, wide);
    expect(resized.laneWidth).toBe(part.laneWidth);
  });
});

it("a tree grows to where more of it is in sight", () => {
  expect(bestOrientation({ lanes: 22, depths: 3 }, size)).toBe("right");
  expect(bestOrientation({ lanes: 4, depths: 6 }, size)).toBe("down");
  expect(bestOrientation({ lanes: 12, depths: 1015 }, size)).toBe("down");
  expect(bestOrientation({ lanes: 1, depths: 1 }, size)).toBe("down");
});

it("the line to a fork leaves between the cards, and after the words below a turn", () => {
  const words = { laneWidth: 40, depthHeight: 124, left: 0, top: 0 };
  const cards = { laneWidth: 84, depthHeight: 216, left: 0, top: 0 };
  const extent = { lanes: 2, depths: 2 };
  expect(bendOf(words, { ...extent, orientation: "right" })).toBe(16);
  expect(bendOf(cards, { ...extent, orientation: "right" })).toBe(108);
  expect(bendOf(words, extent)).toBe(62);
});

it("has what the minimap covers out of sight", () => {
  const room = { ...size, corner: { width: 100, height: 140 } };
  const view = { laneWidth: 236, depthHeight: 64, left: 0, top: 0 };
  expect(isInSight(view, 1, 7, size)).toBe(true);
  expect(isInSight(view, 1, 7, room)).toBe(false);
  expect(isInSight(view, 0, 7, room)).toBe(true);
  expect(isInSight(view, 1, 6, room)).toBe(true);
});
