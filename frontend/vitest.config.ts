import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  test: {
    include: ["src/**/*.test.{ts,tsx}"],
    environment: "happy-dom",
    setupFiles: ["./src/testing/setup.ts"],
    // Numbers and times are in the user's locale and zone; the tests name theirs.
    env: { TZ: "UTC", LANG: "en_US.UTF-8" },
    restoreMocks: true,
    // Patience for a busy machine; nothing is measured.
    testTimeout: 60_000,
  },
});
