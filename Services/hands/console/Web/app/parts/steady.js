// Presses on a list whose items come, go and move by themselves: what somebody presses just after that was meant
// for what stood there before.

/** Milliseconds for which an item has to stand where it is. */
const STILL = 700;

/** Since when the focus is where it is. */
let focused = 0;
addEventListener('focusin', () => { focused = performance.now(); });

/** Whether it comes from a key on what has had the focus for long enough: that is the same wherever it moves. */
const isMeant = event => event.detail === 0 && event.currentTarget === document.activeElement
  && performance.now() - focused >= STILL;

/**
 * Watches the items with `data-steady`, a key of its own for each; those that have moved have `data-settling`.
 * @returns `look()`, to be called whenever the page is drawn. `pressed(key, body)`: a handler that does nothing
 *   while the item has just moved, whatever moved it. `leave()`
 */
export function steady() {
  const places = new Map();
  const until = new Map();
  let isDrawn = false;
  let timer = null;
  const isStill = key => performance.now() >= (until.get(key) ?? 0);
  const items = () => [...document.querySelectorAll('[data-steady]')];
  const mark = () => items().forEach(
    item => item.toggleAttribute('data-settling', !isStill(item.dataset.steady)));

  function measure() {
    const found = new Map(items().map(
      item => [item.dataset.steady, item.getBoundingClientRect().top + scrollY]));
    for (const [key, place] of found) {
      // Half a pixel is rounding.
      if (isDrawn && !(Math.abs(places.get(key) - place) < 1)) until.set(key, performance.now() + STILL);
    }
    places.clear();
    for (const [key, place] of found) places.set(key, place);
    for (const key of until.keys()) if (!found.has(key)) until.delete(key);
    mark();
    clearTimeout(timer);
    if (until.size > 0) timer = setTimeout(mark, STILL + 20);
  }

  // What is above them may change without being drawn with them.
  const sizes = new ResizeObserver(measure);
  sizes.observe(document.body);
  return {
    look: () => queueMicrotask(() => {
      measure();
      isDrawn = true;
    }),
    pressed: (key, body) => event => isStill(key) || isMeant(event) ? body(event) : undefined,
    leave() {
      sizes.disconnect();
      clearTimeout(timer);
    },
  };
}
