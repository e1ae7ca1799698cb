// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { shortcut, SHORTCUTS } from "./shortcuts";
import type { TableSession } from "./table-session.svelte";

function pressed(key: string, target: Element = document.body): string | undefined {
  const event = new KeyboardEvent("keydown", { key });
  Object.defineProperty(event, "target", { value: target });
  return shortcut(event)?.key;
}

describe("shortcuts", () => {
  it("have a key each, in either case", () => {
    expect(new Set(SHORTCUTS.map((each) => each.key)).size).toBe(SHORTCUTS.length);
    expect(pressed("u")).toBe("u");
    expect(pressed("U")).toBe("u");
    expect(pressed("x")).toBeUndefined();
  });

  it("do nothing in text fields and dialogs", () => {
    expect(pressed("u", document.createElement("input"))).toBeUndefined();
    const dialog = document.createElement("dialog");
    dialog.append(document.createElement("button"));
    expect(pressed("u", dialog.firstElementChild!)).toBeUndefined();
  });

  it("deal from the stock before any other word", () => {
    const play = vi.fn();
    const word = (text: string): object => ({ text, kind: "word" });
    const run = (...moves: object[]): void => {
      const session = { play, table: { position: { moves } } } as unknown as TableSession;
      SHORTCUTS.find((each) => each.key === "d")!.run(session, () => undefined);
    };
    run(word("redeal"), word("deal"));
    expect(play).toHaveBeenLastCalledWith({ text: "deal" });
    run({ text: "a > b", kind: "cards" }, word("redeal"));
    expect(play).toHaveBeenLastCalledWith({ text: "redeal" });
    run();
    expect(play).toHaveBeenCalledTimes(2);
  });
});
