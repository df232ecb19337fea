import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// End to end: the real program, one at a time, because each starts a window.
export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  test: {
    include: ["e2e/**/*.test.ts"],
    environment: "node",
    setupFiles: ["e2e/failure.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As long as the page is waited for.
    expect: { poll: { timeout: 15_000 } },
  },
});
