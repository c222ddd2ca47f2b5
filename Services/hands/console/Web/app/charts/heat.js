// A calendar: one square for each day, in columns of weeks; the darker, the longer.

import {svg} from '../h.js';
import {plusDays, weekdayOf} from '../clock.js';
import {dates, duration, weekStart, weekdayName, weekdays} from '../format.js';

const LEFT = 36;
const TOP = 18;
const LEVELS = 5;
/** Least pixels of a day. */
const CELL = 11;

/** @param {Map<string, number>} values milliseconds by date */
export function heat(values, {from, to, label, choose}) {
  const offset = (weekdayOf(from) - weekStart() + 7) % 7;
  const days = [];
  for (let day = from; day <= to; day = plusDays(day, 1)) days.push(day);
  const sorted = [...values.values()].filter(value => value > 0).sort((a, b) => a - b);
  const level = value => {
    if (!value) return 0;
    return 1
      + Math.min(LEVELS - 2,
        Math.floor(sorted.findIndex(other => other >= value) / Math.max(1, sorted.length) * (LEVELS - 1)));
  };
  const all = Math.ceil((days.length + offset) / 7);
  // A narrow place has the newest weeks only: a square stays large enough to be seen and pressed.
  const weeks = width => Math.min(all, Math.floor((width - LEFT) / CELL));
  const cell = width => Math.min(20, (width - LEFT) / weeks(width));
  const first = width => Math.max(0, (all - weeks(width)) * 7 - offset);
  const place = (i, width) => ({
    x: LEFT + (Math.floor((i + offset) / 7) - all + weeks(width)) * cell(width),
    y: TOP + (i + offset) % 7 * cell(width),
  });
  const shown = width => days.slice(first(width)).map((day, i) => ({day, ...place(first(width) + i, width)}));
  return {
    height: width => TOP + 7 * cell(width) + 4,
    label,
    of: from,
    choose: (index, width) => choose?.(shown(width)[index]?.day),
    stops: width => shown(width).map(({day, x, y}) => ({
      x: x + cell(width) / 2,
      y: y + cell(width) / 2,
      text: `${dates.day(day)}: ${duration(values.get(day) ?? 0)}`,
    })),
    draw(width, _, chosen) {
      const size = cell(width);
      let lastMonth = -40;
      return [
        weekdays().map((weekday, row) => row % 2 === 0
            && svg('text', {class: 'axis', x: 0, y: TOP + row * size + size * 0.8}, weekdayName(weekday))),
        shown(width).map(({day, x, y}, i) => {
          const isFirst = day.endsWith('-01') && x - lastMonth > 30;
          if (isFirst) lastMonth = x;
          return [
            isFirst && svg('text', {class: 'axis', x, y: TOP - 6}, dates.monthShort(day)),
            svg('rect', {
              class: i === chosen ? 'cell chosen' : 'cell',
              'data-level': level(values.get(day)),
              x: x + 1,
              y: y + 1,
              width: Math.max(1, size - 2),
              height: Math.max(1, size - 2),
              rx: Math.min(3, size / 5),
            }),
          ];
        }),
      ];
    },
  };
}
