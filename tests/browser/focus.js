// Whoever plays by keyboard or screen reader loses his place when what has the focus goes away and
// nothing else takes it over. That is written to the console, where every test looks for warnings.
(() => {
  const PATIENCE = 500;
  let last = null;
  let since = 0;
  const look = () => {
    const now = document.activeElement;
    if (now && now !== document.body) {
      last = now;
      since = 0;
    } else if (last && last.isConnected && !last.disabled && last.checkVisibility()) {
      last = null; // somebody has pressed beside it
    } else if (last) {
      since ||= performance.now();
      if (performance.now() - since > PATIENCE) {
        console.warn(`the focus was lost with ${last.outerHTML.slice(0, 200)}`);
        last = null;
      }
    }
  };
  setInterval(look, 50);
})();
