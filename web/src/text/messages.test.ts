import { expect, it } from "vitest";
import { common } from "./common";
import { MESSAGES } from "./messages";
import { pages } from "./pages";
import { table } from "./table";

it("has the same gaps in both languages", () => {
  const gaps = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const [key, [en, de]] of Object.entries(MESSAGES)) {
    expect([key, gaps(de)]).toEqual([key, gaps(en)]);
  }
});

it("defines every text once", () => {
  const keys = [common, pages, table].flatMap((texts) => Object.keys(texts));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
