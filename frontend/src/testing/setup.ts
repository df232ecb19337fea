// Runs before each test file.

import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);

// happy-dom draws nothing: a list that asks for its height gets a screen's worth.
const size = { width: 1280, height: 800 };
Object.defineProperty(HTMLElement.prototype, "offsetHeight", { get: () => size.height });
Object.defineProperty(HTMLElement.prototype, "offsetWidth", { get: () => size.width });
Element.prototype.scrollIntoView ??= () => {};
