import { expect, it } from "vitest";
import * as common from "./common";
import { MESSAGES, type Key } from "./messages";
import * as pages from "./pages";
import * as table from "./table";

it("has the same gaps in both languages", () => {
  const gaps = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const [key, text] of Object.entries(MESSAGES.en)) {
    expect([key, gaps(MESSAGES.de[key as Key])]).toEqual([key, gaps(text)]);
  }
});

it("defines every text once", () => {
  const keys = [common, pages, table].flatMap(({ en }) => Object.keys(en));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
