// What a change would cover at once, so that the page says it first. The rules are those of shield-service.

import {call, report, who} from '../api.js';
import * as clock from '../clock.js';
import {categoryOf} from '../names.js';

import {keyOf, readLimits} from './limits.js';

/** The kinds of shields of categories: one covers apps, one sites. */
const wide = {app: 'category', domain: 'domain_category'};
/** The settings that name a subject, by its kind. */
const naming = {
  app: ['shield.applications', 'application.blockedApplications'],
  domain: ['shield.webDomains'],
  category: ['shield.applicationCategories', 'shield.webDomainCategories'],
};

/** A site and those that it is part of, as `m.youtube.com` and `youtube.com`; else the subject alone. */
function namesOf({kind, subject}) {
  if (kind !== 'domain') return [subject];
  const parts = subject.split('.');
  return parts.map((_, i) => parts.slice(i).join('.'));
}
const isNamed = (one, target) => one.kind === target.kind && namesOf(target).includes(one.subject);
const categoryOfTarget = ({kind, subject}) => kind === 'category' ? subject : categoryOf(kind, subject);
const isOf = (one, category) => [category, 'all'].includes(one.subject);

/** Seconds of today that a target was used. */
export async function readUsed({kind, subject}) {
  const filter = {
    app: {applications: [subject]},
    category: {categories: [subject]},
    domain: {web_domains: [subject]},
    total: {}
  }[kind];
  const {rows} = await report({from: clock.today(), to: clock.today(), by: 'total', ...filter});
  return rows.reduce((sum, row) => sum + row.value, 0) / 1000;
}

const readExceptions = async () => (await call('exception.list', {member: who().member})).exceptions;

/** Whether more time runs, whatever covers the target. Of categories it has to run for apps and for sites. */
function isExcepted(target, exceptions) {
  if (target.kind !== 'category' && exceptions.some(one => isNamed(one, target))) return true;
  const category = target.kind === 'total' ? 'all' : categoryOfTarget(target);
  const kinds = wide[target.kind] ? [wide[target.kind]] : Object.values(wide);
  return kinds.every(kind => exceptions.some(one => one.kind === kind && isOf(one, category)));
}

/**
 * Whether a limit of the target covers nothing now, though it is used up: it is marked as always allowed, or more
 * time runs. Of an app or a site whose category is always allowed it covers nevertheless.
 * @param {object[]} all of `readLimits`
 */
export const isHeldOpen = async (target, all) =>
  all.some(one => one.alwaysAllowed && isNamed(one, target)) || isExcepted(target, await readExceptions());

/** Whether a target is covered as soon as it is no longer marked as always allowed. */
export async function coversUnmarked(target) {
  const {member} = who();
  const [all, {shields}, {stores}, exceptions] = await Promise.all(
    [readLimits(), call('shield.list', {member}), call('settings.list', {member}), readExceptions()]);
  const others = all.filter(one => one.alwaysAllowed && keyOf(one) !== keyOf(target));
  if (isExcepted(target, exceptions) || others.some(one => isNamed(one, target))) return false;
  // What names it is not in the list of shields while it is allowed.
  const says = value => namesOf(target).some(name => JSON.stringify(value).includes(JSON.stringify(name)));
  if (stores.some(store => store.active !== false && store.settings.some(
        ({key, value}) => naming[target.kind].includes(key) && says(value)))) return true;
  const category = categoryOfTarget(target);
  if (others.some(one => one.kind === 'category' && one.subject === category)) return false;
  const kinds = wide[target.kind] ? [wide[target.kind]] : Object.values(wide);
  return shields.some(one => kinds.includes(one.kind) && isOf(one, category)
    && !namesOf(target).some(name => one.except?.includes(name)));
}

/** The limits that the use of today of a target would use up, once it counts in them. */
async function usedUpBy(target, all, isMeant) {
  const some = all.filter(one => one.leftSeconds !== undefined && !one.shut && isMeant(one));
  if (some.length === 0) return [];
  const used = await readUsed(target);
  const held = await Promise.all(some.map(one => isHeldOpen(one, all)));
  return some.filter((one, i) => used >= one.leftSeconds && !held[i]);
}

const isIgnored = (all, kind, subject) =>
  all.some(one => one.doesNotCount && one.kind === kind && one.subject === subject);

/** What is covered as soon as a target counts again: targets of limits. */
export async function coveredByCounting(target) {
  const all = await readLimits();
  const category = target.kind === 'category' ? null : categoryOfTarget(target);
  const isInTotal = !isIgnored(all, 'category', category);
  return usedUpBy(
    target, all, one => one.kind === 'total' ? isInTotal : one.kind === 'category' && one.subject === category);
}

/** What is covered as soon as an app or a site is of another category: itself, the category, or everything. */
export async function coveredByMoving(target, category) {
  const explain = (more = {}) => call('shield.explain', {subject: target.subject, ...more});
  // First the limits: one that is shut there is so in what is explained after it.
  const all = await readLimits();
  const [now, then] = await Promise.all([explain(), explain({category})]);
  const counts = !all.some(one => one.doesNotCount && isNamed(one, target));
  const entersTotal = isIgnored(all, 'category', categoryOfTarget(target)) && !isIgnored(all, 'category', category);
  const limits = await usedUpBy(target, all, one => counts
    && (one.kind === 'total' ? entersTotal : one.kind === 'category' && one.subject === category));
  return [...(then.shielded && !now.shielded ? [target] : []), ...limits];
}

/** Whether what an app sets has an effect for this person. */
export async function mayCover(client) {
  const {authorizations} = await call('authorization.list', {client});
  return authorizations.some(
    one => one.member === who().member && one.status === 'approved' && one.access && one.restrictions);
}
