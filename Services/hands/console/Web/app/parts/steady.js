// Presses on a list whose items come and go by themselves: what somebody presses just after an item moved was
// meant for what stood there before.

/** Milliseconds for which an item has to stand still. */
const STILL = 700;

/** Since when the focus is where it is. */
let focused = 0;
addEventListener('focusin', () => { focused = performance.now(); });

/** Whether it comes from a key on what has had the focus for long enough: that is the same wherever it moves. */
const isMeant = event => event.detail === 0 && event.currentTarget === document.activeElement
  && performance.now() - focused >= STILL;

/**
 * @returns `look(keys, redraw)`: the items that are shown now, from above; a function that tells of each whether
 *   it stands still; if one does not, it is drawn again when it does. `pressed(key, body)`: a handler that does
 *   nothing until then. An item moves when what stands above it comes or goes
 */
export function steady() {
  let shown = null;
  let timer = null;
  const until = new Map();
  const isStill = key => performance.now() >= (until.get(key) ?? 0);
  return {
    look(keys, redraw) {
      const same = shown ? keys.findIndex((key, place) => key !== shown[place]) : -1;
      const hasChanged = same >= 0 || shown && keys.length < shown.length;
      if (hasChanged) {
        const moved = same < 0 ? [] : keys.slice(same);
        for (const key of until.keys()) if (!keys.includes(key)) until.delete(key);
        for (const key of moved) until.set(key, performance.now() + STILL);
        clearTimeout(timer);
        timer = setTimeout(redraw, STILL + 20);
      }
      shown = keys;
      return isStill;
    },
    pressed: (key, body) => event => isStill(key) || isMeant(event) ? body(event) : undefined,
  };
}
