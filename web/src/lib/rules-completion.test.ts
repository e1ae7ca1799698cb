import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { offersAt, type Vocabulary } from "./rules-completion";

const SCHEMA = "../python/cadogan/catalogue/cadogan.schema.json";
const VOCABULARY: Vocabulary = {
  json_schema: JSON.parse(readFileSync(SCHEMA, "utf8")) as Record<string, unknown>,
  groups: ["stock", "foundations", "tableau"],
  phrases: { build: ["up in suit", "down"], refill: ["waste or stock"], redeals: ["unlimited"] },
  piles: ["refill"],
};

/** What is offered at the sign "|" of a text. */
function offered(text: string) {
  return offersAt(text.replace("|", ""), text.indexOf("|"), VOCABULARY)?.offers ?? [];
}
function labels(text: string): string[] {
  return offered(text).map((offer) => offer.label);
}

test("keys of the table one is in, except those it has", () => {
  const keys = labels("[tableau]\npiles = 4\n|\nspace = 1");
  expect(keys).toContain("build");
  expect(keys).not.toContain("piles");
  expect(keys).not.toContain("space");
  expect(keys).not.toContain("packs");
  expect(labels("|")).toContain("packs");
  expect(labels("layout = [{ |")).toContain("gather");
  expect(labels("[[rule]]\n|")).toContain("forced");
  expect(labels("[variants.hard]\n|")).toContain("drop");
  expect(labels("[variants.hard.tableau]\n|")).toContain("build");
});

test("a key is inserted with its sign, if there is none", () => {
  expect(offered("pa|")[0]).toMatchObject({ kind: "key", insert: expect.stringMatching(/ = $/) });
  expect(offered("pa| = 2").map((offer) => offer.insert)).toContain("packs");
  expect(offered("pa|").find((offer) => offer.label === "packs")?.about).toMatch(/packs/);
});

test("values from the schema, phrases from the catalogue, names from the file", () => {
  expect(labels("[cells]\nrole = |")).toContain("foundation");
  expect(labels("[cells]\nworrying_back = |")).toEqual(["true", "false"]);
  expect(labels("[tableau]\nbuild = |")).toEqual(["up in suit", "down"]);
  expect(labels("[stock]\nredeals = |")).toEqual(["unlimited"]);
  expect(labels("[garden]\n[tableau]\nrefill = |")).toEqual([
    "garden",
    "tableau",
    "waste or stock",
  ]);
  expect(labels('[tableau]\nnobody = "|"')).toEqual([]);
});

test("a text gets the quotes that it lacks", () => {
  const insert = (text: string) => offered(text).map((offer) => offer.insert)[0];
  expect(insert("[tableau]\nbuild = |")).toBe('"up in suit"');
  expect(insert('[tableau]\nbuild = "u|')).toBe('up in suit"');
  expect(insert('[tableau]\nbuild = "u|"')).toBe("up in suit");
  expect(insert("[tableau]\nbuild = 'u|'")).toBe("up in suit");
  expect(labels('[cells]\nworrying_back = "|"')).toEqual([]);
});

test("headers: tables of the schema, and groups that the file has not", () => {
  expect(labels("[stock]\n[|]")).toEqual(expect.arrayContaining(["foundations", "score"]));
  expect(labels("[stock]\n[|]")).not.toContain("stock");
  expect(labels("[[|")).toContain("rule");
  expect(labels("[[|")).not.toContain("score");
  expect(labels("[garden]\n[variants.hard.|]")).toEqual(
    expect.arrayContaining(["garden", "stock"]),
  );
});
