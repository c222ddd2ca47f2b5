// What was used today, and what is in use now.

import {call, may, report, who} from '../api.js';
import * as clock from '../clock.js';

const sum = rows => rows.reduce((all, row) => all + row.value, 0);

/** Rows of a report added up by key, the largest first: `{key, value}`. */
export function byKey(rows) {
  const all = new Map();
  for (const row of rows) all.set(row.key, (all.get(row.key) ?? 0) + row.value);
  return [...all]
    .map(([key, value]) => ({key, value}))
    .sort((a, b) => b.value - a.value || (a.key < b.key ? -1 : 1));
}

/** Weeks that “usual” looks back. */
const WEEKS = 4;

/** Everything that the page of today shows of use. */
export async function readToday() {
  const today = clock.today();
  const day = {from: today, to: today};
  const hourly = date => report({from: date, to: date, segment: 'hourly', by: 'total'});
  // Each day by itself: a longer report does not cut its hours where a day begins.
  const past = Promise.all(Array.from({length: WEEKS}, (_, i) => hourly(clock.plusDays(today, -7 * (i + 1)))));
  const [hours, weeks, apps, categories, sites, pickups, notifications, activity] = await Promise.all([
    hourly(today),
    past,
    report({...day, by: 'app'}),
    report({...day, by: 'category'}),
    report({...day, by: 'domain'}),
    report({...day, by: 'total', metric: 'pickups'}),
    report({...day, by: 'total', metric: 'notifications'}),
    call('report.query', {...day, shape: 'activity'}),
  ]);
  return {
    ...hoursOf(hours.rows, weeks.map(week => week.rows), today),
    today,
    notes: hours.notes ?? [],
    isRunning: hours.running,
    total: sum(hours.rows),
    apps: byKey(apps.rows),
    categories: byKey(categories.rows),
    sites: byKey(sites.rows),
    pickups: sum(pickups.rows),
    notifications: sum(notifications.rows),
    ...stretches(activity.activity ?? []),
    devices: (activity.activity ?? []).map(one => ({...one.device, updated: one.last_updated_ms})),
  };
}

/** The hours of today, each with what is usual: the mean of the same weekday in the weeks before. */
function hoursOf(rows, weeks, today) {
  const hours = clock.hoursOfDay(today).map(hour => ({...hour, value: 0, usual: 0}));
  const byStart = new Map(hours.map(hour => [hour.start, hour]));
  // Of a repeated hour the first.
  const byClock = new Map(hours.toReversed().map(hour => [clock.minuteOfDay(hour.start), hour]));
  for (const row of rows) {
    const hour = byStart.get(Date.parse(row.segment_start));
    if (hour) hour.value += row.value;
  }
  const seen = weeks.filter(week => week.length > 0);
  for (const row of seen.flat()) {
    // An hour that today has not is in none.
    const same = byClock.get(clock.minuteOfDay(Date.parse(row.segment_start)));
    if (same) same.usual += row.value;
  }
  // Days on which nothing was measured say nothing about what is usual.
  for (const hour of hours) {
    const mean = seen.length ? Math.round(hour.usual / seen.length) : 0;
    hour.usual = mean < clock.MINUTE ? 0 : mean;
  }
  const share = hour => Math.min(1, Math.max(0, (clock.now() - hour.start) / (hour.end - hour.start)));
  const usualSoFar = hours.reduce((all, hour) => all + hour.usual * share(hour), 0);
  return {hours, usualSoFar: Math.round(usualSoFar), usualDays: seen.length};
}

function stretches(activity) {
  let longest = null;
  let firstPickup = null;
  for (const device of activity) {
    for (const segment of device.activity_segments) {
      const span = segment.longest_activity;
      if (span && (!longest || span.end_ms - span.start_ms > longest.end_ms - longest.start_ms))
        longest = span;
      if (segment.first_pickup_ms) firstPickup = Math.min(firstPickup ?? Infinity, segment.first_pickup_ms);
    }
  }
  return {longest, firstPickup};
}

/** Apps and sites in use now, by what `usage.recorded` says last: `{kind, subject, since, device}`. */
export class Foreground {
  #open = new Map();

  take(event) {
    // Others may use a device of this machine's household at the same time.
    if (event.member !== who().member) return;
    const key = `${event.device} ${event.kind} ${event.subject}`;
    if (event.open_since_ms) {
      this.#open.set(
        key, {kind: event.kind, subject: event.subject, since: event.open_since_ms, device: event.device});
    } else this.#open.delete(key);
  }

  /** The newest app, and the site in it. */
  get now() {
    const all = [...this.#open.values()].sort((a, b) => b.since - a.since);
    const app = all.find(one => one.kind === 'app' && one.subject !== '');
    return app ? {app, site: all.find(one => one.kind === 'domain' && one.since >= app.since) ?? null} : null;
  }

  /** By the newest events, for a page that opens while something is in use; null if they cannot be read. */
  static async read() {
    if (!may('events.read')) return null;
    const {head} = await call('health.check', {}, {service: 'activity-center'});
    let foreground;
    // Other devices may have sent many events since the app in the foreground was opened.
    for (let back = 100; back <= 10_000; back *= 10) {
      foreground = new Foreground();
      await foreground.#takeAfter(Math.max(0, head - back));
      if (foreground.now || back >= head) break;
    }
    return foreground;
  }

  async #takeAfter(first) {
    for (let after = first, page; !page || page.through < page.head; after = page.through) {
      page =
        await call('events.read', {after, types: ['usage.recorded']}, {service: 'activity-center'});
      for (const event of page.events)
        if (event.data) this.take(event.data);
      if (page.through <= after) return;
    }
  }
}
