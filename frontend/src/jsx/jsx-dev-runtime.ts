// The same as jsx-runtime.ts, for development and tests.

import type { ElementType, Key } from "react";
import * as react from "react/jsx-dev-runtime";
import { visibleProps } from "./visible-props";

export type { JSX } from "react/jsx-runtime";
export const Fragment = react.Fragment;

export function jsxDEV(
  type: ElementType,
  props: Record<string, unknown>,
  key: Key | undefined,
  isStatic: boolean,
  ...rest: [source?: react.JSXSource, self?: unknown]
) {
  return react.jsxDEV(type, visibleProps(type, props), key, isStatic, ...rest);
}
