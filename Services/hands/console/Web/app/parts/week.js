// The week at a glance, one line for each day; the shaded parts are off.

import * as clock from '../clock.js';
import {hourLabel, minuteTime, weekdayName, weekdays} from '../format.js';
import {h} from '../h.js';
import {t} from '../words.js';
import {offByDay, offSince} from '../data/week.js';

export const windowText = ({from, to}) => from === 0 && to >= 1440
  ? t('week.allDay')
  : t('week.window', {from: minuteTime(from), to: minuteTime(to === 1440 ? 1440 : to % 1440)});

/** When a day is off, with what the day before left; empty: it is open. */
export const dayTexts = (off, day) => {
  const until = offSince(off, day);
  return [...until > 0 ? [t('week.until', {to: minuteTime(until)})] : [], ...off[day].map(windowText)];
};

/** The same as a sentence. */
export const dayText = (off, day) => t(dayTexts(off, day).length ? 'week.dayOff' : 'week.dayOpen',
  {day: weekdayName(day, 'long'), windows: dayTexts(off, day).join(', ')});

/**
 * @param {{from: number, to: number}[][]} off by weekday
 * @param {(day: number) => any} [edit] what stands behind each day
 */
export function weekGrid(off, edit) {
  const drawn = offByDay(off);
  const today = clock.weekdayOf(clock.dateOf(clock.now()));
  const now = clock.minuteOfDay(clock.now()) / 1440;
  return h('div', {class: 'week'},
    h('div', {class: 'week-row scale', 'aria-hidden': 'true'}, h('span', {}),
      h('span', {class: 'hours'}, [0, 6, 12, 18, 24].map(hour => h('span', {}, hourLabel(hour)))),
      h('span', {})),
    h('ul', {class: 'week'},
      weekdays().map(
        day => h('li', {class: 'week-row', 'data-key': String(day)},
          h('span', {'aria-hidden': 'true'}, weekdayName(day)),
          h('span', {},
            h('span', {class: 'hours', 'aria-hidden': 'true'}, drawn[day].map(({from,
              to}) => h('span', {class: 'off', '--from': from / 1440, '--size': (to - from) / 1440})),
              day === today && h('span', {class: 'mark-now', '--from': now})),
            h('span', {class: 'hidden'},
              dayText(off, day))),
          edit?.(day)))));
}
