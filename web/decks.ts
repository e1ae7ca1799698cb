/**
 * A Vite plugin for the images on cards: Adrian Kennard's, in the public domain (CC0), from a package.
 *
 * Each deck becomes one file, which the page fetches when it needs it: `{ "AS": "<svg ...", ... }`.
 */

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { optimize } from "svgo";
import type { Plugin } from "vite";

const MODULE = "virtual:decks";
const PACKAGE = "@heruka_urgyen/react-playing-cards";
/** Where the package is: the file that describes it. */
export const IMAGES = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
/** The name of each deck on the page, and its folder in the package. */
const DECKS = {
  "two-colour": "2color",
  "four-colour": "4color",
  "large-two-colour": "2color-bf",
  "large-four-colour": "4color-bf",
};
/** A darker red: bright red is hard to read on white. */
const RED = "#c8101f";

export function decks(): Plugin {
  let builds = false;
  return {
    name: "decks",
    configResolved(config) {
      builds = config.command === "build";
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return;
      const addresses = Object.entries(DECKS).map(([name, folder]) => {
        if (!builds) return [name, `/decks/${name}.json`];
        const reference = this.emitFile({
          type: "asset",
          name: `deck-${name}.json`,
          source: deck(folder),
        });
        return [name, `__VITE_ASSET__${reference}__`];
      });
      return `export default ${JSON.stringify(Object.fromEntries(addresses))}`;
    },
    configureServer(server) {
      server.middlewares.use("/decks", (request, response) => {
        const name = request.url!.slice(1, -".json".length);
        response.end(deck(DECKS[name as keyof typeof DECKS]));
      });
    },
  };
}

/** All images of a deck, minimized. */
function deck(folder: string): string {
  const images = join(dirname(IMAGES), "src/images", folder);
  const faces = readdirSync(images)
    .filter((file) => /^[A2-9TJQK][CDHS]\.svg$/.test(file))
    .map((file) => {
      const drawn = readFileSync(join(images, file), "utf8").replaceAll('"red"', `"${RED}"`);
      const { data } = optimize(drawn, { multipass: true, floatPrecision: 1 });
      return [file.slice(0, 2), data];
    });
  return JSON.stringify(Object.fromEntries(faces));
}
