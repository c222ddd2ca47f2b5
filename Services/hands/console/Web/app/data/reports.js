// The report of a period: its segments, what it went to, and the period before.

import {report} from '../api.js';
import * as clock from '../clock.js';
import {clockTime, dates, hourLabel, weekStart} from '../format.js';

import {byKey} from './use.js';

export const periods = ['day', 'week', 'month', 'year'];

/** The first day of the period with this date. */
export function startOf(period, date) {
  switch (period) {
    case 'day': return date;
    case 'week': return clock.plusDays(date, -((clock.weekdayOf(date) - weekStart() + 7) % 7));
    case 'month': return `${date.slice(0, 7)}-01`;
    default: return `${date.slice(0, 4)}-01-01`;
  }
}

/** The first day of the period that is so many later. */
export function shifted(period, start, count) {
  switch (period) {
    case 'day': return clock.plusDays(start, count);
    case 'week': return clock.plusDays(start, 7 * count);
    case 'month': return clock.plusMonths(start, count);
    default: return `${Number(start.slice(0, 4)) + count}-01-01`.padStart(10, '0');
  }
}

export const lastOf = (period, start) => clock.plusDays(shifted(period, start, 1), -1);

export function periodName(period, start) {
  switch (period) {
    case 'day': return dates.full(start);
    case 'week': return dates.range(start, lastOf(period, start));
    case 'month': return dates.month(start);
    default: return dates.year(start);
  }
}

/** Filters as `report.query` has them; empty lists select everything. */
export function filterParams({selection, device, member}) {
  return {
    ...(selection?.applications.length ? {applications: selection.applications} : {}),
    ...(selection?.categories.length ? {categories: selection.categories} : {}),
    ...(selection?.web_domains.length ? {web_domains: selection.web_domains} : {}),
    ...(device ? {device} : {}),
    ...(member ? {member} : {}),
  };
}

/**
 * @param {{period: string, start: string, by: string, metric: string, filter: object, person: object?}} view
 *   `person`: another member, whose days these are
 * @returns `{segments: {name, label, value, isNow, keys: Map}[], items: {key, value}[], total, before, days,
 *   notes}`; `total` is what the services say of everything together: simultaneous use counts once
 */
export async function readReport({period, start, by, metric, filter, person}) {
  const to = lastOf(period, start);
  const segment = period === 'day' ? 'hourly' : 'daily';
  const common = {metric, ...filter};
  const earlier = shifted(period, start, -1);
  // Of a period that is not over, the same part of the one before is compared.
  const today = clock.asMember(person, clock.today);
  const gone = today >= start && today <= to ? clock.daysBetween(start, today) : null;
  const earlierLast = lastOf(period, earlier);
  const sameDay = gone === null ? null : clock.plusDays(earlier, gone);
  // The one before may be shorter, and has no such day then.
  const isCut = sameDay !== null && sameDay <= earlierLast;
  const earlierTo = isCut ? sameDay : earlierLast;
  const [keys, totals, before, partial] = await Promise.all([
    report({from: start, to, segment, by, ...common}),
    report({from: start, to, segment, by: 'total', ...common}),
    report({from: earlier, to: earlierTo, segment: 'daily', by: 'total', ...common}),
    isCut ? report({from: earlierTo, to: earlierTo, segment: 'hourly', by: 'total', ...common}) : null,
  ]);
  const sum = rows => rows.reduce((all, row) => all + row.value, 0);
  const seen = new Set(totals.rows.filter(row => row.value > 0).map(row => row.segment_start.slice(0, 10)));
  return {
    segments: clock.asMember(person, () => segmentsOf(period, start, to, totals.rows, keys.rows)),
    items: byKey(keys.rows),
    rows: keys.rows,
    total: sum(totals.rows),
    before: sum(before.rows) - (partial ? sum(partial.rows) - clock.asMember(person, () => untilNow(partial.rows, earlierTo)) : 0),
    days: seen.size,
    notes: keys.notes ?? [],
    isPart: gone !== null,
    from: start,
    to,
    names: new Map((keys.names ?? []).map(one => [one.key, one.name])),
  };
}

