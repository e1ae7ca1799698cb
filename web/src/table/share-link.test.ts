import { describe, expect, it } from "vitest";
import { MAX_MOVES, parseLink, routeOfLink } from "./share-link";

describe("a link", () => {
  const parsed = (query: string): unknown => parseLink(new URLSearchParams(query));

  it("names a deal, or a line", () => {
    expect(parsed("game=klondike&deal=ms:617")).toEqual({
      game: "klondike",
      source: { deal: "ms:617" },
      line: null,
    });
    expect(parsed("game=golf&deck=AS+TC&line=deal%3B+a.1+%3E+b.2%3B")).toEqual({
      game: "golf",
      source: { deck: "AS TC" },
      line: ["deal", "a.1 > b.2"],
    });
  });

  it("says what is wrong with it", () => {
    expect(parsed("deal=ms:617")).toBe("linkGame");
    expect(parsed("game=golf")).toBe("linkDeal");
    expect(parsed("game=golf&deal=&deck= ")).toBe("linkDeal");
    expect(parsed("game=golf&deal=ms:1&deck=AS")).toBe("linkBoth");
    expect(parsed(`game=golf&deal=ms:1&line=${"deal;".repeat(MAX_MOVES + 1)}`)).toBe("linkLong");
  });

  it("is found in a text", () => {
    const query = "?game=golf&deal=ms%3A1";
    expect(routeOfLink(` http://x:7617/s${query}\n`)).toBe(`#/share${query}`);
    expect(routeOfLink(`http://x:7617/#/share${query}`)).toBe(`#/share${query}`);
    expect(routeOfLink("http://x:7617/c/k3v9x2m8q1w7e5r4")).toBe("#/challenge/k3v9x2m8q1w7e5r4");
    expect(routeOfLink("http://x:7617/s/x")).toBeNull();
    expect(routeOfLink("http://x:7617/#/rules/golf")).toBeNull();
    expect(routeOfLink("deal")).toBeNull();
  });
});
