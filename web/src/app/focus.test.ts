// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepFocus } from "./focus";

let end: () => void;

/** Waits until the change has been observed and the patience is over. */
async function later(): Promise<void> {
  await new Promise((done) => setTimeout(done, 150));
}

beforeEach(() => {
  document.body.innerHTML = `<main><h1>Klondike</h1>
    <div class="board"><div role="button" tabindex="-1" id="a"></div>
    <div role="button" tabindex="0" id="b"></div></div>
    <button id="once">Deal</button><button id="other">Undo</button></main>`;
  end = keepFocus();
});
afterEach(() => end());

function at(id: string): HTMLElement {
  return document.getElementById(id)!;
}

describe("the focus", () => {
  it("moves to the board when the focused element is removed", async () => {
    at("once").focus();
    at("once").remove();
    await later();
    expect(document.activeElement).toBe(at("b"));
  });

  it("moves there when a button is disabled", async () => {
    at("once").focus();
    at("once").setAttribute("disabled", "");
    await later();
    expect(document.activeElement).toBe(at("b"));
  });

  it("moves to the heading of a page without a board", async () => {
    document.querySelector(".board")!.remove();
    at("once").focus();
    at("once").remove();
    await later();
    expect(document.activeElement).toBe(document.querySelector("h1"));
  });

  it("stays in a dialog", async () => {
    const dialog = document.createElement("dialog");
    dialog.setAttribute("open", "");
    dialog.innerHTML = `<button id="first">Yes</button><button id="second">No</button>`;
    document.body.append(dialog);
    at("second").focus();
    at("second").remove();
    await later();
    expect(document.activeElement).toBe(at("first"));
  });

  it("stays where other code put it, or where the player clicked", async () => {
    const focused = vi.spyOn(at("b"), "focus");
    at("once").focus();
    at("once").remove();
    at("other").focus();
    await later();
    expect(document.activeElement).toBe(at("other"));
    at("other").blur();
    document.querySelector("main")!.append("a change");
    await later();
    expect(focused).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(document.body);
  });
});
