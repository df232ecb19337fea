// Runs before each test file.

import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);
// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 20_000 });

// happy-dom draws nothing: a list that asks for its height gets a screen's worth.
const size = { Width: 1280, Height: 800 };
for (const [side, pixels] of Object.entries(size)) {
  Object.defineProperty(HTMLElement.prototype, `offset${side}`, { get: () => pixels });
  Object.defineProperty(HTMLElement.prototype, `client${side}`, { get: () => pixels });
}
Element.prototype.scrollIntoView ??= () => {};
