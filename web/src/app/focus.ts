/**
 * Keeps the keyboard focus: when the focused element disappears, as a button that is for one move
 * only, the focus moves to the board or to the top of the page.
 */

/** Milliseconds for the code that removed the element to focus another one. */
const PATIENCE = 60;
/** Milliseconds after a change of the page until it is looked at. */
const DELAY = 20;

/** Focuses the top of the page, for keyboards and screen readers. */
export function focusTop(): void {
  const at = document.querySelector<HTMLElement>("main h1") ?? document.querySelector("main");
  at?.setAttribute("tabindex", "-1");
  at?.focus({ preventScroll: true });
}

/** Keeps the focus from now on, until the returned function is called. */
export function keepFocus(): () => void {
  let last: Element | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function remember(): void {
    last = document.activeElement;
  }

  function isLost(): boolean {
    const now = document.activeElement;
    // A disabled element keeps the focus until the next frame is drawn.
    if (last === null || (now !== null && now !== document.body && now !== last)) return false;
    return !last.isConnected || last.matches(":disabled") || !last.checkVisibility();
  }

  /** To look at each change would make the browser lay the page out again for each. */
  function check(): void {
    waiting ??= setTimeout(look, DELAY);
  }

  function look(): void {
    waiting = isLost() ? setTimeout(restore, PATIENCE) : undefined;
  }

  function restore(): void {
    waiting = undefined;
    if (!isLost()) return;
    last = null;
    const dialog = document.querySelector("dialog[open]");
    const inside = dialog?.querySelector<HTMLElement>("[autofocus], [tabindex], button, input");
    const pile = document.querySelector<HTMLElement>(".board [role='button'][tabindex='0']");
    const at = dialog ? inside : pile;
    if (at) at.focus({ preventScroll: true });
    else focusTop();
  }

  const observer = new MutationObserver(check);
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
