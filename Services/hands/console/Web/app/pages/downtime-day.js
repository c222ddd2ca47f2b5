// The windows of one day, to the minute and over midnight, and the days they are copied to.

import {weekdayName} from '../format.js';
import {parseTime, timeText} from '../data/limits.js';
import {h} from '../h.js';
import {openDialog} from '../parts/dialog.js';
import {daysField} from '../parts/fields.js';
import {glyphOf} from '../parts/glyphs.js';
import {windowText} from '../parts/week.js';
import {t} from '../words.js';

/**
 * @param {{from: number, to: number}[][]} off by weekday
 * @param {number[]} also days that get the same windows
 * @returns the week with the new windows; undefined if it was dismissed
 */
export function editDay(name, day, off, also = [day]) {
  const windows = off[day].map(window => ({...window}));
  if (windows.length === 0) windows.push({from: 22 * 60, to: 31 * 60});
  let days = [...also];
  return openDialog({
    title: t('downtime.dayTitle', {name, day: weekdayName(day, 'long')}),
    body: (close, update) => {
      const set = (window, from, to) => {
        window.from = from;
        window.to = to > from ? to : to + 1440;
        update();
      };
      return [
        h('ul', {class: 'windows'},
          windows.map((window, i) => h('li', {'data-key': String(i)},
                        h('label', {class: 'inline'}, h('span', {}, t('downtime.from')), h('input', {
                          type: 'time',
                          id: `from-${i}`,
                          required: true,
                          '.value': timeText(window.from % 1440),
                          onchange: event => event.target.value
                            && set(window, parseTime(event.target.value), window.to % 1440),
                        })),
                        h('label', {class: 'inline'}, h('span', {}, t('downtime.to')), h('input', {
                          type: 'time',
                          id: `to-${i}`,
                          required: true,
                          '.value': timeText(window.to % 1440),
                          onchange: event =>
                            event.target.value && set(window, window.from, parseTime(event.target.value)),
                        })),
                        window.to > 1440 && h('span', {class: 'tag'}, t('downtime.nextMorning')),
                        h('button', {
                          type: 'button',
                          class: 'plain small icon-only',
                          'aria-label': t('downtime.removeWindow', {window: windowText(window)}),
                          onclick: () => {
                            windows.splice(i, 1);
                            update();
                          }
                        },
                          glyphOf('bin'))))),
        windows.length === 0 && h('p', {class: 'quiet'}, t('downtime.openDay')),
        h('p', {},
          h(
            'button', {
              type: 'button',
              class: 'plain small',
              onclick: () => {
                windows.push({from: 12 * 60, to: 13 * 60});
                update();
              }
            },
            glyphOf('plus'), t('downtime.addWindow'))),
        daysField(t('downtime.sameOn'), {
          id: 'same',
          days,
          change: next => {
            days = next;
            update();
          }
        }),
        h('p', {class: 'actions'},
          h(
            'button', {
              type: 'button',
              class: 'primary',
              id: 'day-save',
              disabled: days.length === 0,
              onclick: () =>
                close(off.map((old, weekday) => days.includes(weekday) ? windows.map(window => ({...window}))
                                                                       : old))
            },
            t('action.save')),
          h('button', {type: 'button', onclick: () => close()}, t('action.cancel'))),
      ];
    },
  });
}
