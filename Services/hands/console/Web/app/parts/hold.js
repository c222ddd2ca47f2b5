// What is said above a page comes and goes by itself, and moves what is below it: a press just after that was
// meant for what stood there before.

/** Milliseconds for which presses of a pointer do nothing then. */
const PAUSE = 700;

let until = 0;

/** Something above the page has come or gone. */
export function holdPresses() { until = performance.now() + PAUSE; }

// A key's press has no place: what has the focus is the same wherever it is.
addEventListener('click', event => {
  if (event.detail === 0 || performance.now() >= until || !event.target.closest?.('main')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, {capture: true});
