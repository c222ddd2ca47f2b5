// Time as the services have it: the trusted instant, and days by the member's zone and day start.

/** By how much the browser's clock is ahead of that of the page, which stands while the machine sleeps. */
const ahead = () => Date.now() - performance.now();

let base = {now: Date.now(), at: performance.now(), ahead: ahead(), isVirtual: false, isKnown: false};
let zone = 'UTC';
let dayStart = 0;

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const MINUTE = 60_000;

export function set({now, virtualClock, timeZone, dayStartMinutes}) {
  base = {
    now: now ?? Date.now(),
    at: performance.now(),
    ahead: ahead(),
    isVirtual: virtualClock ?? false,
    isKnown: now !== undefined
  };
  zone = timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  dayStart = dayStartMinutes ?? 0;
  partsFormat = null;
  starts.clear();
}

/** What `body` returns by the zone and the day start of another member. */
export function asMember(member, body) {
  if (!member) return body();
  const own = [zone, dayStart];
  const become = (newZone, newStart) => {
    [zone, dayStart, partsFormat] = [newZone, newStart, null];
    starts.clear();
  };
  become(member.zone || zone, member.day_start_minutes ?? 0);
  try {
    return body();
  } finally { become(...own); }
}

let read = async () => ({});
let first = null;
/** @param {(how: {stays: boolean}) => Promise<object>} body reads what `set` takes; `stays`: for more than the page */
export function useSource(body) {
  read = body;
  first = null;
}
let asked = 0;
let answered = 0;
/** Reads it. An answer that is older than what is known changes nothing. */
export async function refresh({stays = false} = {}) {
  const mine = asked += 1;
  const found = await read({stays});
  if (mine < answered) return;
  answered = mine;
  set(found);
}

/** Reads it if it is not known, and once for all who wait for it. */
export function whenKnown() {
  if (base.isKnown) return Promise.resolve();
  const mine = first ??= refresh({stays: true}).finally(() => {
    if (first === mine) first = null;
  });
  return mine;
}

/** The trusted instant, UTC milliseconds; a virtual clock stands between two settings. */
export const now = () => base.isVirtual ? base.now : base.now + Math.round(performance.now() - base.at);
/** Whether the services were asked: else it is the browser's, and so is the zone. */
export const isKnown = () => base.isKnown;
export const isVirtual = () => base.isVirtual;
/** Whether the machine slept since the services were asked, or its clock was set. */
export const isOld = () => Math.abs(ahead() - base.ahead) > 1000;
export const timeZone = () => zone;
export const dayStartMinutes = () => dayStart;

let partsFormat = null;
/** Wall clock of an instant in the member's zone. */
export function local(instant) {
  partsFormat ??= new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = {};
  for (const {type, value} of partsFormat.formatToParts(instant)) parts[type] = Number(value);
  return parts;
}

/** The date of an instant's wall clock, `YYYY-MM-DD`, wherever the member's day begins. */
export function dateOf(instant) {
  const {year, month, day} = local(instant);
  return `${year}-${pad(month)}-${pad(day)}`;
}

const pad = number => String(number).padStart(2, '0');

/** The member's day of an instant, `YYYY-MM-DD`: from its day start to that of the next (docs/time.md, 4). */
export function dayOf(instant) {
  let date = dateOf(instant);
  while (instant < startOfDay(date)) date = plusDays(date, -1);
  while (instant >= startOfDay(plusDays(date, 1))) date = plusDays(date, 1);
  return date;
}
export const today = () => dayOf(now());

const noon = date => Date.parse(`${date}T12:00:00Z`);
/** The date so many days later. */
export const plusDays = (date, count) => new Date(noon(date) + count * DAY).toISOString().slice(0, 10);
export const daysBetween = (from, to) => Math.round((noon(to) - noon(from)) / DAY);
/** 0 (Sunday) to 6. */
export const weekdayOf = date => new Date(noon(date)).getUTCDay();

export function plusMonths(date, count) {
  const [year, month] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + count, 1, 12));
  return first.toISOString().slice(0, 10);
}

/** By how many milliseconds the wall clock is ahead of UTC at an instant of whole seconds. */
export function offset(instant) {
  const is = local(instant);
  return Date.UTC(is.year, is.month - 1, is.day, is.hour, is.minute, is.second) - instant;
}

/** The instant of a wall clock: of a repeated one the first; one that is skipped is later by the gap. */
export function instantOf(date, minutes = 0) {
  const wall = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE;
  const early = wall - offset(wall - DAY);
  const late = wall - offset(wall + DAY);
  const isShown = instant => instant + offset(instant) === wall;
  return !isShown(early) && isShown(late) ? late : early;
}

const starts = new Map();
/** When the member's day begins. */
export function startOfDay(date) {
  if (!starts.has(date)) starts.set(date, instantOf(date, dayStart));
  return starts.get(date);
}

/**
 * The hours of the member's day as reports have them, `{start, end}`: it is split where the wall clock shows a
 * full hour, and where its offset changes.
 */
export function hoursOfDay(date) {
  const last = startOfDay(plusDays(date, 1));
  const hours = [];
  for (let start = startOfDay(date); start < last;) {
    const {minute, second} = local(start);
    const full = start + HOUR - minute * MINUTE - second * 1000;
    const end = Math.min(full, changeBetween(start, full) ?? full, last);
    hours.push({start, end});
    start = end;
  }
  return hours;
}

/** The instant at which the offset changes; null if it is the same at both. */
function changeBetween(from, to) {
  const before = offset(from);
  if (offset(to) === before) return null;
  let [low, high] = [from, to];
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (offset(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** Minutes since midnight of an instant's wall clock. */
export function minuteOfDay(instant) {
  const {hour, minute} = local(instant);
  return hour * 60 + minute;
}
