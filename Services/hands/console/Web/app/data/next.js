// What happens next: the callbacks that are due, as sentences.

import {nameOf} from '../names.js';
import {minuteTime} from '../format.js';
import {t} from '../words.js';
import {LIMITS, WORKLOG, clientName, planName} from './why.js';
import {parseWindow} from './limits.js';

/** @returns {{at: number, text: string}[]} earliest first, each instant and sentence once */
export function nextOf(pending, until) {
  const all = [];
  for (const one of pending) {
    if (!one.due_ms || one.due_ms >= until) continue;
    const text = sentence(one);
    if (text && !all.some(other => other.at === one.due_ms && other.text === text))
      all.push({at: one.due_ms, text});
  }
  return all.sort((a, b) => a.at - b.at);
}

function sentence({client, activity, callback}) {
  if (client === LIMITS) {
    const plan = planName(activity);
    if (!plan) return null;
    const name = nameOf(plan.kind, plan.subject);
    if (plan.rule === 'limit') return callback === 'eventDidReachThreshold' ? t('next.limit', {name}) : null;
    if (!plan.window) return null;
    const {to} = parseWindow(plan.window);
    if (callback === 'intervalDidStart') return t('next.opens', {name, time: minuteTime(to % 1440 || 1440)});
    return callback === 'intervalDidEnd' ? t('next.shuts', {name}) : null;
  }
  // It opens something, where the others close it.
  if (client === WORKLOG && activity === 'evenings')
    return {intervalDidStart: t('next.eveningStarts'), intervalDidEnd: t('next.eveningEnds')}[callback] ?? null;
  const program = clientName(client);
  if (callback === 'intervalDidStart') return t('next.starts', {program});
  if (callback === 'intervalDidEnd') return t('next.ends', {program});
  return callback === 'eventDidReachThreshold' ? t('next.reached', {program}) : null;
}
