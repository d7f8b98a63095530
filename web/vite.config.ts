import { defineConfig } from "vite";

// The page, and the viewer as one module that others can import. Shaders are read where Python has them.
export default defineConfig({
  base: "./",
  server: { fs: { allow: [".."] } },
  worker: { format: "es" },
  build: {
    outDir: "../src/mien/serve/page",
    emptyOutDir: true,
    chunkSizeWarningLimit: 800,
    assetsInlineLimit: (file) => file.endsWith("streaks.png"),
    rolldownOptions: {
      input: { index: "index.html", viewer: "src/face/viewer.ts" },
      preserveEntrySignatures: "exports-only",
      output: { entryFileNames: ({ name }) => (name === "viewer" ? "viewer.js" : "assets/[name]-[hash].js") },
    },
  },
});
