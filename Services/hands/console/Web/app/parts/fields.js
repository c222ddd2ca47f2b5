// Fields of forms that several pages use.

import {dayCode, weekdayName, weekdays} from '../format.js';
import {h} from '../h.js';
import {t} from '../words.js';

import {PAUSE} from './pause.js';

/** A handler that stores its value in a form's state and draws the form again. */
export const setter = (state, key, update) => value => {
  state[key] = value;
  update();
};

/**
 * The end of a form.
 * @param {object} options `save(button)` returns what the dialog is closed with; nothing if it failed
 */
export const formEnd = ({id, label, disabled = false, save, close}) => h('p', {class: 'actions', 'data-key': 'form-end'},
  // What is pressed stays the same element, whatever is said before it meanwhile.
  h('button', {
    type: 'button',
    class: 'primary',
    id,
    disabled,
    // One decision for each press: the second of two may find another button here.
    onclick: async event => {
      if (event.detail > 1) return;
      const result = await save(event.currentTarget);
      if (result) close(result);
    }
  },
    label ?? t('action.save')),
  h('button', {type: 'button', onclick: () => close()}, t('action.cancel')));

/** When `once` did something last. */
let pressed = -PAUSE;

/** A handler for what acts on another thing after each press: not for the second one of a double press. */
export const once = body => event => {
  if (performance.now() - pressed < PAUSE) return;
  pressed = performance.now();
  body(event);
};

/**
 * Draws a form again after its button was pressed, which may be gone then: whoever pressed it goes on in its field,
 * not with what the form begins with.
 */
export function leavingButton(button, id, draw) {
  const hadFocus = document.activeElement === button;
  draw();
  if (hadFocus && !button.isConnected) document.getElementById(id)?.focus();
}

let number = 0;
/** A label with its control; a hint below belongs to the control. */
export function field(label, control, hint) {
  // With a name of its own it stays itself while others come and go.
  const key = control.id && `field-${control.id}`;
  const id = control.id || `field-${label}-${number += 1}`;
  control.id ||= id;
  if (hint) control.setAttribute('aria-describedby', `${id}-hint`);
  return h('div', {class: 'field', 'data-key': key || null}, h('label', {'for': id}, label), control,
    hint && h('p', {class: 'quiet', id: `${id}-hint`}, hint));
}

/** Hours and minutes of an amount, up to a day. */
export function amountField(label, {id, minutes, change, hint}) {
  // While somebody types, what they typed stays as it is: 60 minutes become an hour when they are done.
  const written = name => document.getElementById(`${id}-${name}`);
  const typed = () => ['h', 'm'].some(name => written(name) && written(name) === document.activeElement);
  const isTyping = typed();
  const values = {h: Math.floor(minutes / 60), m: minutes % 60};
  const tidy = () => {
    if (typed()) return;
    for (const [name, value] of Object.entries(values))
      if (written(name)) written(name).value = value;
  };
  const part = (name, max, unit) => h('span', {class: 'inline'}, h('input', {
    type: 'number',
    id: `${id}-${name}`,
    min: 0,
    max,
    step: 'any',
    inputmode: 'numeric',
    '.value': isTyping ? written(name).value : String(values[name]),
    'aria-label': `${label}: ${unit}`,
    oninput: () => {
      const read = field => Math.max(0, Number(written(field).value) || 0);
      change(Math.min(1440, Math.round(read('h') * 60 + read('m'))));
    },
    onblur: () => setTimeout(tidy),
  }),
    h('span', {'aria-hidden': 'true'}, unit));
  return h('fieldset', {class: 'field'}, h('legend', {}, label),
    h('div', {class: 'inline'}, part('h', 24, t('unit.hours')),
      part('m', 59, t('unit.minutes'))),
    hint && h('p', {class: 'quiet'}, hint));
}

/** The days of the week, in the locale's order. */
export function daysField(label, {id, days, change, taken}) {
  return h('fieldset', {class: 'field', id}, h('legend', {}, label),
    h('div', {class: 'days'},
      weekdays().map(day => h('label', {'data-key': dayCode(day)}, h('input', {
        type: 'checkbox',
        '.checked': days.includes(day),
        'aria-label': weekdayName(day, 'long'),
        onchange: event => {
          change(event.target.checked ? [...days, day].sort() : days.filter(other => other !== day));
        },
      }),
                       h('span', {'aria-hidden': 'true'}, weekdayName(day))))),
    taken && h('p', {class: 'quiet'}, taken));
}

/** A switch with its text and what it does. `data-on`: so that a MutationObserver sees it turn. */
export const switchField = (label, isOn, change, hint) => h('label', {class: 'switch', 'data-key': `switch-${label}`}, h('input', {
  type: 'checkbox',
  '.checked': isOn,
  'data-on': String(isOn),
  onchange: event => change(event.target.checked, event.target),
}),
  h('span', {}, h('span', {}, label), hint && h('span', {class: 'quiet small'}, h('br', {}), hint)));
