import { describe, expect, it } from "vitest";
import {
  centerMap,
  depthAt,
  depthTop,
  fitMap,
  isAllInSight,
  isInSight,
  laneAt,
  laneLeft,
  panMap,
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
    expect([near.laneWidth, near.depthHeight]).toEqual([236, 64]);
    const far = zoomMap(near, 1e-9, at, extent, size);
    expect(far.laneWidth).toBeCloseTo(fit.laneWidth);
    expect(far.depthHeight).toBeCloseTo(fit.depthHeight);
    expect(isAllInSight(far, extent, size)).toBe(true);
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
