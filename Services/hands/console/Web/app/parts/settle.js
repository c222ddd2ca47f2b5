// Pages move by themselves, and dialogs come and go: what somebody presses just after that, or with the second press
// of a double click, was meant for what stood there before.

import {guidedTo} from '../h.js';

import {PRESSABLE, isAt, missedUntil, pressable, rememberPointers} from './aim.js';
import {closesOutside, openedDialog} from './dialog.js';
import {PAUSE} from './pause.js';

/** A press anywhere closes a dialog. */
const EVERYWHERE = {left: -1e6, top: -1e6, right: 1e6, bottom: 1e6};
/** CSS pixels by which two have to overlap. */
const OVERLAP = 4;

/**
 * Where everything stood that could be pressed when it was last looked at, in the page or in the dialog above it:
 * Element → {left, top, right, bottom, state}, see `origin` and `stateOf`.
 */
let places = new Map();
/** What stood somewhere else shortly before: {element, box, until}; no element where a key's press was held. */
let former = [];
/** What a pointer pressed that had aimed at something else: Element → until when it is held. */
const missed = new Map();
/** What people have scrolled by, in CSS pixels: places are counted from the top of what they began with. */
let origin = 0;
let seen = {top: 0, height: 0};
let isDirty = false;
let timer = null;
let watcher = null;
/** The dialog that was open then. */
let layer = null;
/** When a dialog was closed, or a search emptied, by `performance.now()`, and which dialog was below it. */
let closed = {at: -Infinity, below: undefined};
/** The box whose click is judged: the browser has turned it already. */
let clicked = null;

/**
 * From now on a press does nothing for a moment
 * - where something else in `main` could be pressed just before, whatever has moved, replaced or covered it, or where
 *   something in a dialog could be that is closed; what moves within a form is free, since that does nothing before its
 *   last press,
 * - on a switch that has turned by itself, or a chart whose values are of another period now,
 * - anywhere on what the pointer did not go down on, or that is there for the second press of a double click (aim.js).
 *
 * Such elements have `data-settling`, and `data-held` once they were pressed nevertheless. What only opens (`summary`)
 * is free. Keys, and what reads a page out, press what they name, wherever that is; only not what got the focus by
 * itself just before.
 */
export function holdPresses() {
  if (watcher) return;
  watcher = new MutationObserver(change);
  watcher.observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
  // Pictures and fonts.
  new ResizeObserver(change).observe(document.body);
  addEventListener('scroll', scrolled, {passive: true, capture: true});
  addEventListener('click', take, {capture: true});
  rememberPointers();
  addEventListener('change', turned, {capture: true});
  addEventListener('close', event => noteClosed(event.target), {capture: true});
  addEventListener('keydown', holdKeys, {capture: true});
}

/** A key that is held presses once. */
function holdKeys(event) {
  if (event.key === 'Enter' && event.repeat && event.target.matches?.('a[href], button, summary'))
    event.preventDefault();
  else if (event.key === 'Escape') escape(event);
}

/**
 * Escape empties a search, else it closes the dialog above, and the second press of a double one not the next. Chromium
 * itself would also close those below that nobody pressed for (close watchers of one group); other browsers close one,
 * and know of their own lists of suggestions, which it is for first.
 */
function escape(event) {
  const dialog = openedDialog();
  if (!dialog) return;
  const isSecond = closed.below === dialog && performance.now() - closed.at < PAUSE;
  const isSearch = event.target.matches?.('input[type=search]') && event.target.value !== '';
  if (!event.repeat && !isSecond && !event.isComposing && !isSearch && !('CloseWatcher' in window)) return;
  event.preventDefault();
  if (event.repeat || isSecond || event.isComposing) return;
  if (isSearch) return empty(event.target);
  dialog.close();
  noteClosed(dialog);
}

function empty(field) {
  field.value = '';
  closed = {at: performance.now(), below: openedDialog()};
  field.dispatchEvent(new Event('input', {bubbles: true}));
}

/** One that was opened meanwhile stands behind it in the document, and is not below. */
function noteClosed(dialog) {
  const isBelow = one => dialog.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING;
  closed = {at: performance.now(), below: [...document.querySelectorAll('dialog[open]')].filter(isBelow).at(-1)};
}

/** What a person switches has not turned by itself. */
function turned(event) {
  for (const [element, box] of places)
    if ((element.control ?? element) === event.target) box.state = stateOf(element);
}

function change() {
  if (isDirty) return;
  isDirty = true;
  requestAnimationFrame(() => isDirty && measure());
}

function scrolled(event) {
  if (event.target === document) followScroll();
  // What is fixed, or scrolls by itself, is elsewhere then.
  if (!isDirty) places = look();
}

