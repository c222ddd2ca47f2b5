// A trend: one value for each week, with their average as a quiet line.

import {svg} from '../h.js';

import {AXIS, grid, scale, valueText} from './scale.js';

const TOP = 14;
const BOTTOM = 24;

/**
 * @param {{value: number, label: string, name: string}[]} items
 * @param {{mean: number}} options as of `bars`, and the average that is shown
 */
export function line(items, {unit, label, mean, height = 180, of, choose}) {
  const {top, steps} = scale(Math.max(...items.map(item => item.value), unit === 'duration' ? 60_000 : 1), unit, 3);
  const y = value => TOP + (height - TOP - BOTTOM) * (1 - value / top);
  const x = (i, width) => 8 + i * (width - AXIS - 16) / Math.max(1, items.length - 1);
  return {
    height,
    label,
    of,
    choose,
    stops: width =>
      items.map((item, i) => ({x: x(i, width), text: `${item.name}: ${valueText(item.value, unit)}`})),
    draw(width, _, chosen) {
      const points = items.map((item, i) => `${x(i, width)} ${y(item.value)}`);
      // The first label begins at its point and the last ends there: beside them is half a label less.
      const every = Math.max(1, Math.ceil(78 / ((width - AXIS) / items.length)));
      return [
        grid({steps, width, y, unit}),
        svg('path', {
          class: 'area',
          d: `M${x(0, width)} ${y(0)}L${points.join('L')}L${x(items.length - 1, width)} ${y(0)}z`
        }),
        svg('line', {class: 'usual', x1: 0, x2: width - AXIS, y1: y(mean), y2: y(mean)}),
        svg('path', {class: 'line', d: `M${points.join('L')}`}),
        items.map((item, i) => [svg('circle', {
          class: i === chosen ? 'dot chosen' : 'dot',
          cx: x(i, width),
          cy: y(item.value),
          r: i === chosen ? 5 : 3,
        }),
                    (items.length - 1 - i) % every === 0
                      && svg('text', {
                           class: 'axis',
                           x: x(i, width),
                           y: height - 6,
                           'text-anchor': i === 0     ? 'start'
                             : i === items.length - 1 ? 'end'
                                                      : 'middle',
                         },
                        item.label),
      ]),
      ];
    },
  };
}
