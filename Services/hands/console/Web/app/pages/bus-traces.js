// Spans as trees: what caused what, in which service, and how long it took.

import {at, number} from '../format.js';
import {h} from '../h.js';
import {t} from '../words.js';

/** Traces that are listed. */
const TRACES = 25;

/**
 * @param {object} read `spans` of all services, and `silent`: the services that did not answer
 * @param {string|null} chosen a trace that is shown alone
 */
export function traces({spans, silent}, chosen, choose, again) {
  const groups = new Map();
  for (const span of spans) groups.set(span.trace_id, [...groups.get(span.trace_id) ?? [], span]);
  // A single read that was answered, such as those of this page, caused nothing.
  const isRead = list => list.length === 1 && list[0].outcome === 'ok';
  const all =
    [...groups]
      .filter(([, list]) => chosen || !isRead(list))
      .map(([id, list]) =>
             ({id, list: list.sort((a, b) => a.start_ms - b.start_ms || b.duration_us - a.duration_us)}))
      .sort((a, b) => b.list[0].start_ms - a.list[0].start_ms)
      .slice(0, TRACES);
  return h('section', {'aria-labelledby': 'traces'},
    h('div', {class: 'section-head'}, h('h2', {id: 'traces'}, t(chosen ? 'bus.trace' : 'bus.traces')),
      h('span', {class: 'inline'},
        chosen
          && h('button', {type: 'button', class: 'small', onclick: () => choose(null)}, t('bus.allTraces')),
        h('button', {type: 'button', class: 'small', onclick: () => again()}, t('bus.reload')))),
    silent.length > 0
      && h('p', {class: 'notice'}, t('bus.silent', {services: silent.join(', ')})),
    all.length === 0
      ? silent.length === 0 && h('p', {class: 'quiet'}, t('bus.noTraces'))
      : h('ul', {class: 'trace'},
        all.map(({id, list}) => h('li', {'data-key': id},
                  chosen || list.length === 1
                    ? tree(list)
                    : h('details', {}, h('summary', {}, head(list)), tree(list),
                      h('p', {},
                        h('button', {type: 'button', class: 'plain small', onclick: () => choose(id)},
                          t('bus.onlyThis'))))))));
}

function head(list) {
  const failed = list.some(span => span.outcome !== 'ok');
  return [
    list[0].name, ' · ', t('bus.spans', {n: list.length}), ' · ', at(list[0].start_ms),
    failed && [' · ', h('span', {class: 'tag bad'}, t('bus.failed'))]
  ];
}

function tree(list) {
  const byParent = new Map();
  const ids = new Set(list.map(span => span.span_id));
  for (const span of list) {
    const parent = ids.has(span.parent_id) ? span.parent_id : '';
    byParent.set(parent, [...byParent.get(parent) ?? [], span]);
  }
  const draw = (parent, depth) => {
    const spans = byParent.get(parent) ?? [];
    if (spans.length === 0 || depth > 40) return null;
    return h('ul', {}, spans.map(span => h('li', {}, line(span), draw(span.span_id, depth + 1))));
  };
  return draw('', 0);
}

const line = span => h('div', {}, h('span', {class: 'span-name'}, span.name),
  h('span', {class: 'quiet'}, span.service), span.subject && h('span', {}, span.subject),
  h('span', {class: 'quiet num'}, t('unit.ms', {n: number(Math.round(span.duration_us / 100) / 10)})),
  span.outcome !== 'ok' && h('span', {class: 'tag bad'}, span.outcome));
