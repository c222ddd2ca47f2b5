// Who asked for and decided what, as auth-service recorded it, and what shield-service recorded as ended.

import {call, may} from '../api.js';
import {duration, list, minuteTime, moment} from '../format.js';
import {nameOf} from '../names.js';
import {t} from '../words.js';
import {clientName} from './why.js';

/** Newest entries of each service that are read. */
const READ = 2000;

/** Minutes that a person waits who has not chosen another time. */
const DELAY = 5;

async function all(method, service) {
  if (!may(method)) return [];
  const {head} = await call('health.check', {}, {service});
  const entries = [];
  let after = Math.max(0, head - READ);
  for (;;) {
    const page = await call(method, {after});
    entries.push(...page.entries);
    if (page.through >= page.head || page.through <= after) return entries;
    after = page.through;
  }
}

/** The exceptions that did not last until their time was over, by the request that they follow from. */
export const endedEarly = record => new Map(record.filter(entry => isEnded(entry))
                                              .map(entry => [entry.exception.id, entry]));

const isEnded = entry => entry.ending && entry.ending !== 'timeIsOver';

/** The record, the newest entries first. What a member was before a change is in `before`, if it is known; in
    `about` is the member's id, and in `name` what they were called, also if they were removed. */
export async function readRecord() {
  const [entries, exceptions] =
    await Promise.all([all('audit.read', 'auth-service'), all('exception.history', 'shield-service')]);
  const known = new Map();
  const names = new Map();
  const asked = new Map();
  for (const entry of entries) {
    const {changed, authorization} = entry;
    if (changed) {
      entry.before = known.get(changed.id);
      names.set(changed.id, changed.name);
      // Who comes again under the same name is another one.
      if (entry.removed) known.delete(changed.id);
      else known.set(changed.id, changed);
    }
    if (authorization) {
      const key = `${authorization.client} ${authorization.member}`;
      entry.wasAsked = asked.get(key) ?? false;
      asked.set(key, authorization.pending && authorization.status !== 'approved');
    }
  }
  for (const entry of [...entries, ...exceptions]) {
    entry.about = entry.changed?.id ?? (entry.request ?? entry.authorization ?? entry.exception)?.member;
    entry.name = names.get(entry.about);
  }
  // Those of one moment stay in their order, the last one first.
  return [...entries, ...exceptions.filter(isEnded)].reverse().sort((one, other) => other.at_ms - one.at_ms);
}

export const recordKey = entry => `${entry.exception ? 'shield' : 'auth'}-${entry.sequence}`;

/** A sentence for each entry. */
export function recordText(entry, members, asksFor) {
  const {request, authorization, exception, changed, about} = entry;
  const who = members.get(about)?.name ?? entry.name ?? about;
  if (exception) {
    return t(`audit.exception.${entry.ending}`, {who, name: nameOf(exception.kind, exception.subject)});
  }
  if (request) {
    return t(`audit.request.${request.state}`, {
      who,
      name: nameOf(request.kind, request.subject),
      what: asksFor(request),
      time: request.granted ? duration(request.granted * 60_000) : t('requests.restOfDay'),
      by: request.decider ? t(`decider.${request.decider}`) : ''
    });
  }
  if (authorization) {
    return t(`audit.app.${stateOf(authorization, entry.wasAsked)}`,
      {app: clientName(authorization.client, authorization.client_name), who});
  }
  if (entry.removed) return t('audit.member.removed', {who});
  const rules = parts(changed), before = entry.before && parts(entry.before);
  const changes = before ? rules.filter((rule, i) => rule !== before[i]) : rules;
  return changes.length > 0 ? t('audit.member.changed', {who, what: list(changes)}) : t('audit.member.same', {who});
}

/** What became of an app's permission. One that asked, and has none, got no answer. */
function stateOf({pending, status, restrictions}, wasAsked) {
  if (pending) return 'asks';
  if (status === 'approved' && !restrictions) return 'paused';
  return status === 'notDetermined' && wasAsked ? 'unanswered' : status;
}

/** What a member may do by themselves, and when their day is; always in the same order. */
function parts(member) {
  const delay = minutes => minutes ? t('audit.member.delay', {time: duration(minutes * 60_000)})
                                   : t('audit.member.noDelay');
  const next = member.next_self_approval_minutes;
  return [
    t(`audit.role.${member.role}`),
    member.zone ? t('audit.member.zone', {zone: member.zone}) : t('audit.member.machineZone'),
    t('audit.member.dayStart', {time: minuteTime(member.day_start_minutes)}),
    [
      delay(member.self_approval_minutes ?? DELAY),
      next != null
        && t('audit.member.from', {time: moment(member.next_self_approval_at_ms), what: delay(next)}),
    ].filter(Boolean).join('; '),
    t(member.one_more_minute === false ? 'audit.member.noMinute' : 'audit.member.minute'),
  ];
}
