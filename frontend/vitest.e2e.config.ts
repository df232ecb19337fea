import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// End to end: the real program. Each file starts its own, with a screen, a port and a folder of its own.
export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  test: {
    include: ["e2e/**/*.test.ts"],
    environment: "node",
    setupFiles: ["e2e/failure.ts"],
    // More than processors: a test waits for its window most of the time.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As long as the page is waited for.
    expect: { poll: { timeout: 15_000 } },
  },
});
