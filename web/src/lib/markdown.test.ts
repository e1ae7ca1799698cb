import { expect, it } from "vitest";
import { parseBlocks, parseSpans } from "./markdown";

it("splits a text into blocks", () => {
  const blocks = parseBlocks(
    "# Golf\n\nA game\nof luck.\n\n- one\n  more\n- two\n\n1. first\n2. then\n   again\n\n    A . B\n    C . D\n",
  );
  expect(blocks).toEqual([
    { kind: "h1", lines: ["Golf"] },
    { kind: "text", lines: ["A game", "of luck."] },
    { kind: "list", lines: ["one more", "two"] },
    { kind: "ordered", lines: ["first", "then again"] },
    { kind: "code", lines: ["A . B", "C . D"] },
  ]);
});

it("splits a line into spans", () => {
  const kinds = parseSpans("a **b** `c`").map((span) => span.kind);
  expect(kinds).toEqual(["plain", "strong", "plain", "code"]);
});
