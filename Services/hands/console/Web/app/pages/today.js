// Today: the time so far first, then the hours, then what it went to, what is left, and what comes next.

import {call, may, who} from '../api.js';
import {bars} from '../charts/bars.js';
import {figure} from '../charts/figure.js';
import * as clock from '../clock.js';
import {readHealth} from '../data/health.js';
import {readLimits} from '../data/limits.js';
import {nextOf} from '../data/next.js';
import {Foreground, readToday} from '../data/use.js';
import {clockTime, count, dates, duration, hourLabel, time} from '../format.js';
import {fill, h} from '../h.js';
import {follow, ready} from '../live.js';
import {appName, load as loadNames} from '../names.js';
import {empty, problemBox, screen} from '../parts/screen.js';
import {segmented} from '../parts/tabs.js';
import {notEnforcing, notMeasuring} from '../parts/measuring.js';
import {useRows} from '../parts/rows.js';
import {parts, t} from '../words.js';
import {comingNext, limitsLeft, shieldsNow} from './today-side.js';

const TOP = 7;

export default function today(root) {
  let kind = 'app';
  let foreground = new Foreground();
  const nowPlace = h('p', {class: 'now', id: 'now', role: 'status', '.drawsItself': true});
  const drawNow = () => fill(nowPlace, inFront(foreground.now));

  // The page does not wait for it: where nothing is in use, many events tell nothing.
  let meanwhile = null;
  const readForeground = async () => {
    const mine = meanwhile = [];
    const read = await Foreground.read().catch(() => null);
    if (meanwhile !== mine) return;
    meanwhile = null;
    if (!read) return;
    mine.forEach(event => read.take(event));
    foreground = read;
    drawNow();
  };

  let again = () => {};
  const draw = (data, reload, redraw) => {
    again = reload;
    drawNow();
    const {use} = data;
    const failure = data.failure ?? data.health.failure;
    return [
      h('header', {class: 'hero'}, h('h1', {}, t('nav.today')),
        h('p', {class: 'date'}, dates.long(use.today)), h('p', {class: 'big', id: 'total'}, total(data)),
        h('p', {class: 'usual-text', id: 'usual'}, comparison(use)), nowPlace),
      notMeasuring(
        data.health.measuring, {newest: Math.max(0, ...use.devices.map(device => device.updated ?? 0))}),
      notEnforcing(data.health.enforcing, reload),
      hoursOrEmpty(data),
      use.total > 0 && facts(use),
      h('div', {class: 'two'},
        h('section', {'aria-labelledby': 'most'},
          h('div', {class: 'section-head'}, h('h2', {id: 'most'}, t('today.most')),
            segmented(t('today.most'), ['app', 'category', 'domain'].map(value => [value, t(`by.${value}`)]),
              kind,
              value => {
                kind = value;
                redraw();
              })),
          mostUsed(use, kind)),
        h('div', {class: 'side-sections'}, limitsLeft(data.limits),
          failure && problemBox(failure, reload), shieldsNow(data.shields, data.exceptions),
          comingNext(nextOf(data.pending, clock.startOfDay(clock.plusDays(use.today, 1)))))),
    ];
  };

  const stopNow = follow(['usage.recorded', 'usage.forgotten'], (type, event) => {
    if (type !== 'usage.recorded') return readForeground();
    meanwhile?.push(event);
    foreground.take(event);
    drawNow();
  });
  ready().then(readForeground);
  const leave = screen(root, {
    load: readPage,
    draw,
    every: 60_000,
    wait: 1000,
    events: [
      'report.changed', 'shield.applied', 'shield.lifted', 'shield.coverageChanged', 'exception.began',
      'exception.ended', 'enforcement.changed', 'settings.changed', 'catalog.changed', 'member.changed'
    ],
  });
  // Minutes go by without an event while one thing stays in use.
  const minute = clock.isVirtual() ? null : setInterval(() => {
    if (foreground.now) again();
  }, 60_000);
  return () => {
    stopNow();
    meanwhile = null;
    leave();
    clearInterval(minute);
  };
}

