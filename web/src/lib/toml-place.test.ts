import { expect, test } from "vitest";
import { placeAt } from "./toml-place";

/** The place of the sign "|" in a text. */
function at(text: string) {
  return placeAt(text.replace("|", ""), text.indexOf("|"));
}

test("keys of the head and of a table", () => {
  expect(at('name = "A"\npa|')).toMatchObject({ kind: "key", table: [], typed: "pa", from: 11 });
  expect(at("[tableau]\npiles = 4\nb|\nspace = 1\n[stock]\ndeals = 1")).toMatchObject({
    kind: "key",
    table: ["tableau"],
    typed: "b",
    used: ["piles", "space"],
  });
  expect(at("[variants.hard.tableau]\n|")).toMatchObject({
    table: ["variants", "hard", "tableau"],
  });
  expect(at("tableau.pi|")).toMatchObject({ kind: "key", table: ["tableau"], typed: "pi" });
  expect(at("[[rule]]\nfrom = 1\n[[rule]]\n|")).toMatchObject({ table: ["rule"], used: [] });
});

test("values, with and without quotes", () => {
  expect(at("[tableau]\nspace = |")).toMatchObject({ kind: "value", key: "space", typed: "" });
  expect(at('[tableau]\nspace = "any| ca"\n')).toMatchObject({
    kind: "value",
    table: ["tableau"],
    typed: "any",
    from: 19,
    to: 25,
    quote: '"',
    closed: true,
  });
  expect(at('space = "any|\nx = 1')).toMatchObject({ typed: "any", closed: false, quote: '"' });
  expect(at('when = ["a", "b|"]')).toMatchObject({ kind: "value", key: "when", typed: "b" });
  expect(at('when = [\n  "a",\n  |')).toMatchObject({ kind: "value", key: "when" });
});

test("inline tables, in lists as well", () => {
  expect(at("layout = [ { deal = 1, t|")).toMatchObject({
    kind: "key",
    table: ["layout"],
    typed: "t",
    used: ["deal"],
  });
  expect(at('layout = [ { deal = 1 },\n  { to = "|" } ]')).toMatchObject({
    kind: "value",
    table: ["layout"],
    key: "to",
  });
  expect(at('names = { de = "A" }\n|')).toMatchObject({ kind: "key", table: [] });
});

test("headers", () => {
  expect(at("[fo|]")).toMatchObject({ kind: "header", table: [], typed: "fo", from: 1, to: 3 });
  expect(at("[variants.hard.|")).toMatchObject({ kind: "header", table: ["variants", "hard"] });
  expect(at("[[ru|")).toMatchObject({ kind: "header", typed: "ru" });
});

test("nothing is completed in comments, long texts, and behind what is complete", () => {
  for (const text of ["# a |", 'x = """a |', 'x = "a" |', "x = 4 |", "[tableau] |", "piles |"])
    expect(at(text)).toBeNull();
});

test("a bracket that is still open does not swallow the rest", () => {
  expect(at('[tableau]\nbuild = ["down"\nspace = "|"')).toMatchObject({
    table: ["tableau"],
    key: "space",
  });
  expect(at("start = { deal = 1\n[stock]\nd|")).toMatchObject({ kind: "key", table: ["stock"] });
});
