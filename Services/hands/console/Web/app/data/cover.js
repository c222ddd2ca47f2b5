// What a change would cover at once, so that the page says it first. shield-service predicts what would be
// shielded, and activity-center counts use as it does for thresholds. Only what a move to another category adds to
// its limit is computed here.

import {call, report, who} from '../api.js';
import * as clock from '../clock.js';
import {categoryOf} from '../names.js';

import {keyOf, readLimits} from './limits.js';

const LIMITS = 'org.screentime.limits';

/** What shields a target of a limit: of a category, of its apps and of its sites. */
export function shieldsOf({kind, subject}) {
  if (kind !== 'category' && kind !== 'total') return [{kind, subject}];
  const name = kind === 'total' ? 'all' : subject;
  return [{kind: 'category', subject: name}, {kind: 'domain_category', subject: name}];
}

/**
 * What a change would cover that is not covered now.
 * @param {object} change of `shield.predict`
 * @returns targets as limits have them; of a category, `domain_category` where only its sites are covered
 */
export async function covers(change) {
  const {covered} = await call('shield.predict', {member: who().member, ...change});
  const isToo = (kind, subject) => covered.some(one => one.kind === kind && one.subject === subject);
  return covered.filter(one => one.kind !== 'domain_category' || !isToo('category', one.subject))
    .map(one => one.kind === 'category' && one.subject === 'all' ? {kind: 'total', subject: ''} : one);
}

/** The member's day of now, from `start` to `end`, and its `weekday`. */
function dayOfNow() {
  const date = clock.today();
  return {
    weekday: clock.weekdayOf(date),
    start: clock.startOfDay(date),
    end: clock.startOfDay(clock.plusDays(date, 1))
  };
}

/**
 * Seconds of today that a limit of a target counts.
 * @param {object[]} all of `readLimits`: what does not count
 */
export async function readUsed(target, all) {
  // A virtual clock may have been moved.
  if (clock.isVirtual()) await clock.refresh();
  return usedIn(dayOfNow(), target, all);
}

async function usedIn({start, end}, target, all) {
  const ignored = kind =>
    all.filter(one => one.doesNotCount && one.kind === kind).map(one => one.subject);
  const isWide = ['category', 'total'].includes(target.kind);
  const named = {app: 'applications', domain: 'webDomains', category: 'categories'}[target.kind];
  const {recounted: [{total_ms: total}]} = await call('monitoring.recount', {
    callbacks: [{
      client: LIMITS,
      member: who().member,
      activity: 'limit',
      event: 'limit',
      registration: 0,
      occurrence_start_ms: start,
      occurrence_end_ms: end,
      counted_from_ms: start,
      at_ms: clock.now(),
      late: false,
      definition: {
        name: 'limit',
        threshold: {second: 1},
        ...(named && {[named]: [target.subject]}),
        ...(isWide && {
          except: {
            applications: ignored('app'),
            webDomains: ignored('domain'),
            categories: target.kind === 'total' ? ignored('category') : [],
          }
        }),
      },
    }],
  });
  return total / 1000;
}

/** Whether a limit of the target, once it is used up, or hours, would cover something that is open now. */
export const wouldCover = async target => (await covers({shield: shieldsOf(target)})).length > 0;

/** What is covered as soon as a target counts again: by limits of its category, and of everything. */
export async function coveredByCounting(target) {
  const all = await readLimits();
  const then = all.map(one => keyOf(one) === keyOf(target) ? {...one, doesNotCount: false} : one);
  const reached = await Promise.all(all.map(async one =>
    one.todaySeconds !== undefined && one.leftSeconds > 0 && ['category', 'total'].includes(one.kind)
      && await readUsed(one, then) >= one.todaySeconds));
  return coveredBy(all.filter((_, i) => reached[i]));
}

/** What is covered as soon as limits count by a day that begins at another minute. */
export async function coveredByDayStart(minutes) {
  if (clock.isVirtual()) await clock.refresh();
  const day = clock.asMember({day_start_minutes: minutes}, dayOfNow);
  const all = await readLimits();
  const reached = await Promise.all(all.map(async one => {
    const limit = one.limits.find(({days}) => days.includes(day.weekday));
    return limit && await usedIn(day, one, all) >= limit.seconds;
  }));
  return coveredBy(all.filter((_, i) => reached[i]));
}

const coveredBy = async (limits, more = {}) =>
  limits.length || more.moved ? covers({shield: limits.flatMap(shieldsOf), ...more}) : [];

/** What is covered as soon as an app or a site is of another category: itself, the category, or everything. */
export async function coveredByMoving(target, category) {
  const all = await readLimits();
  const isIgnored = (kind, subject) =>
    all.some(one => one.doesNotCount && one.kind === kind && one.subject === subject);
  const isCounted = !isIgnored(target.kind, target.subject);
  const entersTotal = isIgnored('category', categoryOf(target.kind, target.subject)) && !isIgnored('category', category);
  const some = all.filter(one => isCounted && one.leftSeconds > 0
    && (one.kind === 'total' ? entersTotal : one.kind === 'category' && one.subject === category));
  const seconds = some.length ? await usedAlone(target) : 0;
  return coveredBy(
    some.filter(one => seconds >= one.leftSeconds),
    {moved: [{kind: target.kind, subject: target.subject, category}]});
}

/** Seconds of today that an app or a site was used. */
async function usedAlone({kind, subject}) {
  const filter = kind === 'app' ? {applications: [subject]} : {web_domains: [subject]};
  const {rows} = await report({from: clock.today(), to: clock.today(), by: 'total', ...filter});
  return rows.reduce((sum, row) => sum + row.value, 0) / 1000;
}

/** Whether what an app covers has an effect for this person. */
export async function mayCover(client) {
  const {authorizations} = await call('authorization.list', {client});
  return authorizations.some(
    one => one.member === who().member && one.status === 'approved' && one.access && one.restrictions);
}
