// A list of subjects with their use: icon, name, a thin bar, the time.

import {h} from '../h.js';
import {count, time} from '../format.js';
import {icon, nameOf} from '../names.js';

/**
 * @param {{key: string, value: number}[]} items sorted
 * @param {{kind: string, unit?: 'duration'|'count', most?: number, choose?: (key: string) => void, chosen?: string,
 *   hue?: (key: string) => number|undefined, name?: (key: string) => string}} options
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
