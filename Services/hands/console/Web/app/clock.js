// Time as the services have it: the trusted instant, and days by the member's zone and day start.

let base = {now: Date.now(), at: performance.now(), isVirtual: false};
let zone = 'UTC';
let dayStart = 0;

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const MINUTE = 60_000;

export function set({now, virtualClock, timeZone, dayStartMinutes}) {
  base = {now: now ?? Date.now(), at: performance.now(), isVirtual: virtualClock ?? false};
  zone = timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  dayStart = dayStartMinutes ?? 0;
  partsFormat = null;
}

let read = async () => ({});
/** @param {() => Promise<object>} body reads what `set` takes */
export function useSource(body) { read = body; }
export async function refresh() { set(await read()); }

/** The trusted instant, UTC milliseconds; a virtual clock stands between two settings. */
export const now = () => base.isVirtual ? base.now : base.now + Math.round(performance.now() - base.at);
export const isVirtual = () => base.isVirtual;
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

const pad = number => String(number).padStart(2, '0');

/** The member's day of an instant, `YYYY-MM-DD`: it begins at the day start. */
export function dayOf(instant) {
  const {year, month, day} = local(instant - dayStart * MINUTE);
  return `${year}-${pad(month)}-${pad(day)}`;
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

/** The instant of a wall clock; in a gap of the zone, the one after it. */
export function instantOf(date, minutes = 0) {
  const wall = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE;
  let guess = wall;
  for (let round = 0; round < 3; round += 1) {
    const is = local(guess);
    const shown = Date.UTC(is.year, is.month - 1, is.day, is.hour, is.minute, is.second);
    if (shown === wall) return guess;
    guess += wall - shown;
  }
  return guess;
}

/** When the member's day begins. */
export const startOfDay = date => instantOf(date, dayStart);

/** Minutes since midnight of an instant's wall clock. */
export function minuteOfDay(instant) {
  const {hour, minute} = local(instant);
  return hour * 60 + minute;
}
