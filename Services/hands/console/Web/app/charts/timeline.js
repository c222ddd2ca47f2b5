// The day as lanes of what was used when.

import {svg} from '../h.js';
import {HOUR, offset} from '../clock.js';
import {clockTime, duration} from '../format.js';

import {cut, penOf} from './text.js';

const LANE = 26;
const TOP = 6;
/** Half of a label of the axis, at most: of "오후 12:45". */
const HALF = 31;

/**
 * @param {{name: string, hue: number, intervals: {start_ms: number, end_ms: number}[]}[]} lanes
 * @param {{from: number, to: number, label: string}} view instants
 */
export function timeline(lanes, {from, to, label}) {
  const height = TOP + lanes.length * LANE + 24;
  const names = width => width > 560 ? 150 : 92;
  const x = (instant, width) => names(width) + (instant - from) / (to - from) * (width - names(width) - 4);
  const all =
    lanes
      .flatMap((lane, row) => lane.intervals.filter(span => span.end_ms > from && span.start_ms < to)
                                .map(span => ({...span, row, lane})))
      .sort((a, b) => a.start_ms - b.start_ms);
  return {
    height,
    label,
    stops: width => all.map(span => ({
      x: x((Math.max(span.start_ms, from) + Math.min(span.end_ms, to)) / 2, width),
      y: TOP + (span.row + 0.5) * LANE,
      text: `${span.lane.name}: ${clockTime(span.start_ms)} – ${clockTime(span.end_ms)}, ${
        duration(span.end_ms - span.start_ms, {seconds: true})}`,
    })),
    draw(width, _, chosen) {
      const step = [0.25, 0.5, 1, 2, 3, 4, 6]
                     .map(n => n * HOUR)
                     .find(n => (to - from) / n <= (width - names(width)) / (2 * HALF + 4))
        ?? 6 * HOUR;
      const ticks = [];
      const ahead = offset(from);
      for (let at = Math.ceil((from + ahead) / step) * step - ahead; at <= to; at += step) ticks.push(at);
      const pen = penOf(13);
      return [
        ticks.map(
          at => svg('line', {class: 'grid', x1: x(at, width), x2: x(at, width), y1: TOP, y2: height - 22})),
        places(ticks.map(at => x(at, width)), width).map(
          (place, i) => place !== null
            && svg('text', {class: 'axis', x: place, y: height - 6, 'text-anchor': 'middle'}, clockTime(ticks[i]))),
        lanes.map(
          (lane, row) => svg('text', {class: 'lane', x: 0, y: TOP + row * LANE + 17},
            cut(pen, lane.name, names(width) - 10))),
        all.map((span, i) => svg('rect', {
          class: i === chosen ? 'span chosen' : 'span',
          'data-hue': span.lane.hue,
          rx: 2,
          x: x(Math.max(span.start_ms, from), width),
          y: TOP + span.row * LANE + 5,
          height: LANE - 10,
          width: Math.max(1.5, x(Math.min(span.end_ms, to), width) - x(Math.max(span.start_ms, from), width)),
        })),
      ];
    },
  };
}

/** Where the labels of an axis stand: all within it; null: there is no room beside the one before. */
function places(all, width) {
  let free = 0;
  return all.map(x => {
    const place = Math.min(x, width - HALF);
    if (place - HALF < free) return null;
    free = place + HALF + 4;
    return place;
  });
}
