// Presses on a list whose items come and go by themselves: what somebody presses just after it changed was meant
// for what stood there before.

/** Milliseconds for which it has to stand still. */
const STILL = 700;

/**
 * @returns `look(keys, redraw)`: what is shown now; whether it stands still, else it is drawn again when it does.
 *   `pressed(body)`: a handler that does nothing until then
 */
export function steady() {
  let shown = null;
  let until = 0;
  let timer = null;
  const isStill = () => performance.now() >= until;
  const wait = redraw => {
    until = performance.now() + STILL;
    clearTimeout(timer);
    timer = setTimeout(redraw, STILL + 20);
  };
  return {
    look(keys, redraw) {
      const next = keys.join(' ');
      if (shown !== null && next !== shown) wait(redraw);
      shown = next;
      return isStill();
    },
    pressed: body => event => isStill() ? body(event) : undefined,
  };
}
