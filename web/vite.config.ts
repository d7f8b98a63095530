import { defineConfig } from "vite";

// The viewer as one module; the pages come on top of it. Shaders are read where Python has them.
export default defineConfig({
  server: { fs: { allow: [".."] } },
  build: { lib: { entry: "src/viewer.ts", formats: ["es"], fileName: "viewer" }, assetsInlineLimit: 1_000_000 },
});
