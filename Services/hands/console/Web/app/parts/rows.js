// A list of subjects with their use: icon, name, a thin bar, the time.

import {h} from '../h.js';
import {count, time} from '../format.js';
import {icon, nameOf} from '../names.js';

/**
 * @param {{key: string, value: number}[]} items sorted
 * @param {object} options `kind`; `unit?`: duration or count; `most?` rows; `choose?(key)` and the `chosen?`
 *   key; `hue?(key)` and `name?(key)` where they are not those of the kind
 */
export function useRows(items, {kind, unit = 'duration', most = Infinity, choose, chosen, hue, name}) {
  const top = items[0]?.value ?? 1;
  return h('ol', {class: 'use-rows'}, items.slice(0, most).map(item => {
    const inside = [
      kind === 'device' || kind === 'member' ? null : icon(kind, item.key),
      h('span', {class: 'use-name'}, name ? name(item.key) : nameOf(kind, item.key)),
      unit === 'duration' ? time(item.value) : count(item.value),
      h('span', {class: 'use-bar', 'aria-hidden': 'true', 'data-hue': hue?.(item.key)},
        h('span', {'--share': item.value / top})),
    ];
    return h('li', {'data-key': item.key || '-'},
      choose ? h('button', {
        type: 'button',
        class: 'use-row',
        'aria-pressed': String(chosen === item.key),
        onclick: () => choose(item.key)
      },
        inside)
             : h('div', {class: 'use-row'}, inside));
  }));
}
