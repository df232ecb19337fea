import { defineConfig } from "vitest/config";

// What app/bench asks of the screen: the real program, with nothing else running beside it.
export default defineConfig({
  test: {
    include: ["e2e/**/*.bench.ts", "e2e/live-tail.test.ts"],
    environment: "node",
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
});
