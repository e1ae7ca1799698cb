/** How a card looks. */

import addresses from "virtual:decks";

/** A picture for each card, as the address of an image. */
export type Faces = ReadonlyMap<string, string>;

const SUITS: Record<string, string> = { C: "♣", D: "♦", H: "♥", S: "♠" };
const fetched = new Map<string, Promise<Faces | null>>();

/** Shows a card as the player reads it: "10♥". */
export function face(text: string): string {
  return rank(text) + SUITS[text[1]];
}

function rank(text: string): string {
  return text[0] === "T" ? "10" : text[0];
}

/** The faces of a deck; none for one that the page draws itself, or if they cannot be had. */
export function faces(deck: string): Promise<Faces | null> {
  if (addresses[deck] === undefined) return Promise.resolve(null);
  let found = fetched.get(deck);
  if (found === undefined) {
    found = read(addresses[deck]).catch(() => {
      fetched.delete(deck);
      return null;
    });
    fetched.set(deck, found);
  }
  return found;
}

async function read(address: string): Promise<Faces> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(address);
  const drawn = (await answer.json()) as Record<string, string>;
  return new Map(
    Object.entries(drawn).map(([card, picture]) => [
      card,
      `url("data:image/svg+xml,${encodeURIComponent(picture)}")`,
    ]),
  );
}

/** The classes of a table that shows a deck. */
export function wears(deck: string, back: string): string[] {
  return [
    ...(deck.endsWith("four-colour") ? ["four"] : []),
    ...(deck.startsWith("large-") ? ["large"] : []),
    `back-${back}`,
  ];
}

/** Makes an element look as a card: "9H" open, "*" face down, "-" covered. */
export function dress(element: HTMLElement, text: string, faces: Faces | null): void {
  const picture = faces?.get(text) ?? "";
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
