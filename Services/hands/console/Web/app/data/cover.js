// What a change would cover at once, so that the page says it first.

import {call, report} from '../api.js';
import * as clock from '../clock.js';
import {categoryOf} from '../names.js';

import {keyOf, readLimits} from './limits.js';

/** The kind of a shield of the category of a subject. */
const wide = {app: 'category', domain: 'domain_category'};
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

/**
 * Whether a target is open whatever covers it: marked as always allowed, or of a category that is, or with more
 * time that runs.
 * @param {object} [without] a target whose mark is not counted
 */
export async function isHeldOpen({kind, subject}, all, without) {
  const category = kind === 'category' ? subject : categoryOf(kind, subject);
  const allowed = all.filter(one => one.alwaysAllowed && keyOf(one) !== (without && keyOf(without)));
  if (allowed.some(one => one.kind === kind && one.subject === subject
        || kind !== 'total' && one.kind === 'category' && one.subject === category)) return true;
  const {exceptions} = await call('exception.list');
  return exceptions.some(one => one.kind === kind && one.subject === subject
    || one.kind === (wide[kind] ?? 'category') && isOf(one, category));
}

/** Whether a target is covered as soon as it is no longer marked as always allowed. */
export async function coversUnmarked(target) {
  const [all, {shields}, {stores}] =
    await Promise.all([readLimits(), call('shield.list'), call('settings.list')]);
  if (await isHeldOpen(target, all, target)) return false;
  const {kind, subject} = target;
  const category = kind === 'category' ? subject : categoryOf(kind, subject);
  const kinds = kind === 'category' ? Object.values(wide) : [wide[kind]];
  // A shield of it alone is not in the list while it is allowed.
  const isNamed = ({key, value}) => key.startsWith('shield.') && JSON.stringify(value).includes(JSON.stringify(subject));
  return shields.some(one => kinds.includes(one.kind) && isOf(one, category) && !one.except?.includes(subject))
    || stores.some(one => one.settings.some(isNamed));
}

/** The limits that the use of today of a target would use up, once it counts in them. */
async function usedUpBy(target, isMeant) {
  const [all, used] = await Promise.all([readLimits(), readUsed(target)]);
  const some = all.filter(one => one.leftSeconds > 0 && used >= one.leftSeconds && isMeant(one));
  const held = await Promise.all(some.map(one => isHeldOpen(one, all)));
  return some.filter((_, i) => !held[i]);
}

/** What is covered as soon as a target counts again: targets of limits. */
export function coveredByCounting(target) {
  const category = target.kind === 'category' ? null : categoryOf(target.kind, target.subject);
  return usedUpBy(target, one => one.kind === 'total' || one.kind === 'category' && one.subject === category);
}

/** What is covered as soon as an app or a site is of another category: itself, or the whole category. */
export async function coveredByMoving(target, category) {
  const explain = (more = {}) => call('shield.explain', {subject: target.subject, ...more});
  const [now, then, limits] = await Promise.all([
    explain(), explain({category}),
    usedUpBy(target, one => one.kind === 'category' && one.subject === category && !one.doesNotCount),
  ]);
  return [...(then.shielded && !now.shielded ? [target] : []), ...limits];
}
