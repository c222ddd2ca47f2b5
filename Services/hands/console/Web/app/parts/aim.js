// What a pointer was pressed on. While it is, and before it is pressed once more, a page may put something else there.

import {PAUSE} from './pause.js';

/** What acts when it is pressed; a field of a label counts as its label. */
export const PRESSABLE = 'a[href], button, summary, select, label, :is(input, textarea):not(label *)';

/** CSS pixels between two presses at one place. */
const SLOP = 16;

/** What the pointer that is down went down on: undefined if it is not known, null for nothing that can be pressed. */
let began;
/** The last press that was meant: {element, x, y, at}. */
let last = null;

export const pressable = node => node.closest?.(PRESSABLE) ?? null;

/** Whether pressing one presses the other, too. */
const isOne = (a, b) => a === b || a.contains(b) || b.contains(a) || a.control === b || b.control === a;

export function rememberPointers() {
  const options = {capture: true, passive: true};
  addEventListener('pointerdown', event => { if (event.isPrimary) began = pressable(event.target); }, options);
  addEventListener('pointercancel', () => { began = undefined; }, options);
}

/**
 * Judges a click of a pointer.
 * @returns until when (`performance.now()`) what was clicked should not be, because the pointer went down on something
 *   else, or because it is the second press of a double click that began on something else; else 0
 */
export function missedUntil(event) {
  const now = performance.now();
  const element = pressable(event.target);
  const [from, before] = [began, last];
  began = undefined;
  // What only opens or closes does no harm.
  const isFree = !element || element.matches('summary');
  if (!isFree && from !== undefined && !(from && isOne(from, element))) return now + PAUSE;
  const isAgain = before && now - before.at < PAUSE
    && Math.hypot(event.clientX - before.x, event.clientY - before.y) <= SLOP;
  if (!isFree && isAgain && !(before.element && isOne(before.element, element))) return before.at + PAUSE;
  last = {element, x: event.clientX, y: event.clientY, at: now};
  return 0;
}
