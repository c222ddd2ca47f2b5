// The right side of today: what is left, what is shielded and why, and what comes next.

import {reasonsOf} from '../data/why.js';
import {keyOf} from '../data/limits.js';
import {at, clockTime, list, time} from '../format.js';
import {h} from '../h.js';
import {icon, nameOf} from '../names.js';
import {problemText} from '../parts/screen.js';
import {parts, t} from '../words.js';

const section = (id, title, ...children) =>
  h('section', {'aria-labelledby': id, 'data-key': id}, h('h2', {id}, title), children);

/** A bar that fills as time is used. */
export const meter = (used, limit) =>
  h('span', {class: used >= limit ? 'meter full' : 'meter', 'aria-hidden': 'true'},
    h('span', {'--share': limit ? Math.min(1, used / limit) : 1}));

/** Limits that are shown. */
const ROWS = 6;

export function limitsLeft(limits) {
  if (!limits) return null;
  if (limits.failure)
    return section('left', t('today.limits'), h('p', {class: 'quiet'}, problemText(limits.failure).what));
  const all = limits.filter(one => one.todaySeconds !== undefined).sort((a, b) => a.leftSeconds - b.leftSeconds);
  // The one of everything is always shown, as the sum beneath the others.
  const total = all.filter(one => one.kind === 'total');
  const some = [...all.filter(one => one.kind !== 'total').slice(0, ROWS - total.length), ...total];
  return section('left', t('today.limits'),
    some.length === 0 ? h('p', {class: 'quiet'}, parts('today.noLimits', {
      link: h('a', {href: '/limits'}, t('today.setOne')),
    }))
                      : h('ul', {class: 'left-rows'},
                        some.map(
                          one => h('li', {'data-key': keyOf(one)}, icon(one.kind, one.subject),
                            h('span', {class: 'left-name'}, nameOf(one.kind, one.subject)),
                            h('span', {class: 'left-value'},
                              one.leftSeconds > 0 ? parts('left.left', {time: time(one.leftSeconds * 1000)})
                                                  : t('left.none')),
                            meter(one.usedSeconds, one.todaySeconds)))),
    all.length > some.length
      && h('p', {class: 'spaced'},
        h('a', {href: '/limits'}, t('today.moreLimits', {n: all.length - some.length}))));
}

export function shieldsNow(shields, exceptions) {
  if (shields.length === 0 && exceptions.length === 0) return null;
  // A category has a shield for its apps and one for its sites, for the same reason: one line.
  const isSecond = shield => shield.kind === 'domain_category'
    && shields.some(other => other.kind === 'category' && other.subject === shield.subject
        && other.member === shield.member);
  return section('shielded', t(shields.length ? 'today.shielded' : 'today.opened'),
    h('ul', {class: 'shield-rows'},
      byReason(shields.filter(shield => !isSecond(shield)))
        .map(group => h('li', {'data-key': group.key}, icon(group.shields[0].kind, group.shields[0].subject),
               h('span', {},
                 h('span', {class: 'left-name'},
                   list(group.shields.map(shield => nameOf(shield.kind, shield.subject)))),
                 group.reasons.map(reason => h('span', {class: 'quiet'}, reason)),
                 h('span', {class: 'quiet'}, t('today.since', {time: clockTime(group.since)}))))),
      exceptions.map(one => h('li', {'data-key': one.id}, icon(one.kind, one.subject),
                       h('span', {}, h('span', {class: 'left-name'}, nameOf(one.kind, one.subject)),
                         h('span', {class: 'quiet'}, parts('today.openUntil', {time: at(one.end_ms)})))))));
}

/** What is shielded for the same reasons is one line. */
function byReason(shields) {
  const groups = new Map();
  for (const shield of shields) {
    const reasons = reasonsOf(shield);
    const key = reasons.join(' ');
    const group = groups.get(key) ?? {key, reasons, shields: [], since: shield.since_ms};
    group.shields.push(shield);
    group.since = Math.min(group.since, shield.since_ms);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export function comingNext(next) {
  if (next.length === 0) return null;
  return section('next', t('today.next'),
    h('ul', {class: 'next-rows'},
      next.slice(0, 5).map(one => h('li', {}, at(one.at), h('span', {}, one.text)))));
}
