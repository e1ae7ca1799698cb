/**
 * A Vite plugin that lists the packages of which something is in the built page, with their licences.
 *
 * The list becomes `third-party.json` beside `index.html`. The build of the Python package makes the
 * bill of materials and the collected licences from it.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

export interface Package {
  name: string;
  version: string;
  license: string;
  /** The files in which the package states its licence. */
  texts: string[];
}

/** @param images - a file of each package whose images are in the page; Vite knows only of code */
export function thirdParty(...images: string[]): Plugin {
  return {
    name: "third-party",
    apply: "build",
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
      const found = new Map<string, Package>();
      for (const module of [...modules, ...images]) {
        const root = packageOf(module.replace(/^\0/, "").replace(/\?.*$/, ""));
        if (root !== null) found.set(root, read(root));
      }
      const list = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      const source = `${JSON.stringify(list, null, 2)}\n`;
      this.emitFile({ type: "asset", fileName: "third-party.json", source });
    },
  };
}

/** The folder of the package that a module belongs to; null for our own modules. */
function packageOf(module: string): string | null {
  const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module.replaceAll("\\", "/"));
  return match !== null && existsSync(join(match[1]!, "package.json")) ? match[1]! : null;
}

function read(root: string): Package {
  const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const files = readdirSync(root).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  if (about.license === undefined) throw new Error(`${about.name} does not state its licence`);
  return {
    name: about.name,
    version: about.version,
    license: about.license,
    texts: files.sort().map((file) => readFileSync(join(root, file), "utf8")),
  };
}
