// The app of the seed document: a selection that is shielded at one time of each day.

import {run} from '../api.js';
import * as clock from '../clock.js';
import {mayCover} from '../data/cover.js';
import {windowAt} from '../data/week.js';
import {at, minuteTime} from '../format.js';
import {h} from '../h.js';
import {act} from '../parts/act.js';
import {openDialog} from '../parts/dialog.js';
import {field, formEnd, setter} from '../parts/fields.js';
import {actIfWanted} from '../parts/first.js';
import {askPermission, changedElsewhere, readNow, selectionField, selectionName} from '../parts/program.js';
import {parts, t} from '../words.js';
import {parseTime} from '../data/limits.js';

const CLIENT = 'org.screentime.downtime';
const instant = text => typeof text === 'number' ? (text + 978_307_200) * 1000 : Date.parse(text);

export function evening({status, selections, acts}, again) {
  const stop = async event => {
    if (await act(() => run('downtime', 'stop'), {button: event.currentTarget, done: t('evening.stopped')}))
      again();
  };
  return h('section', {'aria-labelledby': 'evening'}, h('h2', {id: 'evening'}, t('evening.title')),
    h('p', {class: 'quiet'}, t('evening.text')),
    !status.authorized ? askPermission('downtime', again)
      // Just before it has stopped, it has no times any more.
      : status.running && status.from
      ? h('ul', {class: 'rows bare'},
        h('li', {},
          h('div', {class: 'what'}, h('span', {class: 'name'}, selectionName(selections, status.selection)),
            h('span', {class: 'quiet'},
              t('evening.times',
                {from: minuteTime(parseTime(status.from)), to: minuteTime(parseTime(status.to))})),
            h('span', {class: 'quiet'},
              !acts                ? t('program.restrictionsOff')
                : status.shielding ? t('evening.shieldsNow')
                : status.nextStart ? parts('evening.next', {time: at(instant(status.nextStart))})
                                   : ''),
            status.selectionIsCurrent === false && changedElsewhere(selections, [status.selection]),
            !status.asRegistered && h('span', {class: 'tag bad'}, t('program.notRegistered'))),
          h('div', {class: 'end'},
            h('button', {type: 'button', class: 'small', onclick: () => edit(again)},
              t('action.change')),
            h('button', {type: 'button', class: 'small', onclick: stop}, t('evening.stop')))))
      : h('p', {},
        h('button', {type: 'button', onclick: () => edit(again)}, t('evening.start'))));
}

/** Whether the time of each day includes this moment. */
function actsNow({from, to}) {
  if (!from || !to) return false;
  const [start, end] = [parseTime(from), to === '00:00' ? 1440 : parseTime(to)];
  // No time at all is refused when it is saved.
  if (start === end) return false;
  const window = {from: start, to: end > start ? end : end + 1440};
  const now = clock.now();
  const today = clock.dateOf(now);
  return [today, clock.plusDays(today, -1)].some(date => windowAt([window], date, now));
}

async function edit(again) {
  // As it is now: it may have been changed elsewhere.
  const now = await readNow('downtime', CLIENT);
  if (!now) return;
  const {status, selections} = now;
  let {acts} = now;
  const state = {
    selection: selections.chosen(status.selection),
    from: status.from ?? '22:00',
    to: status.to ?? '07:00'
  };
  const save = async (button, isSaid, update) => {
    // What is written while it is saved is not in it.
    const {selection, from, to} = state;
    const isSaved = await actIfWanted(async () => {
      // Its time may have come since the form was drawn, or it may have been allowed to act.
      acts = await mayCover(CLIENT);
      if (acts && actsNow({from, to}) && !isSaid) return false;
      await selections.write(selection);
      return true;
    }, async () => {
      await run('downtime', 'start', `--selection=${selection}`, `--from=${from}`, `--to=${to}`);
      await selections.tidy(async () => [(await run('downtime', 'status')).selection]);
    }, {button, done: t('evening.started')});
    if (!isSaved && button.isConnected) update();
    return isSaved;
  };
  const end = (name, update) => field(t(`downtime.${name}`), h('input', {
    type: 'time',
    id: `evening-${name}`,
    required: true,
    '.value': state[name] === '24:00' ? '00:00' : state[name],
    onchange: event => setter(state, name, update)(event.target.value),
  }));
  const isSaved = await openDialog({
    title: t('evening.title'),
    body: (close, update) => {
      const isSaid = acts && actsNow(state);
      const set = key => setter(state, key, update);
      return [
        selectionField(t('evening.what'),
          {id: 'evening-selection', selections, chosen: state.selection, change: set('selection')}),
        h('div', {class: 'inline'}, ['from', 'to'].map(name => end(name, update))),
        (!state.from || !state.to)
          && h('p', {class: 'quiet', role: 'status'}, t('downtime.timeMissing')),
        isSaid
          && h('div', {class: 'notice warn', role: 'status', id: 'acts-now'},
            h('p', {}, t('evening.setupNow'))),
        formEnd({
          label: isSaid ? t('downtime.nowSave') : null,
          disabled: !state.selection || !state.from || !state.to,
          save: button => save(button, isSaid, update),
          close
        }),
      ];
    },
  });
  if (isSaved) again();
}