/** Another page begins at its top: what is pressed there stands where the other one's was on the screen. */
export function keepPlaces() {
  seen = {top: scrollY, height: document.documentElement.scrollHeight};
}

/** Whoever scrolls sees what comes; where a page gets shorter, the browser moves it by itself. */
function followScroll() {
  const {scrollHeight} = document.documentElement;
  const isCut = scrollHeight < seen.height && scrollY < seen.top && scrollY + innerHeight >= scrollHeight - 1;
  if (!isCut) origin += scrollY - seen.top;
  seen = {top: scrollY, height: scrollHeight};
}

function boxOf(element) {
  // Those in closed details have a box.
  if (!element.checkVisibility()) return null;
  const {left, top, right, bottom, width} = element.getBoundingClientRect();
  return width > 0 ? {left, top: top + origin, right, bottom: bottom + origin, state: stateOf(element)} : null;
}

/** What a press depends on besides the place: whether a switch is on, or what the values of a chart are. */
function stateOf(element) {
  const field = element.control ?? element;
  return field.type === 'checkbox' ? field.checked !== (field === clicked) : field.dataset.of;
}

const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > OVERLAP
  && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > OVERLAP;

function look() {
  const found = new Map();
  const dialog = openedDialog();
  const within = (dialog ?? document.getElementById('main'))?.querySelectorAll(PRESSABLE) ?? [];
  // A message is above everything, and goes by itself.
  for (const element of [...within, ...document.querySelectorAll('.toast')]) {
    const box = boxOf(element);
    if (box) found.set(element, box);
  }
  if (dialog && closesOutside(dialog)) found.set(dialog, EVERYWHERE);
  return found;
}

function measure() {
  isDirty = false;
  followScroll();
  const now = performance.now();
  const next = look();
  const dialog = openedDialog();
  const isWithin = dialog && dialog === layer && dialog.querySelector('[data-key=form-end]');
  layer = dialog;
  for (const [element, box] of places) {
    const found = next.get(element);
    // Another part of a moved chart chooses something else.
    if (!isWithin && !isAt(box, found))
      former.push({element: element.dataset.of === undefined ? element : null, box, until: now + PAUSE});
    // As if something else had stood there.
    else if (!isWithin && box.state !== found.state) former.push({element: null, box, until: now + PAUSE});
    if (!next.has(element)) release(element);
  }
  places = next;
  mark();
}

function release(element) {
  element.removeAttribute('data-settling');
  element.removeAttribute('data-held');
}

const isPart = (a, b) => a && (a.contains(b) || b.contains(a));

function mark() {
  const now = performance.now();
  former = former.filter(one => one.until > now);
  for (const [element, until] of missed) {
    if (until > now) continue;
    missed.delete(element);
    if (!places.has(element)) release(element);
  }
  for (const [element, box] of places) {
    if (!element.matches('summary, dialog, .toast')
      && (missed.has(element)
        || former.some(one => overlap(one.box, box) && !isPart(one.element, element))))
      element.setAttribute('data-settling', '');
    else release(element);
  }
  watcher.takeRecords();
  clearTimeout(timer);
  const ends = [...former.map(one => one.until), ...missed.values()];
  if (ends.length > 0) timer = setTimeout(mark, Math.min(...ends) - now + 1);
}

/** What a key presses too soon: what got the focus by itself. */
function heldKey(element) {
  const until = guidedTo(element) + PAUSE;
  if (performance.now() >= until) return null;
  if (isDirty) measure();
  // As if something else had stood there, whose press it was.
  former.push({element: null, box: boxOf(element), until});
  mark();
  // A box is known by its label.
  return element.closest('[data-settling]');
}

/** What a press comes too soon for, if it does. */
function heldBy(event) {
  clicked = event.target;
  // It may have moved without having been drawn.
  if (!isByName(event) && (isDirty || watcher.takeRecords().length > 0)) measure();
  const held = isByName(event) ? heldKey(event.target)
                               : event.target.closest?.('[data-settling]') ?? heldMiss(event);
  clicked = null;
  return held;
}

/** Whether a click is of a key or of what reads a page out; that of Firefox has no pointer, but a count. */
const isByName = event => event.detail === 0 || event.pointerType === '';

function heldMiss(event) {
  const until = missedUntil(event, places);
  if (until === 0) return null;
  const element = pressable(event.target);
  missed.set(element, until);
  element.setAttribute('data-settling', '');
  mark();
  return element;
}

function take(event) {
  const element = heldBy(event);
  if (!element) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  element.setAttribute('data-held', '');
}
