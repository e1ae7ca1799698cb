// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { cardSymbol, deckClasses, renderCard } from "./card";

it("writes cards in symbols", () => {
  expect(["TH", "AS", "JO"].map(cardSymbol)).toEqual(["10♥", "A♠", "J★"]);
});

it("renders a card that is turned over", () => {
  const element = document.createElement("div");
  renderCard(element, "*");
  expect([...element.classList]).toEqual(["card", "back"]);
  expect(element.textContent).toBe("");
  renderCard(element, "TH", 'url("x.png")');
  expect([...element.classList].sort()).toEqual(["card", "faced", "h"]);
  expect(element.textContent).toContain("10♥");
  renderCard(element, "TH");
  expect([...element.classList].sort()).toEqual(["card", "h"]);
});

it("has classes for decks and backs", () => {
  expect(deckClasses("large-four-colour", "red")).toEqual(["four", "large", "back-red"]);
  expect(deckClasses("plain", "lattice")).toEqual(["back-lattice"]);
});
