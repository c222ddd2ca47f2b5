// The head of a report: which period, what is shown of what, and its export.

import {who} from '../api.js';
import {save} from '../charts/picture.js';
import * as clock from '../clock.js';
import {csv, lastOf, periodName, periods, shifted, startOf} from '../data/reports.js';
import {h} from '../h.js';
import {nameOf} from '../names.js';
import {openDialog} from '../parts/dialog.js';
import {glyphOf} from '../parts/glyphs.js';
import {pick, selectionNames} from '../parts/picker.js';
import {segmented} from '../parts/tabs.js';
import {t} from '../words.js';

export const metrics = ['duration', 'pickups', 'notifications'];

/** The name of a key. */
export const nameIn = (by, key) => by === 'device' ? key : nameOf(by, key);

export function bar(data, view, change) {
  const {period, start} = view;
  const today = view.today ?? clock.today();
  const current = startOf(period, today);
  // What is filtered by is in the list, also where it was not used for long.
  const isKnown = !view.device || data.devices.includes(view.device);
  const devices = isKnown ? data.devices : [...data.devices, view.device];
  // Of what is asked for, which may be ahead of what is shown.
  const since = asked => asked.start ?? startOf(asked.period, today);
  const move = n => change(asked => ({start: shifted(asked.period, since(asked), n)}));
  const turnTo = value => change(asked => ({
    period: value,
    start: startOf(value, since(asked) > startOf(asked.period, today)
      ? today : keepDate(today, since(asked), asked.period))
  }));
  const filterCount = view.selection ? selectionNames(view.selection).length : 0;
  return h('header', {class: 'report-head', 'data-key': 'bar'},
    h('div', {class: 'report-bar'},
      h('div', {class: 'report-range'},
        h('button', {
          type: 'button',
          class: 'plain icon-only',
          'aria-label': t('reports.earlier'),
          onclick: () => move(-1)
        },
          glyphOf('left')),
        h('h1', {id: 'range', 'aria-live': 'polite'}, periodName(period, start)),
        h('button', {
          type: 'button',
          class: 'plain icon-only',
          'aria-label': t('reports.later'),
          disabled: start >= current,
          onclick: () => move(1)
        },
          glyphOf('right'))),
      h('div', {class: 'push'},
        segmented(
          t('reports.period'), periods.map(value => [value, t(`period.${value}`)]), period, turnTo))),
    h('p', {class: 'print-only', id: 'report-of'}, subject(data, view).join(' · ')),
    h('div', {class: 'filters no-print'},
      select(t('reports.metric'), 'metric', metrics.map(value => [value, t(`metric.${value}`)]), view.metric,
        value => change({metric: value})),
      data.members.length > 1
        && select(t('reports.member'), 'member',
          data.members.map(one => [one.id === who().member ? '' : one.id, one.name]), view.member,
          value => change(asked => ({member: value, device: '', start: asked.isPresent ? null : asked.start}))),
      (devices.length > 1 || view.device)
        && select(t('reports.device'), 'device',
          [['', t('reports.allDevices')], ...devices.map(name => [name, name])], view.device,
          value => change({device: value})),
      h('button', {
        type: 'button',
        class: 'small',
        onclick: async () => {
          const selection = await pick({title: t('reports.filter'), selection: view.selection});
          if (selection) change({selection});
        }
      },
        glyphOf('filter'), filterCount ? t('reports.filtered', {n: filterCount}) : t('reports.filter')),
      filterCount > 0
        && h('button', {type: 'button', class: 'plain small', onclick: () => change({selection: null})},
          t('reports.noFilter')),
      exportMenu(data, view)));
}

/** What is shown of whom, as words, where the lists that say so are not. */
export const subject = (data, view) =>
  [t(`metric.${view.metric}`),
    data.members.length > 1 && data.members.find(one => one.id === (view.member || who().member))?.name,
    view.device, ...(view.selection ? selectionNames(view.selection) : [])].filter(Boolean);

/** Within the present period, today; else its first day. */
function keepDate(today, start, period) {
  return today >= start && today <= lastOf(period, start) ? today : start;
}

const select = (label, id, all, chosen, change) =>
  h('span', {class: 'inline'}, h('label', {class: 'hidden', 'for': id}, label),
    h('select', {id, onchange: event => change(event.target.value), '.value': chosen},
      all.map(([value, text]) => h('option', {value, selected: value === chosen}, text))));

/** What is shown, which another answer may change while somebody chooses how to export it. */
let shown = null;

const saveAs = (type, ending, ...parts) =>
  save(new Blob(parts, {type}), `screentime ${shown.view.period} ${shown.view.start}.${ending}`);

const exports = {
  // Spreadsheets take it for UTF-8 only with a byte order mark.
  csv: ({data, view}) => saveAs('text/csv;charset=utf-8', 'csv', '\ufeff',
    csv(data, view.by, view.metric, key => nameIn(view.by, key))),
  json: ({data: {from, to, filter, total, rows}, view: {by, metric}}) =>
    saveAs('application/json', 'json', JSON.stringify({from, to, by, metric, filter, total, rows}, null, 1)),
  print: () => print()
};

function exportMenu(data, view) {
  shown = {data, view};
  // A list would save a file at each arrow key.
  const choose = async () => exports[await openDialog({
    title: t('reports.export'),
    body: close => h('p', {class: 'actions'}, Object.keys(exports).map(
      what => h('button', {type: 'button', onclick: () => close(what)}, t(`export.${what}`)))),
  })]?.(shown);
  return h('button', {type: 'button', id: 'export', 'aria-haspopup': 'dialog', onclick: choose},
    t('reports.export'));
}
