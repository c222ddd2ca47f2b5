// Columns: one for each hour, day, week or month.

import {svg} from '../h.js';

import {AXIS, grid, scale, valueText} from './scale.js';

const TOP = 12;
const BOTTOM = 24;

/**
 * @param {object[]} items `{value, part?, usual?, label, name, isNow?}`:
 *   `part` of the value is highlighted; `usual` is drawn as a line across; `label` is below it if not empty
 * @param {{unit: 'duration'|'count', label: string, height?: number, of?: string, choose?: (index: number) => void,
 *   words?: (item: object) => string}} options
 */
export function bars(items, {unit, label, height = 200, of, choose, words}) {
  const max =
    Math.max(...items.map(item => Math.max(item.value, item.usual ?? 0)), unit === 'duration' ? 60_000 : 1);
  const {top, steps} = scale(max, unit);
  const y = value => TOP + (height - TOP - BOTTOM) * (1 - value / top);
  const slot = width => (width - AXIS) / items.length;
  const hasPart = items.some(item => item.part !== undefined);
  return {
    height,
    label,
    of,
    choose,
    stops: width => items.map((item, i) => ({
      x: (i + 0.5) * slot(width),
      text: words?.(item) ?? `${item.name}: ${valueText(item.value, unit)}`,
    })),
    draw(width, _, chosen) {
      const each = slot(width);
      const thick = Math.max(1, Math.min(44, each * 0.68));
      const labelled = readable(items, each);
      return [
        grid({steps, width, y, unit}),
        items.map((item, i) => {
          const x = i * each + (each - thick) / 2;
          return svg('g', {
            class: ['bar', i === chosen && 'chosen', item.isNow && 'now', hasPart && 'parted']
                     .filter(Boolean)
                     .join(' '),
          },
            item.value > 0 && column(x, y(item.value), thick, y(0) - y(item.value), 'whole'),
            item.part > 0 && column(x, y(item.part), thick, y(0) - y(item.part), 'part'),
            // The edge tells it from its column.
            item.usual > 0 && ['usual-edge', 'usual'].map(kind => svg('line', {
              class: kind,
              x1: x - Math.min(3, each * 0.1),
              x2: x + thick + Math.min(3, each * 0.1),
              y1: y(item.usual),
              y2: y(item.usual),
            })),
            labelled.has(i)
              && svg('text', {
                   class: 'axis',
                   x: isCut(item.label, x + thick / 2) ? 0 : x + thick / 2,
                   y: height - 6,
                   'text-anchor': isCut(item.label, x + thick / 2) ? 'start' : 'middle',
                 },
                item.label));
        }),
      ];
    },
  };
}

/** Whether a label in the middle of its column would begin left of the chart. */
const isCut = (label, middle) => labelWidth(label) / 2 > middle;

/** The items whose labels have room: each label, or each second, third … */
function readable(items, each) {
  const all = items.map((item, i) => item.label ? i : -1).filter(i => i >= 0);
  if (all.length < 2) return new Set(all);
  const widest = Math.max(...all.map(i => labelWidth(items[i].label))) + 8;
  const every = Math.max(1, Math.ceil(widest / ((all[1] - all[0]) * each)));
  return new Set(all.filter((_, i) => i % every === 0));
}

/** About how wide a label of 12 pixels is; Korean letters are square. */
const labelWidth = text => [...text].reduce((sum, letter) => sum + (letter > '\u1100' ? 12 : 7), 0);

/** A column with round upper corners that stands on the base line. */
function column(x, y, width, height, kind) {
  const r = Math.min(4, width / 2, height);
  return svg('path', {
    class: kind,
    d: `M${x} ${y + height}V${y + r}q0 ${- r} ${r} ${- r}h${width - 2 * r}q${r} 0 ${r} ${r}V${y + height}z`,
  });
}
