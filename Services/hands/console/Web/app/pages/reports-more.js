// What else a report shows: the trend of the weeks, the timeline of a day, the calendar of a year.

import {call, report} from '../api.js';
import {figure} from '../charts/figure.js';
import {heat} from '../charts/heat.js';
import {line} from '../charts/line.js';
import {timeline} from '../charts/timeline.js';
import {valueText} from '../charts/scale.js';
import * as clock from '../clock.js';
import {filterParams} from '../data/reports.js';
import {clockTime, count, dates, duration, time} from '../format.js';
import {h} from '../h.js';
import {nameOf} from '../names.js';
import {glyphOf} from '../parts/glyphs.js';
import {t} from '../words.js';

/** Lanes of the timeline. */
const LANES = 10;

/** @param {string[]} subject what is shown of whom, as words; of all figures here */
export function trendFigure(weeks, unit, subject, choose) {
  if (weeks.filter(week => week.value > 0).length < 2) return null;
  const items = weeks.map(week => ({
    value: week.value,
    label: dates.short(week.start),
    name: t('reports.weekOf', {date: dates.short(week.start)})
  }));
  const whole = weeks.slice(0, -1).filter(week => week.value > 0);
  const mean = whole.reduce((sum, week) => sum + week.value, 0) / Math.max(1, whole.length);
  return figure({
    id: 'trend',
    title: t('reports.trend'),
    of: [dates.range(weeks[0].start, clock.plusDays(weeks.at(-1).start, 6)), ...subject],
    text: t('reports.trendText', {value: valueText(Math.round(mean), unit), n: whole.length}),
    model: line(items, {
      unit,
      mean,
      label: t('reports.trendLabel'),
      of: weeks[0].start,
      choose: i => choose(weeks[i].start)
    }),
    table: {
      head: [t('period.week'), t('table.value')],
      rows: items.map(item => [item.name, unit === 'duration' ? time(item.value) : count(item.value)])
    },
  });
}

/** Intervals of a day by app and site, those with most use first. */
export async function readDay(date, view) {
  const {device, member, selection} = view;
  const [from, to] =
    clock.asMember(view.person, () => [clock.startOfDay(date), clock.startOfDay(clock.plusDays(date, 1))]);
  const {usage} = await call(
    'usage.read', {from_ms: from, to_ms: to, ...(device ? {device} : {}), ...(member ? {member} : {})});
  const isWanted = selection ? await selected(date, view) : one => one.kind === 'app';
  const lanes = new Map();
  for (const one of usage) {
    if (one.subject === '' || !isWanted(one)) continue;
    const key = `${one.kind} ${one.subject}`;
    const lane = lanes.get(key) ?? {kind: one.kind, subject: one.subject, intervals: []};
    for (const span of one.intervals) {
      const [start, end] = [Math.max(span.start_ms, from), Math.min(span.end_ms, to)];
      if (end <= start) continue;
      lane.intervals.push({start_ms: start, end_ms: end});
    }
    lanes.set(key, lane);
  }
  const all = [...lanes.values()].map(lane => ({...lane, sum: lengthOf(lane.intervals)}))
                .filter(lane => lane.sum > 0)
                .sort((a, b) => b.sum - a.sum);
  return {date, from, to, lanes: all};
}

/** How long any of them lasts: what two devices have at once counts once. */
export function lengthOf(intervals) {
  let [sum, end] = [0, -Infinity];
  for (const span of [...intervals].sort((a, b) => a.start_ms - b.start_ms)) {
    sum += Math.max(0, span.end_ms - Math.max(span.start_ms, end));
    end = Math.max(end, span.end_ms);
  }
  return sum;
}

/** Which apps and sites the report has of a selection. */
async function selected(date, view) {
  const keys = by => report({from: date, to: date, by, ...filterParams(view)}).then(
    answer => answer.rows.map(row => row.key));
  const [apps, sites] = await Promise.all([keys('app'), keys('domain')]);
  return ({kind, subject}) => kind === 'app'
    ? apps.includes(subject)
    : sites.some(site => subject === site || subject.endsWith(`.${site}`));
}

