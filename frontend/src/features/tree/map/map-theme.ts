import { laneColors } from "../layout/lane-color";

/** The colors and types the map is drawn with, as the page has them now. */
export interface MapTheme {
  bg: string;
  surface: string;
  sunken: string;
  border: string;
  borderStrong: string;
  text: string;
  text2: string;
  text3: string;
  accent: string;
  accentSoft: string;
  error: string;
  /** Of what was found. */
  found: string;
  /** By lane color: 0 is the accent. */
  lanes: readonly string[];
  /** The same as 0xAABBGGRR, the order of bytes in a picture; paler but for the accent, because thousands of them stand beside one path. */
  lanePixels: Uint32Array;
  borderPixel: number;
  bgPixel: number;
  font: string;
}

/** Reads the theme from the page's CSS variables. */
export function readTheme(): MapTheme {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const accent = color("accent");
  const lanes = [accent];
  for (let lane = 1; lane <= laneColors; lane++) lanes.push(color(`lane-${lane}`));
  return {
    bg: color("bg"),
    surface: color("surface"),
    sunken: color("sunken"),
    border: color("border"),
    borderStrong: color("border-strong"),
    text: color("text"),
    text2: color("text-2"),
    text3: color("text-3"),
    accent,
    accentSoft: color("accent-soft"),
    error: color("error"),
    found: color("tool"),
    lanes,
    lanePixels: Uint32Array.from(lanes, (lane, index) =>
      index === 0 ? pixelOf(lane) : mixPixels(pixelOf(lane), pixelOf(color("bg")), 0.5),
    ),
    borderPixel: pixelOf(color("border")),
    bgPixel: pixelOf(color("bg")),
    font: getComputedStyle(document.body).fontFamily,
  };
}

/** "#2a7548" as a pixel. */
function pixelOf(hex: string): number {
  const value = Number.parseInt(hex.slice(1, 7), 16) || 0;
  const red = value >> 16;
  const green = (value >> 8) & 0xff;
  const blue = value & 0xff;
  return ((0xff << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** A pixel between two: the first at 0, the second at 1. */
function mixPixels(from: number, to: number, part: number): number {
  let mixed = 0xff000000;
  for (let shift = 0; shift < 24; shift += 8) {
    const a = (from >> shift) & 0xff;
    const b = (to >> shift) & 0xff;
    mixed |= Math.round(a + (b - a) * part) << shift;
  }
  return mixed >>> 0;
}
