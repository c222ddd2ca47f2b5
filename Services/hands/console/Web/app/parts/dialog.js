// Dialogs: the browser's own element keeps the focus inside and gives it back.

import {fill, guide, h} from '../h.js';
import {t} from '../words.js';

import {glyphOf} from './glyphs.js';
import {PAUSE} from './pause.js';

let number = 0;

/** Milliseconds for which a dialog waits for what it shows. */
const PATIENCE = 400;

let isOpening = false;

/**
 * Opens a dialog when what it shows is known, so that nothing in it moves while somebody presses; without that if
 * it takes long, or cannot be read. What is pressed meanwhile opens no second one, and on another page it does
 * not open.
 * @param {Promise} known does not fail
 * @param {object} options as of `openDialog`
 */
export async function openWhenKnown(known, options) {
  if (isOpening) return undefined;
  isOpening = true;
  const [page, other] = [location.pathname, openedDialog()];
  await Promise.race([known, new Promise(resolve => setTimeout(resolve, PATIENCE))]);
  isOpening = false;
  return location.pathname === page && openedDialog() === other ? openDialog(options) : undefined;
}

/**
 * Opens a modal dialog.
 * @param {object} options `title`, a text or a function that gives it; `class?`; and `body(close, update)`: its
 *   elements; `close(value)` closes it, `update()` draws it again
 * @returns a promise of the value that it was closed with; undefined if it was dismissed
 */
export function openDialog({title, class: kind = '', body}) {
  return new Promise(resolve => {
    const id = `dialog-${number += 1}`;
    let value;
    let isOutside = false;
    const opened = performance.now();
    const close = result => {
      value = result;
      dialog.close();
    };
    const content = h('div', {class: 'dialog-body'});
    const said = h('div', {class: 'toasts', role: 'status'});
    const heading = h('h2', {id});
    const closing =
      h('button', {type: 'button', class: 'plain icon-only', onclick: () => close()}, glyphOf('close'));
    const update = () => {
      heading.textContent = typeof title === 'function' ? title() : title;
      closing.setAttribute('aria-label', t('action.close'));
      fill(content, body(close, update));
    };
    const dialog = h('dialog', {
      class: kind,
      'aria-labelledby': id,
      onclose: () => {
        // What was said stays to be read.
        document.getElementById('toasts')?.append(...said.children);
        dialog.remove();
        // What it was opened with may be gone: from the page one goes on, not from the top of the document.
        if (document.activeElement === document.body)
          (openedDialog()?.querySelector('button') ?? document.getElementById('main'))
            ?.focus({preventScroll: true});
        resolve(value);
      },
      onpointerdown: event => { isOutside = event.target === dialog; },
      // A press on the backdrop; one that began inside, such as selecting text, does not count. Not before it
      // has ended: the end of a touch goes to what is there then.
      onclick: event => {
        // Nor the second press of what opened it.
        const isSeen = performance.now() - opened >= PAUSE;
        if (event.target === dialog && isOutside && isSeen && closesOutside(dialog)) close();
      },
    },
      h('header', {}, heading, closing), content, h('p', {class: 'dialog-problem', role: 'alert'}), said);
    document.body.append(dialog);
    update();
    dialog.showModal();
    content.querySelector('input, select')?.focus();
    guide(document.activeElement);
  });
}

/** Whether a press on its backdrop closes it: what was written would be lost. */
export const closesOutside = dialog => !dialog.querySelector('.dialog-body :is(input, select)');

/** The dialog that covers everything else; undefined if there is none. */
export const openedDialog = () => [...document.querySelectorAll('dialog[open]')].at(-1);

/** Closes all, as if they were dismissed. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
}

/** Says in a dialog what went wrong there, instead of what went well before; what was written stays. */
export function sayIn(dialog, text) {
  dialog?.querySelector('.dialog-problem').replaceChildren(text);
  if (text) dialog?.querySelector('.toasts').replaceChildren();
}

/** Asks before something that cannot be taken back, or that would act at once. */
export function confirm({title, text, action, danger = false}) {
  return openDialog({
    title,
    body: close => [[text].flat().filter(Boolean).map(line => h('p', {}, line)),
      h('p', {class: 'actions'},
        h('button', {type: 'button', class: danger ? 'danger' : 'primary', onclick: () => close(true)},
          action),
        h('button', {type: 'button', onclick: () => close(false)}, t('action.cancel'))),
  ],
  });
}
