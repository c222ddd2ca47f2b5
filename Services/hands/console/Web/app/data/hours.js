// What hours cover at this moment, as `limits` decides it: on a day with hours (an activity of the whole day),
// outside of all its windows. After a change of the time zone that may differ from what the clock says
// (docs/time.md, section 5).

import {call, who} from '../api.js';

import {keyOf} from './limits.js';
import {LIMITS, planName} from './why.js';

/** The activities of all hours of the member, with what each is about. */
export async function readHours() {
  const {activities} = await call('monitoring.list', {member: who().member});
  return activities.filter(one => one.client === LIMITS)
    .map(one => ({...one, plan: planName(one.activity.name)}))
    .filter(({plan}) => plan?.rule === 'hours');
}

/**
 * Whether hours cover a target, and until when.
 * @param {object[]} all of `readHours`
 * @returns {{isOff: boolean, until: number|null}} `until` in UTC milliseconds; null: it never ends
 */
export function hoursOf(target, all) {
  const own = all.filter(({plan}) => keyOf(plan) === keyOf(target));
  const days = own.filter(({plan}) => !plan.window);
  const windows = own.filter(({plan}) => plan.window);
  const day = days.find(one => one.in_interval);
  const open = windows.filter(one => one.in_interval);
  const isOff = Boolean(day) && open.length === 0;
  const starts = list => list.filter(one => !one.in_interval && one.interval_start_ms).map(one => one.interval_start_ms);
  if (isOff) return {isOff, until: earliest([...starts(windows), endOfDays(day, days)])};
  return {isOff, until: open.length ? endOfOpen(open, windows) : earliest(starts(days))};
}

/** The end of open windows, with those that follow. */
function endOfOpen(open, windows) {
  let end = Math.max(...open.map(one => one.interval_end_ms));
  for (const next of windows.filter(one => !one.in_interval).sort((a, b) => a.interval_start_ms - b.interval_start_ms))
    if (next.interval_start_ms <= end) end = Math.max(end, next.interval_end_ms);
  return end;
}

/** The end of days with hours that follow each other; all seven never end. */
function endOfDays(day, days) {
  if (day.plan.days === 'daily') return Infinity;
  let end = day.interval_end_ms;
  for (let count = 1; count < 7; count += 1) {
    const next = days.find(one => !one.in_interval && one.interval_start_ms === end);
    if (!next) return end;
    end = next.interval_end_ms;
  }
  return Infinity;
}

function earliest(instants) {
  const first = Math.min(...instants);
  return Number.isFinite(first) ? first : null;
}
