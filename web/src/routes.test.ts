import { describe, expect, it } from "vitest";
import { join, read, split, titled, to } from "./routes";
import { Speech } from "./text";

describe("addresses", () => {
  it("are written and read again", () => {
    const address = to("rules", "own.möhre.1a2b3c4d:a+b", { deal: "ms:1" });
    const route = read(address);
    expect([route.page, route.name]).toEqual(["rules", "own.möhre.1a2b3c4d:a+b"]);
    expect(route.query.get("deal")).toBe("ms:1");
    expect(to("")).toBe("#/");
    expect(read("")).toMatchObject({ page: "", name: "" });
    expect(read("#/settings")).toMatchObject({ page: "settings", name: "" });
  });

  it("that cannot be read are of no page", () => {
    expect(read("#/rules/%zz").page).toBe("?");
    expect(read("#/a/b/c?d").name).toBe("b/c");
  });
});

it("takes a game and its variants apart and together", () => {
  expect(split("klondike:draw-three+no-return")).toEqual({
    base: "klondike",
    variants: ["draw-three", "no-return"],
  });
  expect(split("golf")).toEqual({ base: "golf", variants: [] });
  expect(join("golf", [])).toBe("golf");
  expect(join("golf", ["a", "b"])).toBe("golf:a+b");
  expect(titled("Golf", "golf:round-the-corner", new Speech("en"))).toBe("Golf (round the corner)");
});
