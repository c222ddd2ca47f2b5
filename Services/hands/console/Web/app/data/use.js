// What was used today, and what is in use now.

import {call, may, report} from '../api.js';
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
  const [hours, apps, categories, sites, pickups, notifications, activity] = await Promise.all([
    report({from: clock.plusDays(today, -7 * WEEKS), to: today, segment: 'hourly', by: 'total'}),
    report({...day, by: 'app'}),
    report({...day, by: 'category'}),
    report({...day, by: 'domain'}),
    report({...day, by: 'total', metric: 'pickups'}),
    report({...day, by: 'total', metric: 'notifications'}),
    call('report.query', {...day, shape: 'activity'}),
  ]);
  return {
    ...hoursOf(hours.rows, today),
    today,
    notes: hours.notes ?? [],
    isRunning: hours.running,
    total: sum(hours.rows.filter(row => dateOf(row) === today)),
    apps: byKey(apps.rows),
    categories: byKey(categories.rows),
    sites: byKey(sites.rows),
    pickups: sum(pickups.rows),
    notifications: sum(notifications.rows),
    ...stretches(activity.activity ?? []),
    devices: (activity.activity ?? []).map(one => ({...one.device, updated: one.last_updated_ms})),
  };
}

const dateOf = row => clock.dayOf(Date.parse(row.segment_start));

/** 24 hours of today, each with what is usual: the mean of the same weekday in the weeks before. */
function hoursOf(rows, today) {
  const start = clock.startOfDay(today);
  const hours = Array.from({length: 24}, (_, i) => ({start: start + i * clock.HOUR, value: 0, usual: 0}));
  const past = new Set();
  for (let week = 1; week <= WEEKS; week += 1) past.add(clock.plusDays(today, -7 * week));
  const seen = new Set();
  for (const row of rows) {
    const date = dateOf(row);
    const index = Math.floor((Date.parse(row.segment_start) - clock.startOfDay(date)) / clock.HOUR);
    if (!hours[index]) continue;
    if (date === today) hours[index].value += row.value;
    else if (past.has(date)) {
      hours[index].usual += row.value;
      seen.add(date);
    }
  }
  // Days on which nothing was measured say nothing about what is usual.
  for (const hour of hours) {
    const mean = seen.size ? Math.round(hour.usual / seen.size) : 0;
    hour.usual = mean < clock.MINUTE ? 0 : mean;
  }
  const share = (clock.now() - start) / clock.HOUR;
  const usualSoFar =
    hours.reduce((all, hour, i) => all + hour.usual * Math.min(1, Math.max(0, share - i)), 0);
  return {hours, usualSoFar: Math.round(usualSoFar), usualDays: seen.size};
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
    const foreground = new Foreground();
    if (!may('events.read')) return null;
    const {head} = await call('health.check', {}, {service: 'activity-center'});
    const page = await call('events.read', {after: Math.max(0, head - 100), types: ['usage.recorded']},
      {service: 'activity-center'});
    for (const event of page.events)
      if (event.data) foreground.take(event.data);
    return foreground;
  }
}
