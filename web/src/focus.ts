/**
 * The focus is never lost: where what has it goes away, as a button that was for one move only, it
 * goes to the board, or to the beginning of the page.
 */

/** So long whoever takes something away may give the focus to something else. */
const PATIENCE = 60;

/** To the beginning of a page: of who comes to it by keyboard or ear. */
export function begin(): void {
  const at = document.querySelector<HTMLElement>("main h1") ?? document.querySelector("main");
  at?.setAttribute("tabindex", "-1");
  at?.focus({ preventScroll: true });
}

/** Keeps the focus from now on; what is answered ends that. */
export function keepFocus(): () => void {
  let last: Element | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function remember(): void {
    last = document.activeElement;
  }

  function isLost(): boolean {
    const now = document.activeElement;
    // What was switched off keeps the focus until the next frame is drawn.
    if (last === null || (now !== null && now !== document.body && now !== last)) return false;
    return !last.isConnected || last.matches(":disabled") || !last.checkVisibility();
  }

  function look(): void {
    if (isLost()) waiting ??= setTimeout(save, PATIENCE);
  }

  function save(): void {
    waiting = undefined;
    if (!isLost()) return;
    last = null;
    const dialog = document.querySelector("dialog[open]");
    const inside = dialog?.querySelector<HTMLElement>("[autofocus], [tabindex], button, input");
    const pile = document.querySelector<HTMLElement>(".board [role='button'][tabindex='0']");
    const at = dialog ? inside : pile;
    if (at) at.focus({ preventScroll: true });
    else begin();
  }

  const observer = new MutationObserver(look);
  document.addEventListener("focusin", remember);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["class", "disabled", "hidden", "open"],
  });
  return () => {
    clearTimeout(waiting);
    observer.disconnect();
    document.removeEventListener("focusin", remember);
  };
}