async function readPage() {
  const [use, health, limits, shields, exceptions, pending] = await Promise.all([
    readToday(),
    readHealth(),
    may('app.run') ? readLimits().catch(failure => ({failure})) : null,
    call('shield.list', {member: who().member}).catch(failure => ({failure, shields: []})),
    call('exception.list', {member: who().member}).catch(failure => ({failure, exceptions: []})),
    call('monitoring.pending', {limit: 200}).catch(failure => ({failure, pending: []})),
    loadNames(),
  ]);
  return {
    use,
    health,
    limits,
    // While it is checked whether covers act, a program of ours is covered.
    shields: shields.shields.filter(one => one.subject !== 'org.screentime.canary'),
    failure: shields.failure ?? exceptions.failure ?? pending.failure,
    exceptions: exceptions.exceptions,
    pending: pending.pending.filter(one => one.member === who().member),
  };
}

/** What is in the foreground, and since when. */
function inFront(now) {
  if (!now) return null;
  const values = {
    app: h('strong', {}, appName(now.app.subject)),
    site: now.site?.subject ?? '',
    time: clockTime(now.app.since),
  };
  return [
    h('span', {class: 'pulse', 'aria-hidden': 'true'}),
    h('span', {}, parts(now.site ? 'today.nowSite' : 'today.now', values)),
  ];
}

function comparison(use) {
  if (use.usualDays === 0) return t('today.noUsual');
  const weekday = dates.weekday(use.today);
  const difference = use.total - use.usualSoFar;
  if (Math.abs(difference) < 5 * clock.MINUTE) return t('today.asUsual', {weekday});
  return parts(difference < 0 ? 'today.less' : 'today.more', {
    time: h('strong', {}, duration(Math.abs(difference))),
    weekday,
  });
}

/** The time so far. Where nothing is measured, zero is not said as if it were known. */
function total({use, health}) {
  return use.total === 0 && health.measuring ? h('data', {value: 0}, '–') : time(use.total);
}

function hoursOrEmpty({use, health}) {
  if (use.total > 0 || use.usualDays > 0) return hours(use);
  return health.measuring ? null : empty(t('today.empty'), t('today.emptyText'));
}

function hours(use) {
  const now = clock.now();
  const items = use.hours.map(({start, end, value, usual}) => {
    const {hour, minute} = clock.local(start);
    return {
      value,
      usual,
      isNow: start <= now && now < end,
      name: `${clockTime(start)} – ${clockTime(end)}`,
      label: hour % 3 === 0 && minute === 0 ? hourLabel(hour) : ''
    };
  });
  return figure({
    id: 'hours',
    title: t('today.hours'),
    of: [dates.full(clock.today())],
    text: use.usualDays ? t('today.hoursText') : null,
    model: bars(items, {
      unit: 'duration',
      label: t('today.hoursLabel'),
      height: 190,
      words: item => `${item.name}: ${duration(item.value)}${
        item.usual ? ` (${t('today.usually', {time: duration(item.usual)})})` : ''}`,
    }),
    table: {
      head: [t('table.hour'), t('table.time'), t('table.usual')],
      rows: items.filter(item => item.value || item.usual)
              .map(item => [item.name, time(item.value), use.usualDays ? time(item.usual) : '–']),
    },
  });
}

function facts(use) {
  const one = (id, label, value, more) =>
    h('div', {}, h('dt', {}, label), h('dd', {id}, value, more && h('span', {class: 'quiet'}, more)));
  return h('dl', {class: 'facts'},
    one('pickups', t('today.pickups'), count(use.pickups),
      use.firstPickup && t('today.firstAt', {time: clockTime(use.firstPickup)})),
    one('notifications', t('today.notifications'), count(use.notifications)),
    use.longest
      && one('longest', t('today.longest'), time(use.longest.end_ms - use.longest.start_ms),
        `${clockTime(use.longest.start_ms)} – ${clockTime(use.longest.end_ms)}`));
}

function mostUsed(use, kind) {
  const items = {app: use.apps, category: use.categories, domain: use.sites}[kind];
  if (items.length === 0)
    return h('p', {class: 'quiet'}, t(kind === 'domain' ? 'today.noSites' : 'today.nothing'));
  return [
    useRows(items, {kind, most: TOP}),
    items.length > TOP
      && h('p', {}, h('a', {href: `/reports?by=${kind}`}, t('today.all', {n: items.length}))),
  ];
}
