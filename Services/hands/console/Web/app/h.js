// Elements without markup: text is only ever text, and nothing sets a style attribute or a handler by a
// string.

const SVG = 'http://www.w3.org/2000/svg';
/** Handlers by element and event, so that a patched element can get those of its successor. */
const handlers = new WeakMap();

const dispatch = event => handlers.get(event.currentTarget)?.[event.type]?.(event);

/**
 * Makes an element.
 * @param {object} props attributes; `on…` is a handler, `.name` a property, `--name` a custom property of
 *   its style; null and undefined are left out, and false unless it is of a property; true is an empty
 *   attribute.
 * @param children elements, text, numbers, and lists of them; null, undefined and false are left out.
 */
export const h = (tag, props, ...children) => make(document.createElement(tag), props, children);

/** The same in the namespace of SVG. */
export const svg = (tag, props, ...children) => make(document.createElementNS(SVG, tag), props, children);

function make(element, props, children) {
  const properties = [];
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined) continue;
    if (name.startsWith('.')) properties.push([name.slice(1), value]);
    else if (value === false) continue;
    else if (name.startsWith('on')) listen(element, name.slice(2), value);
    else if (name.startsWith('--')) element.style.setProperty(name, String(value));
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  // The value of a list is one of its options.
  for (const [name, value] of properties) setProperty(element, name, value);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

function listen(element, type, handler) {
  const all = handlers.get(element) ?? {};
  if (!all[type]) element.addEventListener(type, dispatch);
  all[type] = handler;
  handlers.set(element, all);
}

function setProperty(element, name, value) {
  (element.given ??= {})[name] = value;
  // A time of which a part is typed has no value yet: setting that again would wipe the part.
  if (element[name] !== value) element[name] = value;
}

/** Gives `element` these children. What is there already stays, with its focus, scroll position and state. */
export function fill(element, ...children) {
  const next = element.cloneNode(false);
  append(next, children.flat(Infinity));
  patchChildren(element, next);
  return element;
}

const keyOf = node => node.nodeType === 1 ? node.id || node.dataset?.key || null : null;

function isSame(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);
}

function patchChildren(old, next) {
  const keyed = new Map();
  for (const child of old.childNodes)
    if (keyOf(child)) keyed.set(keyOf(child), child);
  let place = old.firstChild;
  for (const child of [...next.childNodes]) {
    const key = keyOf(child);
    let match = null;
    if (key) {
      const found = keyed.get(key);
      if (found && isSame(found, child)) match = found;
    } else if (place && isSame(place, child)) match = place;
    if (!match) {
      old.insertBefore(child, place);
      continue;
    }
    if (match !== place) moveUp(match, place);
    patch(match, child);
    place = match.nextSibling;
  }
  while (place) {
    const after = place.nextSibling;
    // Whoever pressed "Remove" goes on from where it was, not from the top of the document.
    const hadFocus = place.contains(document.activeElement);
    place.remove();
    if (hadFocus) focusNear(old);
    place = after;
  }
}

/** An element that is moved loses the focus: where it has it, those before it go to the end instead. */
function moveUp(element, place) {
  const parent = element.parentNode;
  const before = [];
  let node = place;
  for (; node && node !== element; node = node.nextSibling) before.push(node);
  if (node && element.contains(document.activeElement)) parent.append(...before);
  else parent.insertBefore(element, place);
}

/** A heading that takes the focus is safer than the next item's button: Enter may be pressed once more. */
function focusNear(element) {
  const near = (element.closest('section') ?? element).querySelector(':is(h1, h2)[tabindex]')
    ?? element.querySelector('a[href], button:not([disabled])')
    ?? element.closest('[tabindex], dialog');
  near?.focus({preventScroll: true});
  guide(near);
}

/** What got the focus in place of something else, and when. */
let guided = {element: null, at: 0};

/** Whoever is on this now did not go there. */
export function guide(element) { guided = {element, at: performance.now()}; }

/** When an element got the focus by itself, by `performance.now()`. */
export const guidedTo = element => guided.element === element ? guided.at : -Infinity;

/** Attributes that are set from outside of what is drawn. */
const SET_ELSEWHERE = ['style', 'data-settling', 'data-held'];

/** What busy buttons become when they are not busy any more. */
const postponed = new WeakMap();

/** Whether what an element does is under way. */
export function setBusy(element, isBusy) {
  element.setAttribute('aria-busy', String(isBusy));
  const next = postponed.get(element);
  if (isBusy || !next) return;
  postponed.delete(element);
  patch(element, next);
}

function patch(old, next) {
  if (old.nodeType !== 1) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  // What was pressed and is being done stays as it is until that is over; a field has what was typed after that.
  if (old.matches('[aria-busy=true]:is(input, select, button)')) {
    if (old.matches('button')) postponed.set(old, next);
    return;
  }
  for (const {name} of [...old.attributes]) {
    // What a person opened stays open. A component keeps its own: without `tabindex`, even for a moment, it loses the focus.
    if (!next.hasAttribute(name) && !old.drawsItself && !(name === 'open' && old.matches('details, dialog'))) {
      if (!SET_ELSEWHERE.includes(name)) old.removeAttribute(name);
    }
  }
  for (const {name, value} of [...next.attributes]) {
    if (name === 'style' || old.getAttribute(name) === value) continue;
    const hadFocus = name === 'disabled' && old === document.activeElement;
    old.setAttribute(name, value);
    if (hadFocus) focusNear(old.parentNode);
  }
  for (const name of [...(next.style ?? [])]) {
    if (name.startsWith('--')) old.style.setProperty(name, next.style.getPropertyValue(name));
  }
  const wanted = handlers.get(next) ?? {};
  for (const [type, handler] of Object.entries(wanted)) listen(old, type, handler);
  for (const type of Object.keys(handlers.get(old) ?? {}))
    if (!wanted[type]) handlers.get(old)[type] = null;
  // A component draws its own children, and has attributes of its own.
  if (!old.drawsItself && !next.drawsItself) {
    // The options move to the old list one by one, and the value of the new one with them.
    const chosen = next.nodeName === 'SELECT' ? next.value : undefined;
    patchChildren(old, next);
    if (chosen !== undefined && old.value !== chosen) old.value = chosen;
  }
  for (const [name, value] of Object.entries(next.given ?? {}))
    if (!isBeingTyped(old, name, value)) setProperty(old, name, value);
}

/** Whether somebody types into a field that is to show what it showed before. */
const isBeingTyped = (element, name, value) => name === 'value' && element === document.activeElement
  && element.matches('textarea, input[type=text], input[type=search]') && element.given?.value === value;
