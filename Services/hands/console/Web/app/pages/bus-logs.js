// The log of one process: what it wrote last, the newest first.

import {at} from '../format.js';
import {h} from '../h.js';
import {t} from '../words.js';

/** Lines that are shown. */
const LINES = 200;
const known = new Set(['time', 'level', 'service', 'pid', 'message']);
const tone = {error: 'tag bad', warning: 'tag'};

/**
 * @param {string[]} names processes that may be chosen
 * @param {string} chosen the name of one; empty: none
 * @param {(object|string)[]|null} lines its log, the oldest first; null if there is none
 */
export function logs(names, chosen, lines, isOnlyBad, {choose, onlyBad, again}) {
  const shown =
    (lines ?? []).filter(line => !isOnlyBad || tone[line.level]).slice(-LINES).reverse();
  return h('section', {'aria-labelledby': 'logs'},
    h('div', {class: 'section-head'}, h('h2', {id: 'logs'}, t('bus.logs')),
      h('span', {class: 'inline'},
        h('select', {'aria-label': t('bus.logOf'), '.value': chosen, onchange: event => choose(event.target.value)},
          h('option', {value: ''}, t('bus.noLog')), names.map(name => h('option', {value: name}, name))),
        chosen && h('button', {
          type: 'button',
          class: 'small',
          'aria-pressed': String(isOnlyBad),
          onclick: () => onlyBad(!isOnlyBad)
        }, t('bus.onlyBad')),
        chosen && h('button', {type: 'button', class: 'small', onclick: () => again()}, t('bus.reload')))),
    chosen
      && (shown.length === 0
        ? h('p', {class: 'quiet'}, t(lines === null ? 'bus.hasNoLog' : 'bus.noLines', {name: chosen}))
        : h('ol', {class: 'rows log', tabindex: '0', 'aria-label': t('bus.logOf')}, shown.map(row))));
}

function row(line) {
  if (typeof line === 'string') return h('li', {}, h('code', {}, line));
  const more = Object.entries(line).filter(([name]) => !known.has(name));
  return h('li', {},
    h('span', {class: 'quiet small num'}, at(Date.parse(line.time))),
    tone[line.level] && h('span', {class: tone[line.level]}, t(`level.${line.level}`)),
    h('span', {}, line.message),
    more.length > 0
      && h('code', {class: 'quiet'}, more.map(([name, value]) => `${name}=${plain(value)}`).join('  ')));
}

const plain = value => typeof value === 'string' ? value : JSON.stringify(value);
