// Reports that apps draw themselves: each in a frame without scripts and without the page's rights.

import {h} from '../h.js';
import {t} from '../words.js';
import {clientName} from '../data/why.js';
import {lastOf} from '../data/reports.js';

const REPORT = 'com.apple.deviceactivityui.report-extension';
/** The contexts of the built-in apps. An extension does not list its own, so those of others are typed. */
const contexts = {
  'org.screentime.downtime': ['Total Activity'],
  'org.screentime.worklog': ['Pie Chart'],
  'org.screentime.charts': ['pieChart', 'barChart'],
};

const nameOf = ({client, context}) => t('scenes.name', {program: clientName(client), context});

/** @param state which scene is chosen, and what was typed */
export function scenes(data, view, state, redraw) {
  const programs = data.extensions.filter(one => one.point === REPORT);
  if (programs.length === 0) return null;
  const all = programs.flatMap(
    one => (contexts[one.client] ?? [state.context ?? '']).map(context => ({client: one.client, context})));
  const valueOf = one => `${one.client}/${one.context}`;
  const one = all.find(other => valueOf(other) === state.scene);
  const choose = event => {
    state.scene = event.target.value;
    redraw();
  };
  return h('section', {'aria-labelledby': 'scenes', class: 'no-print', 'data-key': 'scenes'},
    h('div', {class: 'section-head'}, h('h2', {id: 'scenes'}, t('scenes.title')),
      h('span', {class: 'inline'}, h('label', {class: 'hidden', 'for': 'scene'}, t('scenes.choose')),
        h('select', {id: 'scene', onchange: choose}, h('option', {value: ''}, t('scenes.choose')),
          all.map(item => h('option', {value: valueOf(item), selected: valueOf(item) === state.scene},
                    nameOf(item)))))),
    h('p', {class: 'quiet small'}, [t('scenes.text'), data.devices.length > 1 && !view.device && t('scenes.devices')].filter(Boolean).join(' ')),
    one && !contexts[one.client] && h('input', {
      type: 'text',
      id: 'scene-context',
      'aria-label': t('scenes.context'),
      placeholder: t('scenes.context'),
      '.value': one.context,
      onchange: event => {
        state.context = event.target.value;
        state.scene = `${one.client}/${state.context}`;
        redraw();
      },
    }),
    one && one.context && frame(one, data, view));
}

function frame(one, data, view) {
  const filter = {from: view.start, to: lastOf(view.period, view.start), segment: 'daily', ...data.filter};
  const query =
    new URLSearchParams({context: one.context, filter: JSON.stringify(filter), version: view.sceneVersion});
  return h('iframe', {
    class: 'scene',
    sandbox: '',
    title: nameOf(one),
    referrerpolicy: 'no-referrer',
    src: `/scene/${encodeURIComponent(one.client)}?${query}`,
  });
}