/**
 * @param {{zoom: object?}} state what of the day is shown; null: all that has something
 * @param {object?} person by whose clock; null: one's own
 */
export const dayTimeline = (day, state, person, subject, redraw) =>
  clock.asMember(person, () => ownTimeline(day, state, person, subject, redraw));

function ownTimeline(day, state, person, subject, redraw) {
  if (day.lanes.length === 0) return null;
  const lanes = day.lanes.slice(0, LANES).map(
    (lane, i) => ({...lane, name: nameOf(lane.kind, lane.subject), hue: Math.min(i, 7)}));
  const first = Math.min(...lanes.flatMap(lane => lane.intervals.map(span => span.start_ms)));
  const last = Math.max(...lanes.flatMap(lane => lane.intervals.map(span => span.end_ms)));
  const whole = {from: first - (first + clock.offset(first)) % clock.HOUR, to: day.to};
  while (whole.to - clock.HOUR >= last) whole.to -= clock.HOUR;
  const shown = state.zoom ?? whole;
  const size = shown.to - shown.from;
  const set = (from, length) => {
    const bounded = Math.min(whole.to - whole.from, Math.max(10 * clock.MINUTE, length));
    const start = Math.max(whole.from, Math.min(whole.to - bounded, from));
    state.zoom = bounded >= whole.to - whole.from ? null : {from: start, to: start + bounded};
    redraw();
  };
  const button = (name, glyph, body, disabled) => h('button', {
    type: 'button',
    class: 'plain small icon-only',
    'aria-label': t(`timeline.${name}`),
    disabled,
    onclick: body
  },
    glyph.length === 1 ? h('span', {'aria-hidden': 'true'}, glyph) : glyphOf(glyph));
  return figure({
    id: 'timeline',
    title: t('reports.timeline'),
    of: [dates.full(day.date), ...subject],
    text: [`${clockTime(shown.from)} – ${clockTime(shown.to)}`,
      day.lanes.length > LANES && t('timeline.more', {n: day.lanes.length - LANES})].filter(Boolean).join(' · '),
    tools: h('span', {class: 'inline no-print'},
      button('earlier', 'left', () => set(shown.from - size / 2, size), !state.zoom),
      button('later', 'right', () => set(shown.from + size / 2, size), !state.zoom),
      button('in', '+', () => set(shown.from + size / 4, size / 2), size <= 10 * clock.MINUTE),
      button('out', '−', () => set(shown.from - size / 2, size * 2), !state.zoom)),
    model: byClockOf(person, timeline(lanes, {...shown, label: t('reports.timelineLabel')})),
    table: {
      head: [t('by.app'), t('table.from'), t('table.to'), t('table.time')],
      rows: day.lanes.flatMap(lane => lane.intervals.map(span => ({lane, span})))
              .sort((a, b) => a.span.start_ms - b.span.start_ms)
              .map(({lane, span}) => [nameOf(lane.kind, lane.subject), clockTime(span.start_ms), clockTime(span.end_ms),
                     time(span.end_ms - span.start_ms, {seconds: true})]),
    },
  });
}

/** A chart is drawn again later, when its width changes. */
const byClockOf = (person, chart) => ({
  ...chart,
  stops: (...given) => clock.asMember(person, () => chart.stops(...given)),
  draw: (...given) => clock.asMember(person, () => chart.draw(...given)),
});

export function calendarFigure({from, to, values}, subject, choose) {
  const days = [...values.entries()].filter(([, value]) => value > 0);
  if (days.length === 0) return null;
  const most = days.reduce((best, day) => day[1] > best[1] ? day : best);
  return figure({
    id: 'calendar',
    title: t('reports.calendar'),
    of: [dates.range(from, to), ...subject],
    text: t('reports.calendarText', {date: dates.full(most[0]), time: duration(most[1])}),
    model: heat(values, {from, to, label: t('reports.calendarLabel'), choose: date => date && choose(date)}),
    table: {
      head: [t('period.day'), t('table.time')],
      rows: days.reverse().map(([date, value]) => [dates.full(date), time(value)])
    },
  });
}
