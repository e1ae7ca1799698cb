/** Which part of the page may import which; `npm run lint` checks it with dependency-cruiser. */

/** The folders of `src` from the bottom up, each with those that it may import besides itself. */
const LAYERS = {
  board: [], // knows no pages, no server, no texts
  text: [],
  api: ["text"],
  lib: ["api", "text"],
  app: ["lib", "api", "text"],
  components: ["app", "lib", "api", "text", "board"],
  table: ["components", "app", "lib", "api", "text", "board"],
  pages: ["table", "components", "app", "lib", "api", "text", "board"],
};

const layers = Object.entries(LAYERS).map(([folder, below]) => ({
  name: `layer-${folder}`,
  comment: `src/${folder} may import only itself${below.map((each) => `, src/${each}`).join("")}.`,
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: { path: "^src/", pathNot: `^src/(${[folder, ...below].join("|")})/|[.](css|toml)([?]raw)?$` },
}));

export default {
  forbidden: [
    ...layers,
    {
      name: "no-cycles",
      comment: "Two modules that import each other are one module, or hide a third one.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-dead-modules",
      comment: "Nothing imports this module: delete it.",
      severity: "error",
      from: { path: "^src/", pathNot: "[.]test[.]ts$" },
      module: {
        path: "^src/",
        pathNot: "^src/main[.]ts$|[.](test|fixture)[.]ts$|[.]d[.]ts$",
        numberOfDependentsLessThan: 1,
      },
    },
    {
      name: "no-tests-in-the-page",
      severity: "error",
      from: { pathNot: "[.](test|fixture)[.]ts$" },
      to: { path: "[.](test|fixture)[.]ts$" },
    },
    {
      name: "no-unresolved-imports",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^virtual:" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["svelte", "browser", "import", "types", "default"],
      extensions: [".ts", ".d.ts", ".js"],
    },
  },
};
