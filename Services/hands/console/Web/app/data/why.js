// Why something is shielded, in the person's language, from the stores that shield it.

import {nameOf} from '../names.js';
import {has, t} from '../words.js';

export const LIMITS = 'org.screentime.limits';
export const WORKLOG = 'org.screentime.worklog';

/** The target of a store or an activity of the built-in limits, for example `limit daily category games`. */
export function planName(text) {
  const words = text.split(' ');
  const rule = words.shift();
  if (rule !== 'limit' && rule !== 'hours') return null;
  const isKind = word => ['app', 'category', 'domain', 'total'].includes(word);
  let days = null;
  let window = null;
  while (words.length && !isKind(words[0])) {
    const word = words.shift();
    if (/^\d\d:\d\d-\d\d:\d\d$/.test(word)) window = word;
    else days ??= word;
  }
  const kind = words.shift();
  return kind ? {rule, days, window, kind, subject: words.join(' ')} : null;
}

/** The name of a host app. */
export function clientName(client, given) {
  const key = `program.${client}`;
  return has(key) ? t(key) : given || client;
}

/** One reason as a sentence. */
export function reasonText({client, store}) {
  if (client === LIMITS) {
    const plan = planName(store);
    if (plan) return t(`why.${plan.rule}`, {name: nameOf(plan.kind, plan.subject)});
  }
  // Worklog names its stores for what they are about.
  const about =
    has(`worklog.${store}`) && client === WORKLOG ? t(`worklog.${store}`) : store;
  return t('why.program', {program: clientName(client), store: about});
}

/** All reasons of a shield, each once. */
export const reasonsOf = shield => [...new Set((shield.reasons ?? []).map(reasonText))];
