import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { fakeBlobs } from "./src/testing/fake-blobs";

export default defineConfig({
  plugins: [react({ jsxImportSource: "@/jsx" }), tailwindcss(), fakeBlobs(), withoutPolicy()],
  // Go's asset handler answers GETs that Vite has no file for; Vite must not shadow them.
  appType: "mpa",
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: { target: "es2022", chunkSizeWarningLimit: 2000 },
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
