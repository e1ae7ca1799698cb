/** How a card looks. */

const SUITS: Record<string, string> = { C: "♣", D: "♦", H: "♥", S: "♠" };

/** Shows a card as the player reads it: "10♥". */
export function face(text: string): string {
  return rank(text) + SUITS[text[1]];
}

function rank(text: string): string {
  return text[0] === "T" ? "10" : text[0];
}

/** The classes of a table that shows a deck. */
export function wears(deck: string, back: string): string[] {
  return [
    ...(deck.endsWith("four-colour") ? ["four"] : []),
    ...(deck.startsWith("large-") ? ["large"] : []),
    `back-${back}`,
  ];
}

/** Makes an element look as a card: "9H" open, "*" face down, "-" covered; with a picture or none. */
export function dress(element: HTMLElement, text: string, picture = ""): void {
  element.classList.toggle("faced", picture !== "");
  if (element.style.backgroundImage !== picture) element.style.backgroundImage = picture;
  if (element.dataset.card === text) return;
  const before = element.dataset.card;
  element.dataset.card = text;
  for (const name of kinds(before)) element.classList.remove(name);
  element.classList.add("card", ...kinds(text));
  if (text === "*" || text === "-") {
    element.replaceChildren();
    return;
  }
  const corner = document.createElement("span");
  corner.className = "corner";
  corner.append(rank(text), document.createElement("wbr"), SUITS[text[1]]);
  const pip = document.createElement("span");
  pip.className = "pip";
  pip.textContent = SUITS[text[1]];
  element.replaceChildren(corner, pip);
}

function kinds(text: string | undefined): string[] {
  if (text === undefined) return [];
  if (text === "*") return ["back"];
  return [text === "-" ? "covered" : text[1].toLowerCase()];
}
