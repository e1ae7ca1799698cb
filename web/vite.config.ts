import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { decks, IMAGES } from "./decks.ts";
import { thirdParty } from "./third-party.ts";

export default defineConfig({
  plugins: [svelte(), decks(), thirdParty(IMAGES)],
  // `make play` should print problems and nothing else.
  logLevel: "warn",
  build: {
    rolldownOptions: { checks: { pluginTimings: false } },
    outDir: "../python/cadogan/web/dist",
    emptyOutDir: true,
    // The server's policy allows no code and no styles inside the document.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:7617", ws: true } } },
  test: { include: ["src/**/*.test.ts"] },
});
