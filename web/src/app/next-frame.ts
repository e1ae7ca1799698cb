/** Milliseconds after which a page that is not shown goes on. */
const PATIENCE = 100;

/** Waits until the browser has shown a frame, so that a long work can be done in parts. */
export function nextFrame(): Promise<void> {
  return new Promise((done) => {
    const waiting = setTimeout(done, PATIENCE);
    requestAnimationFrame(() => {
      clearTimeout(waiting);
      // Within the callback, the frame is still to be drawn.
      setTimeout(done);
    });
  });
}
