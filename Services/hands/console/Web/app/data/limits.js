// The person's limits, hours and marks: what the program `limits` says, with weekdays as numbers.

import {run} from '../api.js';
import {dayCode, parseDays} from '../format.js';

/**
 * Every target with a rule or a mark: `{kind, subject, limits: {days, seconds, warnSeconds, say}[],
 * hours: {days, windows: {from, to}[]}[], alwaysAllowed, doesNotCount, todaySeconds, usedSeconds,
 * leftSeconds, shut, dayStart}`; `dayStart` is there where its day begins at another time than the person's.
 */
export async function readLimits() { return normal(await run('limits', 'list')); }

/** One target as it is now, perhaps without a rule or a mark. */
export const readTarget = async target =>
  (await readLimits()).find(one => keyOf(one) === keyOf(target))
  ?? {kind: target.kind, subject: target.subject, limits: [], hours: []};

function normal(all) {
  return all.map(one => ({
    ...one,
    subject: one.subject ?? '',
    limits: one.limits.map(limit => ({...limit, days: parseDays(limit.days)})),
    hours: one.hours.map(hour => ({days: parseDays(hour.days), windows: hour.windows.map(parseWindow)})),
  }));
}

export const keyOf = target => `${target.kind} ${target.subject ?? ''}`.trim();

const minutes = text => {
  const [h, m] = text.split(':').map(Number);
  return h * 60 + m;
};
export const parseTime = minutes;
/** `22:00-07:00` as minutes; `to` is greater than `from`, up to 2880. */
export function parseWindow(text) {
  const [from, to] = text.split('-').map(minutes);
  return {from, to: to > from ? to : to + 1440};
}
const pad = n => String(n).padStart(2, '0');
export const timeText = n => n === 1440 ? '24:00' : `${pad(Math.floor(n % 1440 / 60))}:${pad(n % 60)}`;
const windowText = ({from, to}) => `${timeText(from)}-${to === 1440 ? '24:00' : timeText(to % 1440)}`;

/** A command: its options, then its words, which are words also if they begin like an option. */
const limits = (command, target, options, ...rest) => run('limits', ...command,
  ...(target.kind === 'total' ? [] : [`--${target.kind}`]), ...options, '--',
  target.kind === 'total' ? 'total' : target.subject, ...rest);
const daysOption = days => days.length === 7 ? [] : [`--days=${days.map(dayCode).join(',')}`];

/** Sets the limit of these weekdays. */
export function setLimit(target, {days, seconds, warnSeconds, say}) {
  const options = [
    ...daysOption(days), ...(warnSeconds ? [`--warn=${warnSeconds}s`] : []), ...(say ? [`--say=${say}`] : [])
  ];
  return target.kind === 'total' ? run('limits', 'total', ...options, `${seconds}s`)
                                 : limits(['set'], target, options, `${seconds}s`);
}

export const removeLimit = (target, days = [0, 1, 2, 3, 4, 5, 6]) =>
  limits(['remove'], target, daysOption(days));

/**
 * Sets the hours of weekdays in one change.
 * @param {{days: number[], windows: object[]|null}[]} parts no day twice; no windows: closed all day; null: no hours
 */
export const setHours = (target, parts) => limits(['hours'], target, [],
  parts.map(({days, windows}) =>
    `${days.map(dayCode).join(',')} ${windows ? windows.map(windowText).join(',') || 'none' : 'any'}`).join('; '));

/** Lets the day of every limit begin when the person's day begins. */
export const renewDays = () => run('limits', 'renew');

/** Removes the hours of all weekdays. */
export const removeHours = target => limits(['remove', 'hours'], target, []);

/** @param {'allow'|'ignore'} mark */
export const setMark = (target, mark, isSet) =>
  limits([isSet ? mark : {allow: 'disallow', ignore: 'unignore'}[mark]], target, []);
