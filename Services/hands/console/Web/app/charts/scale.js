// Round steps for axes of durations and of counts.

import {svg} from '../h.js';
import {duration, number} from '../format.js';

const minutes =
  [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1440, 2880, 4320, 7200, 14400, 28800, 43200];

/**
 * The steps of an axis, at most `most` above zero.
 * @param {'duration'|'count'} unit
 * @returns {{top: number, steps: number[]}} in the unit of the values
 */
export function scale(max, unit, most = 4) {
  const least = Math.max(max, 1) / most;
  let step;
  if (unit === 'duration')
    step = (minutes.find(m => m * 60_000 >= least) ?? Math.ceil(least / 86_400_000) * 1440) * 60_000;
  else {
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    step = [1, 2, 5, 10].map(n => n * power).find(n => n >= least) ?? 1;
  }
  const count = Math.max(1, Math.ceil(max / step - 1e-9));
  return {top: count * step, steps: Array.from({length: count + 1}, (_, i) => i * step)};
}

export const valueText = (value, unit) => unit === 'duration' ? duration(value) : number(value);

/** Room for the labels of the value axis, at the right. */
export const AXIS = 60;

/** Grid lines with their labels. `y` maps a value to its place. */
export function grid({steps, width, y, unit}) {
  return steps.map(
    step => svg('g', {},
      svg('line', {class: step === 0 ? 'base' : 'grid', x1: 0, x2: width - AXIS, y1: y(step), y2: y(step)}),
      step > 0 && svg('text', {class: 'axis', x: width - AXIS + 8, y: y(step) + 4}, valueText(step, unit))));
}
