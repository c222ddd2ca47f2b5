// What a pointer was pressed on. While it is, and before it is pressed once more, a page may put something else there.

import {PAUSE} from './pause.js';

/** What acts when it is pressed; a field of a label counts as its label. */
export const PRESSABLE =
  'a[href], button, summary, select, label, :is(input, textarea):not(label *), st-chart[data-of]';

/** CSS pixels between two presses at one place. */
const SLOP = 16;

/** Which pointer went down on what, null for nothing that can be pressed; undefined if that is not known. */
let began;
/**
 * The last press that was meant: {element, target, x, y, at, places}; `element` is null if `target` cannot be pressed,
 * `places` are those of then.
 */
let last = null;

export const pressable = node => node.closest?.(PRESSABLE) ?? null;

/** Whether pressing one presses the other, too. */
const isOne = (a, b) => a === b || a.contains(b) || b.contains(a) || a.control === b || b.control === a;

export function rememberPointers() {
  const options = {capture: true, passive: true};
  addEventListener('pointerdown', event => {
    if (!event.isPrimary) return;
    // Another button that goes down while one is down has no event of its own.
    began = event.button === 0 ? {id: event.pointerId, element: pressable(event.target)} : undefined;
  }, options);
  addEventListener('pointercancel', () => { began = undefined; }, options);
}

/** What was pressed may be gone by that: a message, or a dialog that a press beside it closes. */
const isGone = target => !target.isConnected || target.matches('dialog:not([open])');

function isElsewhere(from, event, element) {
  if (!from || from.id !== (event.pointerId ?? from.id)) return false;
  return !from.element || !isOne(from.element, element);
}

function isSecond(before, event, element, places) {
  if (!before || performance.now() - before.at >= PAUSE) return false;
  if (Math.hypot(event.clientX - before.x, event.clientY - before.y) > SLOP) return false;
  // What stood beside it then is another thing on purpose.
  if (places.has(element) && isAt(places.get(element), before.places.get(element))) return false;
  return before.element ? !isOne(before.element, element) : isGone(before.target);
}

// Half a pixel is rounding.
export const isAt = (a, b) => b && Math.abs(a.left - b.left) < 1 && Math.abs(a.top - b.top) < 1
  && Math.abs(a.right - b.right) < 1 && Math.abs(a.bottom - b.bottom) < 1;

/**
 * Judges a click of a pointer.
 * @param places where everything stands that can be pressed: Element → {left, top, right, bottom}
 * @returns until when (`performance.now()`) what was clicked should not be, because the pointer went down on something
 *   else, or because it is the second press of a double click that began on something else; else 0
 */
export function missedUntil(event, places) {
  const at = performance.now();
  const element = pressable(event.target);
  const [from, before] = [began, last];
  began = undefined;
  // What only opens or closes does no harm.
  if (element && !element.matches('summary')) {
    if (isElsewhere(from, event, element)) return at + PAUSE;
    if (isSecond(before, event, element, places)) return before.at + PAUSE;
  }
  last = {element, target: event.target, x: event.clientX, y: event.clientY, at, places};
  return 0;
}
