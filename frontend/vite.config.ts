import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { fakeBlobs } from "./src/testing/fake-blobs";

export default defineConfig({
  plugins: [
    react({ jsxImportSource: "@/jsx" }),
    tailwindcss(),
    fakeBlobs(),
    withoutPolicy(),
    oneFontFormat(),
  ],
  // Go's asset handler answers GETs that Vite has no file for; Vite must not shadow them.
  appType: "mpa",
  resolve: {
    alias: {
      "@": fileURLToPath(new URL("./src", import.meta.url)),
      "elkjs/lib/elk.bundled.js": fileURLToPath(
        new URL("./src/features/transcript/text/no-elk.ts", import.meta.url),
      ),
    },
  },
  build: {
    target: "es2022",
    chunkSizeWarningLimit: 2000,
    // The content policy allows fonts of the program alone, not those within a style sheet.
    assetsInlineLimit: (file) => (file.endsWith(".woff2") ? false : undefined),
  },
});

/** Takes the content policy out in development, where Vite reloads modules by inline scripts. */
function withoutPolicy(): Plugin {
  return {
    name: "without-policy",
    apply: "serve",
    transformIndexHtml: (html) =>
      html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ""),
  };
}

/** Leaves the older formats of KaTeX's fonts out: every engine that shows the window reads woff2. */
function oneFontFormat(): Plugin {
  return {
    name: "one-font-format",
    enforce: "pre",
    transform: (code, id) =>
      /katex.*\.css/.test(id)
        ? code.replace(/,\s*url\([^)]*\.(woff|ttf)\)\s*format\("[^"]*"\)/g, "")
        : undefined,
  };
}
