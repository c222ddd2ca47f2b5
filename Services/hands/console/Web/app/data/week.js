// A week of windows. People think in hours that are off; the services store hours that are open.

import * as clock from '../clock.js';

const DAY = 1440;
const WEEK = 7 * DAY;

/**
 * The minutes of the week on which it is off, from open hours by weekday.
 * @param {{days: number[], windows: {from: number, to: number}[]}[]} hours a day without hours is open
 * @returns {{from: number, to: number}[][]} by weekday, 0 (Sunday) to 6: the windows that begin on it
 */
export function offWindows(hours) {
  const rules =
    Array.from({length: 7}, (_, day) => hours.find(one => one.days.includes(day))?.windows ?? null);
  const open = new Uint8Array(WEEK);
  rules.forEach((windows, day) => {
    if (!windows) open.fill(1, day * DAY, (day + 1) * DAY);
    for (const {from, to} of windows ?? []) paint(open, day * DAY + from, day * DAY + to, 1);
  });
  return windowsOf(open, 0);
}

/**
 * The open hours by weekday, from the windows that are off.
 * @param {{from: number, to: number}[][]} off by weekday
 * @returns {(null|{from: number, to: number}[])[]} by weekday; null: the whole day is open; empty: none of it
 */
export function openHours(off) {
  const open = new Uint8Array(WEEK).fill(1);
  off.forEach((windows, day) => {
    for (const {from, to} of windows) paint(open, day * DAY + from, day * DAY + to, 0);
  });
  return Array.from({length: 7}, (_, day) => {
    const minutes = open.subarray(day * DAY, (day + 1) * DAY);
    if (minutes.every(minute => minute === 1)) return null;
    const windows = [];
    let from = -1;
    for (let i = 0; i <= DAY; i += 1) {
      const isOpen = i < DAY && minutes[i] === 1;
      if (isOpen && from < 0) from = i;
      if (!isOpen && from >= 0) {
        windows.push({from, to: i});
        from = -1;
      }
    }
    return windows;
  });
}

function paint(week, from, to, value) {
  for (let i = from; i < to; i += 1) week[i % WEEK] = value;
}

/** Runs of a value, each on the day on which it begins; one over midnight is one window. */
function windowsOf(week, value) {
  const days = Array.from({length: 7}, () => []);
  if (week.every(minute => minute === value)) return days.map(() => [{from: 0, to: DAY}]);
  for (let i = 0; i < WEEK; i += 1) {
    if (week[i] !== value || week[(i + WEEK - 1) % WEEK] === value) continue;
    let length = 1;
    while (week[(i + length) % WEEK] === value) length += 1;
    // Longer than a day is one window for each day.
    let start = i;
    while (length > 0) {
      const from = start % DAY;
      const size = length > DAY ? DAY - from : length;
      days[Math.floor(start % WEEK / DAY)].push({from, to: from + size});
      start += size;
      length -= size;
    }
  }
  for (const windows of days) windows.sort((a, b) => a.from - b.from);
  return days;
}

/** What of each day is off, cut at midnight: for drawing. */
export function offByDay(off) {
  const days = Array.from({length: 7}, () => []);
  off.forEach((windows, day) => {
    for (const {from, to} of windows) {
      days[day].push({from, to: Math.min(to, DAY)});
      if (to > DAY) days[(day + 1) % 7].push({from: 0, to: to - DAY});
    }
  });
  return days;
}

/**
 * The same hours, where what is off in the morning is a day's own if it is so in `like`; else hours that meet at
 * midnight are of the day before.
 */
export function dividedLike(like, off) {
  const days = off.map(windows => windows.map(one => ({...one})));
  like.forEach((windows, day) => {
    const until = offSince(off, day);
    if (until === 0 || windows.every(({from}) => from > 0)) return;
    for (const one of days[(day + 6) % 7]) one.to = Math.min(one.to, DAY);
    days[day].unshift({from: 0, to: until});
  });
  return days;
}

/** Until when a day is off from its beginning, by its own hours or by those of the day before. */
const offMorning = (off, day) => Math.max(offSince(off, day), off[day].find(({from}) => from === 0)?.to ?? 0);

/**
 * Those of some days whose own hours are others than before. One that runs longer into the next morning is the same,
 * unless that is of these days, too.
 */
export const changedDays = (before, off, days) => days.filter(day => {
  const [was, is] = [before, off].map(week => JSON.stringify(week[day].map(({from, to}) => [from, Math.min(to, DAY)])));
  const next = (day + 1) % 7;
  const until = offSince(before, next);
  const isShorter = until > 0 && offMorning(off, next) < until;
  return was !== is || isShorter || days.includes(next) && offSince(off, next) > until;
});

/**
 * The window of a date in which an instant is. Where a clock change skips or repeats minutes, it is as the services
 * resolve its ends.
 */
export const windowAt = (windows, date, instant) => windows.find(
  ({from, to}) => clock.instantOf(date, from) <= instant && instant < clock.instantOf(date, to));

/** The minute until which a day is off because of the day before; 0: it is not. */
export const offSince = (off, day) =>
  Math.max(0, ...off[(day + 6) % 7].map(({to}) => Math.min(to - DAY, DAY)));