/** What was used on an earlier day by the time that it is now; of the hour that runs, its part. */
function untilNow(rows, date) {
  const gone = clock.now() - clock.startOfDay(clock.today());
  const end = clock.startOfDay(date) + gone;
  const ends = new Map(clock.hoursOfDay(date).map(hour => [hour.start, hour.end]));
  return rows.reduce((all, row) => {
    const start = Date.parse(row.segment_start);
    const share = (end - start) / ((ends.get(start) ?? start + clock.HOUR) - start);
    return all + row.value * Math.min(1, Math.max(0, share));
  }, 0);
}

/** The columns of the period: hours, days or months. */
function segmentsOf(period, start, to, totals, rows) {
  const all = new Map();
  const today = clock.today();
  if (period === 'day') {
    for (const {start: at, end} of clock.hoursOfDay(start)) {
      const {hour, minute} = clock.local(at);
      all.set(at, {
        name: `${clockTime(at)} – ${clockTime(end)}`,
        label: hour % 3 === 0 && minute === 0 ? hourLabel(hour) : '',
        isNow: at <= clock.now() && clock.now() < end
      });
    }
  } else if (period === 'year') {
    for (let month = start; month <= to; month = clock.plusMonths(month, 1)) {
      all.set(month.slice(0, 7), {
        name: dates.month(month),
        label: dates.monthShort(month),
        isNow: today.startsWith(month.slice(0, 7)),
        date: month
      });
    }
  } else {
    for (let day = start; day <= to; day = clock.plusDays(day, 1)) {
      all.set(day, {
        name: dates.day(day),
        label: period === 'week' ? dates.weekdayShort(day) : String(Number(day.slice(8))),
        isNow: day === today,
        date: day
      });
    }
  }
  const keyOf = {day: row => Date.parse(row.segment_start),
    year: row => row.segment_start.slice(0, 7)}[period]
    ?? (row => row.segment_start.slice(0, 10));
  for (const segment of all.values()) Object.assign(segment, {value: 0, keys: new Map()});
  for (const row of totals)
    if (all.has(keyOf(row))) all.get(keyOf(row)).value += row.value;
  for (const row of rows) {
    const segment = all.get(keyOf(row));
    if (segment) segment.keys.set(row.key, (segment.keys.get(row.key) ?? 0) + row.value);
  }
  return [...all.values()];
}

/** The last weeks, oldest first: `{start, value}`. */
export async function readTrend({metric, filter, person}, weeks = 13) {
  const today = clock.asMember(person, clock.today);
  const last = startOf('week', today);
  const first = clock.plusDays(last, -7 * (weeks - 1));
  const {rows} =
    await report({from: first, to: today, segment: 'daily', by: 'total', metric, ...filter});
  const all = Array.from(
    {length: weeks}, (_, i) => ({start: clock.plusDays(first, 7 * i), value: 0}));
  for (const row of rows) {
    const index = Math.floor(clock.daysBetween(first, row.segment_start.slice(0, 10)) / 7);
    if (all[index]) all[index].value += row.value;
  }
  // Before the first week with use there is nothing to compare with.
  const since = all.findIndex(week => week.value > 0);
  return since < 0 ? [] : all.slice(since);
}

/** Use by day of a year that ends on `to`, or today. */
export async function readCalendar(to, {metric, filter, person}) {
  const today = clock.asMember(person, clock.today);
  const end = to > today ? today : to;
  // A year, which may have 366 days.
  const before = `${Number(end.slice(0, 4)) - 1}${end.slice(4).replace('02-29', '02-28')}`;
  const from = clock.plusDays(before, 1);
  const {rows} = await report({from, to: end, segment: 'daily', by: 'total', metric, ...filter});
  return {from, to: end, values: new Map(rows.map(row => [row.segment_start.slice(0, 10), row.value]))};
}

/** The rows as a file of comma-separated values (RFC 4180). */
export function csv({rows}, by, metric, nameOf) {
  const cell = text => /[",\r\n]/.test(text) ? `"${String(text).replaceAll('"', '""')}"` : String(text);
  // A spreadsheet would calculate what begins with one of these.
  const safe = text => /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  const head = ['segment_start', by, 'name', metric === 'duration' ? 'duration_ms' : metric];
  return [head, ...rows.map(row => [row.segment_start, safe(row.key), safe(nameOf(row.key)), row.value])]
           .map(line => line.map(cell).join(','))
           .join('\r\n')
    + '\r\n';
}
