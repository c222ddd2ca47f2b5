// Durations, dates, times and numbers as the person's locale writes them.

import {h} from './h.js';
import {locale, t, writing} from './words.js';
import * as clock from './clock.js';

let cache = new Map();
function formatter(options) {
  const key = writing() + JSON.stringify(options) + clock.timeZone();
  let found = cache.get(key);
  if (!found) cache.set(key, found = new Intl.DateTimeFormat(writing(), options));
  return found;
}

/** “6 h 5 min”; whole minutes, rounded down, so that parts never add up to more than their sum. */
export function duration(ms, {seconds = false} = {}) {
  const all = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(all / 3600);
  const minutes = Math.floor(all % 3600 / 60);
  if (seconds && all < 60) return t('unit.s', {n: all});
  if (all > 0 && all < 60) return t('unit.under');
  if (hours === 0) return t('unit.min', {n: minutes});
  return minutes === 0 ? t('unit.h', {n: number(hours)})
                       : `${t('unit.h', {n: number(hours)})} ${t('unit.min', {n: minutes})}`;
}

/** A duration as an element that carries the exact value. */
export const time = (ms, options) => h('data', {value: Math.round(ms), class: 'num'}, duration(ms, options));

/** A number as an element that carries it. */
export const count = n => h('data', {value: n, class: 'num'}, number(n));

export const number = n => new Intl.NumberFormat(writing()).format(n);
export const percent = share =>
  new Intl.NumberFormat(writing(), {style: 'percent', maximumFractionDigits: 0}).format(share);

/** “16:05”, or as the locale writes it. */
export const clockTime = instant =>
  formatter({timeZone: clock.timeZone(), hour: 'numeric', minute: '2-digit'}).format(instant);

/** Minutes after midnight as a time; 1440 is the end of the day, which only clocks of 24 hours tell apart. */
export function minuteTime(minutes) {
  const format = formatter({timeZone: 'UTC', hour: 'numeric', minute: '2-digit'});
  return minutes >= 1440 && !format.resolvedOptions().hour12 ? '24:00' : format.format(minutes * 60_000);
}

/** An hour of the day, short, for axes. */
export const hourLabel = hour =>
  formatter({timeZone: 'UTC', hour: 'numeric', ...(t('unit.axisHours') === '24' ? {hourCycle: 'h23'} : {})})
    .format((hour % 24) * 3_600_000);

const atNoon = date => Date.parse(`${date}T12:00:00Z`);
/** A local date (`YYYY-MM-DD`) in the forms that pages use. */
export const dates = {
  long: date =>
    formatter({timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long'}).format(atNoon(date)),
  full: date =>
    formatter({timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric'}).format(atNoon(date)),
  short: date => formatter({timeZone: 'UTC', day: 'numeric', month: 'short'}).format(atNoon(date)),
  day: date =>
    formatter({timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short'}).format(atNoon(date)),
  weekday: date => formatter({timeZone: 'UTC', weekday: 'long'}).format(atNoon(date)),
  weekdayShort: date => formatter({timeZone: 'UTC', weekday: 'short'}).format(atNoon(date)),
  month: date => formatter({timeZone: 'UTC', month: 'long', year: 'numeric'}).format(atNoon(date)),
  year: date => formatter({timeZone: 'UTC', year: 'numeric'}).format(atNoon(date)),
  monthShort: date => formatter({timeZone: 'UTC', month: 'short'}).format(atNoon(date)),
  range: (from, to) => formatter({timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric'})
                         .formatRange(atNoon(from), atNoon(to)),
};

/** An instant: the time if it is today, else with its day. */
export function moment(instant) {
  const day = clock.dayOf(instant);
  if (day === clock.today()) return clockTime(instant);
  const sameYear = day.slice(0, 4) === clock.today().slice(0, 4);
  return formatter({
    timeZone: clock.timeZone(),
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    ...(sameYear ? {} : {year: 'numeric'}),
  }).format(instant);
}

/** An instant as a `time` element. */
export const at = instant =>
  h('time', {datetime: new Date(instant).toISOString(), class: 'num'}, moment(instant));

/** “3 hours ago”, “just now” within half a minute; what is still to come is now. */
export function ago(instant) {
  const format = new Intl.RelativeTimeFormat(writing(), {numeric: 'auto'});
  const minutes = Math.min(0, Math.round((instant - clock.now()) / 60_000));
  if (minutes === 0) return t('unit.justNow');
  if (minutes > -60) return format.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours > -48 ? format.format(hours, 'hour') : format.format(Math.round(hours / 24), 'day');
}

export const list = names => new Intl.ListFormat(writing(), {type: 'conjunction'}).format(names);

/** The first day of the week, 0 (Sunday) to 6, by the person's region. */
export function weekStart() {
  const place = new Intl.Locale(locale());
  const info = place.getWeekInfo?.() ?? place.weekInfo;
  return info ? info.firstDay % 7 : firstDayIn(place.region);
}

/** Where weeks do not begin on Monday (Unicode CLDR 48, weekData), for Firefox, whose Intl does not tell. */
const firstDays = [
  [0, 'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH '
    + 'PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW'],
  [5, 'MV'],
  [6, 'AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY'],
];
export const firstDayIn = region => firstDays.find(([, regions]) => regions.split(' ').includes(region))?.[0] ?? 1;

/** The seven weekdays in the locale's order, 0 is Sunday. */
export const weekdays = (first = weekStart()) => Array.from({length: 7}, (_, i) => (first + i) % 7);

/** A date with this weekday, for its name. */
export const someDay = weekday => `2023-01-0${weekday + 1}`;
export const weekdayName = (weekday, form = 'short') =>
  form === 'short' ? dates.weekdayShort(someDay(weekday)) : dates.weekday(someDay(weekday));

const codes = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
export const dayCode = weekday => codes[weekday];

/** Weekdays as a person says them: “every day”, “Mon – Fri”, “Sat and Sun”, wherever the week begins. */
export function daysText(days) {
  if (days.length === 7) return t('days.all');
  const begins = weekdays().filter(day => days.includes(day) && !days.includes((day + 6) % 7));
  const isRun = begins.length === 1 && days.length > 2;
  const wanted = weekdays(begins.length === 1 ? begins[0] : weekStart()).filter(day => days.includes(day));
  if (isRun) return t('days.range', {from: weekdayName(wanted[0]), to: weekdayName(wanted.at(-1))});
  return list(wanted.map(day => weekdayName(day)));
}

/** `mon-fri`, `sat,sun` or `every day` as numbers. */
export function parseDays(text) {
  if (text === 'every day' || text === 'all') return [0, 1, 2, 3, 4, 5, 6];
  return text.split(',')
    .flatMap(part => {
      const [from, to] = part.trim().split('-').map(code => codes.indexOf(code));
      if (to === undefined) return [from];
      const days = [];
      for (let day = from;; day = (day + 1) % 7) {
        days.push(day);
        if (day === to) return days;
      }
    })
    .filter(day => day >= 0);
}
