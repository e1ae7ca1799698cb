/** The appearance of a card. */

/** The star stands for the suit of a joker, "JO". */
const SUITS: Record<string, string> = { C: "♣", D: "♦", H: "♥", S: "♠", O: "★" };

/** A card in symbols: "10♥". */
export function cardSymbol(text: string): string {
  return rankSymbol(text) + SUITS[text[1]];
}

/** The rank of a card: "10". */
export function rankSymbol(text: string): string {
  return text[0] === "T" ? "10" : text[0];
}

/** The classes of an element whose cards have a deck and a back. */
export function deckClasses(deck: string, back: string): string[] {
  return [
    ...(deck.endsWith("four-colour") ? ["four"] : []),
    ...(deck.startsWith("large-") ? ["large"] : []),
    `back-${back}`,
  ];
}

/** The images that elements have: to read a long one from a style takes time. */
const images = new WeakMap<HTMLElement, string>();

/** Renders a card into an element: "9H" face up, "*" face down, "-" covered; with an image or none. */
export function renderCard(element: HTMLElement, text: string, image = ""): void {
  if ((images.get(element) ?? "") !== image) {
    images.set(element, image);
    element.classList.toggle("faced", image !== "");
    element.style.backgroundImage = image;
  }
  if (element.dataset.card === text) return;
  const before = element.dataset.card;
  element.dataset.card = text;
  for (const name of classesOf(before)) element.classList.remove(name);
  element.classList.add("card", ...classesOf(text));
  if (text === "*" || text === "-") {
    element.replaceChildren();
    return;
  }
  const corner = document.createElement("span");
  corner.className = "corner";
  corner.append(rankSymbol(text), document.createElement("wbr"), SUITS[text[1]]);
  const pip = document.createElement("span");
  pip.className = "pip";
  pip.textContent = SUITS[text[1]];
  element.replaceChildren(corner, pip);
}

function classesOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  if (text === "*") return ["back"];
  return [text === "-" ? "covered" : text[1].toLowerCase()];
}
