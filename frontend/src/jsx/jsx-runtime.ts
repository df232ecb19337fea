// React's JSX runtime, but no text reaches the page with characters that hide or reorder it. vite.config.ts and tsconfig.json name
// this folder as the source of JSX, so every component goes through it.

import type { ElementType, Key } from "react";
import * as react from "react/jsx-runtime";
import { visibleProps } from "./visible-props";

export type { JSX } from "react/jsx-runtime";
export const Fragment = react.Fragment;

export function jsx(type: ElementType, props: Record<string, unknown>, key?: Key) {
  return react.jsx(type, visibleProps(type, props), key);
}

export function jsxs(type: ElementType, props: Record<string, unknown>, key?: Key) {
  return react.jsxs(type, visibleProps(type, props), key);
}
