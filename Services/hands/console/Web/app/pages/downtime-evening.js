// The app of the seed document: a selection that is shielded at one time of each day.

import {run} from '../api.js';
import {at, minuteTime} from '../format.js';
import {h} from '../h.js';
import {act} from '../parts/act.js';
import {openDialog} from '../parts/dialog.js';
import {field, formEnd, setter} from '../parts/fields.js';
import {askPermission, selectionField, selectionText} from '../parts/program.js';
import {parts, t} from '../words.js';
import {parseTime} from '../data/limits.js';

const CLIENT = 'org.screentime.downtime';
const instant = text => typeof text === 'number' ? (text + 978_307_200) * 1000 : Date.parse(text);

export function evening({status, selections}, again) {
  const stop = async event => {
    if (await act(() => run('downtime', 'stop'), {button: event.currentTarget, done: t('evening.stopped')}))
      again();
  };
  const one = selections.find(selection => selection.name === status.selection);
  return h('section', {'aria-labelledby': 'evening'}, h('h2', {id: 'evening'}, t('evening.title')),
    h('p', {class: 'quiet'}, t('evening.text')),
    !status.authorized ? askPermission('downtime', again)
      : status.running
      ? h('ul', {class: 'rows bare'},
        h('li', {},
          h('div', {class: 'what'}, h('span', {class: 'name'}, one ? selectionText(one) : status.selection),
            h('span', {class: 'quiet'},
              t('evening.times',
                {from: minuteTime(parseTime(status.from)), to: minuteTime(parseTime(status.to))})),
            h('span', {class: 'quiet'},
              status.shielding     ? t('evening.shieldsNow')
                : status.nextStart ? parts('evening.next', {time: at(instant(status.nextStart))})
                                   : ''),
            !status.asRegistered && h('span', {class: 'tag bad'}, t('program.notRegistered'))),
          h('div', {class: 'end'},
            h('button', {type: 'button', class: 'small', onclick: () => edit(status, selections, again)},
              t('action.change')),
            h('button', {type: 'button', class: 'small', onclick: stop}, t('evening.stop')))))
      : h('p', {},
        h('button', {type: 'button', onclick: () => edit(status, selections, again)}, t('evening.start'))));
}

async function edit(status, selections, again) {
  const state = {
    selection: status.selection ?? selections[0]?.name ?? '',
    from: status.from ?? '22:00',
    to: status.to ?? '07:00'
  };
  const save = button => act(
    () => run('downtime', 'start', '--selection', state.selection, '--from', state.from, '--to', state.to),
    {button, done: t('evening.started')});
  const end = name => field(t(`downtime.${name}`), h('input', {
    type: 'time',
    id: `evening-${name}`,
    '.value': state[name] === '24:00' ? '00:00' : state[name],
    onchange: event => {
      if (event.target.value) state[name] = event.target.value;
    },
  }));
  const isSaved = await openDialog({
    title: t('evening.title'),
    body: (close, update) => [selectionField(t('evening.what'), {
      id: 'evening-selection',
      client: CLIENT,
      selections,
      chosen: state.selection,
      change: setter(state, 'selection', update)
    }),
      h('div', {class: 'inline'}, ['from', 'to'].map(end)),
      formEnd({disabled: !state.selection, save, close}),
  ]
  });
  if (isSaved) again();
}
