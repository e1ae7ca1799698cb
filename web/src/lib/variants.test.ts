import { expect, it } from "vitest";
import { compatibleVariants, conflict, toggleVariant } from "./variants";

it("says which variant is in conflict", () => {
  const message = { key: "x", text: "both say so" };
  const variant = { name: "a", label: "a", why: "", excludes: [{ variant: "b", message }] };
  expect(conflict(variant, ["c"])).toBeUndefined();
  expect(conflict(variant, ["c", "b"])?.message.text).toBe("both say so");
  expect(conflict(variant, ["a", "b"])).toBeUndefined();
});

it("removes what a chosen variant excludes, and keeps the order of the file", () => {
  const message = { key: "x", text: "" };
  const variants = [
    { name: "a", label: "a", why: "", excludes: [{ variant: "b", message }] },
    { name: "b", label: "b", why: "", excludes: [{ variant: "a", message }] },
    { name: "c", label: "c", why: "", excludes: [] },
  ];
  expect(toggleVariant(variants, ["c"], "a", true)).toEqual(["a", "c"]);
  expect(toggleVariant(variants, ["a", "c"], "b", true)).toEqual(["b", "c"]);
  expect(toggleVariant(variants, ["b", "c"], "b", false)).toEqual(["c"]);
  expect(compatibleVariants(variants, ["a", "b", "c"])).toEqual(["b", "c"]);
});
