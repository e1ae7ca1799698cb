import { describe, expect, it, vi } from "vitest";
import { Speech } from "../text/speech";
import {
  joinVariants,
  linkTo,
  parseRoute,
  routeOfAddress,
  splitVariants,
  titleWithVariants,
  to,
} from "./routes";

describe("addresses", () => {
  it("are written and parsed again", () => {
    const address = to("rules", "own.möhre.1a2b3c4d:a+b", { deal: "ms:1" });
    const route = parseRoute(address);
    expect([route.page, route.name]).toEqual(["rules", "own.möhre.1a2b3c4d:a+b"]);
    expect(route.query.get("deal")).toBe("ms:1");
    expect(to("")).toBe("#/");
    expect(parseRoute("")).toMatchObject({ page: "", name: "" });
    expect(parseRoute("#/settings")).toMatchObject({ page: "settings", name: "" });
  });

  it("that are malformed lead to no page", () => {
    expect(parseRoute("#/rules/%zz").page).toBe("?");
    expect(parseRoute("#/table/nonsense").page).toBe("?");
    expect(parseRoute("#/table/0123456789abcdef").page).toBe("table");
    expect(parseRoute("#/challenge?table=x").page).toBe("challenge");
    expect(parseRoute("#/a/b/c?d").name).toBe("b/c");
  });
});

it("splits and joins a game and its variants", () => {
  expect(splitVariants("klondike:draw-three+no-return")).toEqual({
    base: "klondike",
    variants: ["draw-three", "no-return"],
  });
  expect(splitVariants("golf")).toEqual({ base: "golf", variants: [] });
  expect(joinVariants("golf", [])).toBe("golf");
  expect(joinVariants("golf", ["a", "b"])).toBe("golf:a+b");
  expect(titleWithVariants("Golf", "golf:round-the-corner", new Speech("en"))).toBe(
    "Golf (round the corner)",
  );
});

describe("links for others", () => {
  it("have addresses of their own, which lead to pages", () => {
    vi.stubGlobal("location", { origin: "http://x:7617" });
    for (const [page, name, query] of [
      ["challenge", "k3v9", ""],
      ["watch", "a-b_c", ""],
      ["share", "", "game=golf&deal=ms%3A1"],
    ] as const) {
      const address = linkTo(page, name, query);
      expect(routeOfAddress(new URL(address))).toBe(
        `#/${page}${name ? `/${name}` : ""}${query ? `?${query}` : ""}`,
      );
    }
    expect(linkTo("challenge", "k3v9", "", "de")).toBe("http://x:7617/c/k3v9?lang=de");
    for (const path of ["/", "/c/", "/c/a/b", "/s/x", "/rules/golf"]) {
      expect(routeOfAddress(new URL(`http://x${path}`))).toBeNull();
    }
    vi.unstubAllGlobals();
  });
});
