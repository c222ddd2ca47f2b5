// A choice of one of several, as buttons in a row.

import {h} from '../h.js';

/**
 * @param {string} label what is chosen
 * @param {[string, string][]} all values with their texts
 */
export const segmented = (label, all, chosen, choose) =>
  h('div', {class: 'segmented', role: 'group', 'aria-label': label},
    all.map(([value, text]) => h('button', {
      type: 'button',
      'aria-pressed': String(value === chosen),
      onclick: () => choose(value),
      'data-key': value,
    },
              text)));
