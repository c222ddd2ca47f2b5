// A ring of at most six slices and the rest. Its list is beside it and chooses the slices.

import {svg} from '../h.js';
import {t} from '../words.js';

import {cut, penOf} from './text.js';

export const SLICES = 6;

/**
 * The largest items, and one for all others.
 * @param {{key: string, value: number}[]} items sorted by value, the largest first
 */
export function slices(items) {
  const rest = items.slice(SLICES);
  const all = items.slice(0, SLICES).map((item, i) => ({...item, hue: i}));
  // One other item is no "other".
  if (rest.length === 1) return [...all, {...rest[0], hue: 6}];
  if (rest.length > 1)
    all.push({
      key: null,
      name: t('chart.other', {n: rest.length}),
      hue: 7,
      value: rest.reduce((sum, item) => sum + item.value, 0)
    });
  return all;
}

const R = 84;
const INNER = 56;

/** @param {{key: string|null, name: string, value: number, hue: number}[]} all */
export function pie(all, {label, chosen, choose, middle}) {
  const total = all.reduce((sum, item) => sum + item.value, 0);
  return {
    height: 200,
    label,
    draw(width, height) {
      const [cx, cy] = [width / 2, height / 2];
      let angle = -Math.PI / 2;
      const shapes = all.map(item => {
        const share = total ? item.value / total : 0;
        const from = angle;
        const to = angle += share * 2 * Math.PI;
        const isChosen = chosen === item.key;
        return svg('path', {
          class: ['slice', isChosen && 'chosen', chosen !== undefined && !isChosen && 'faded']
                   .filter(Boolean)
                   .join(' '),
          'data-hue': item.hue,
          d: ring(cx, cy, from, to, isChosen ? R + 5 : R),
          onclick: event => {
            event.stopPropagation();
            choose?.(item.key);
          },
        });
      });
      return [
        shapes,
        middle &&
          [
            svg('text', {class: 'middle', x: cx, y: cy + 2, 'text-anchor': 'middle'}, middle[0]),
            svg('text', {class: 'axis', x: cx, y: cy + 20, 'text-anchor': 'middle'},
              cut(penOf(12), middle[1], 2 * INNER - 16)),
          ]
      ];
    },
  };
}

function ring(cx, cy, from, to, r) {
  const end = Math.min(to, from + 2 * Math.PI - 1e-4);
  const at = (radius, angle) => `${cx + radius * Math.cos(angle)} ${cy + radius * Math.sin(angle)}`;
  const large = end - from > Math.PI ? 1 : 0;
  return `M${at(r, from)}A${r} ${r} 0 ${large} 1 ${at(r, end)}L${at(INNER, end)}A${INNER} ${INNER} 0 ${
    large} 0 ${at(INNER, from)}z`;
}
