// The windows of one day, to the minute and over midnight, and the days they are copied to.

import {weekdayName} from '../format.js';
import {parseTime, timeText} from '../data/limits.js';
import {h} from '../h.js';
import {openDialog} from '../parts/dialog.js';
import {daysField, formEnd, once, setter} from '../parts/fields.js';
import {glyphOf} from '../parts/glyphs.js';
import {windowText} from '../parts/week.js';
import {t} from '../words.js';

/**
 * @param {{from: number, to: number}[][]} off by weekday
 * @param {number[]} also days that get the same windows
 * @param {(windows: object[], days: number[], button: Element) => Promise<boolean>} write gives the days these
 *   windows; when that fails the form stays
 * @returns whether it was saved
 */
export function editDay(name, day, off, also, write) {
  const windows = off[day].map(window => ({...window}));
  if (windows.length === 0) windows.push({from: 22 * 60, to: 31 * 60});
  const state = {days: [...also]};
  return openDialog({
    title: also.length > 1 ? name : t('downtime.dayTitle', {name, day: weekdayName(day, 'long')}),
    body: (close, update) => {
      const isMissing = windows.some(one => one.fromIsMissing || one.toIsMissing);
      return [
        h('ul', {class: 'windows'}, windows.map((window, i) => windowFields(windows, window, i, update))),
        windows.length === 0 && h('p', {class: 'quiet'}, t('downtime.openDay')),
        isMissing && h('p', {class: 'quiet', role: 'status'}, t('downtime.timeMissing')),
        h('p', {},
          h('button', {
            type: 'button',
            class: 'plain small',
            onclick: () => {
              windows.push({from: 12 * 60, to: 13 * 60});
              update();
            }
          },
            glyphOf('plus'), t('downtime.addWindow'))),
        daysField(t('downtime.sameOn'), {id: 'same', days: state.days, change: setter(state, 'days', update)}),
        formEnd({
          id: 'day-save',
          disabled: state.days.length === 0 || isMissing,
          save: button => write(structuredClone(windows), state.days, button),
          close
        }),
      ];
    },
  });
}

function windowFields(windows, window, i, update) {
  const set = (from, to) => {
    window.from = from;
    window.to = to > from ? to : to + 1440;
    update();
  };
  const end = (name, value, change) =>
    h('label', {class: 'inline'}, h('span', {}, t(`downtime.${name}`)), h('input', {
      type: 'time',
      id: `${name}-${i}`,
      required: true,
      '.value': window[`${name}IsMissing`] ? '' : timeText(value % 1440),
      onchange: event => {
        // Without a time it cannot be saved.
        window[`${name}IsMissing`] = !event.target.value;
        if (event.target.value) change(parseTime(event.target.value));
        else update();
      },
    }));
  return h('li', {'data-key': String(i)}, end('from', window.from, from => set(from, window.to % 1440)),
    end('to', window.to, to => set(window.from, to)),
    window.to > 1440 && h('span', {class: 'tag'}, t('downtime.nextMorning')),
    h('button', {
      type: 'button',
      class: 'plain small icon-only',
      'aria-label': t('downtime.removeWindow', {window: windowText(window)}),
      onclick: once(() => {
        windows.splice(i, 1);
        update();
      })
    },
      glyphOf('bin')));
}
