// Downtime: the week of hours that are off, for everything or for one app, category or site; then the
// evening of the seed documents, one time each day for a saved selection.

import {Problem, call, may, run} from '../api.js';
import * as clock from '../clock.js';
import {mayCover, wouldCover} from '../data/cover.js';
import {hoursOf, readHours} from '../data/hours.js';
import {keyOf, readLimits, readTarget, removeHours, setHours} from '../data/limits.js';
import {changedDays, dividedLike, offByDay, offSince, offWindows, openHours, windowAt} from '../data/week.js';
import {at, dates, minuteTime, weekdayName, weekdays} from '../format.js';
import {h} from '../h.js';
import {icon, load as loadNames, nameOf} from '../names.js';
import {act} from '../parts/act.js';
import {confirm} from '../parts/dialog.js';
import {actIfWanted} from '../parts/first.js';
import {readForForm} from '../parts/form-data.js';
import {glyphOf} from '../parts/glyphs.js';
import {pick} from '../parts/picker.js';
import {empty, screen} from '../parts/screen.js';
import {dayText, dayTexts, weekGrid} from '../parts/week.js';
import {parts, t} from '../words.js';

import {editDay} from './downtime-day.js';
import {evening} from './downtime-evening.js';

const TOTAL = {
  kind: 'total',
  subject: ''
};

export default function downtime(root) {
  let shown = 'total';
  let added = null;
  return screen(root, {
    load: async () => {
      const [all, hours, status, selections, acts] = await Promise.all([
        readLimits(),
        readHours(),
        run('downtime', 'status'),
        call('selection.list', {client: 'org.screentime.downtime'}),
        mayCover('org.screentime.downtime'),
        loadNames(),
      ]);
      return {all, hours, status, selections: selections.selections, acts};
    },
    draw: (data, again, redraw) => {
      const targets = data.all.filter(one => one.hours.length > 0);
      if (!targets.some(one => one.kind === 'total')) targets.unshift({...TOTAL, hours: []});
      if (added && !targets.some(one => keyOf(one) === keyOf(added))) targets.push({...added, hours: []});
      targets.sort((a, b) => (b.kind === 'total') - (a.kind === 'total'));
      const one = targets.find(target => keyOf(target) === shown) ?? targets[0];
      const off = offOf(one.hours);
      const add = async () => {
        const target = await pick({title: t('downtime.pick'), one: true});
        if (!target) return;
        added = target;
        shown = keyOf(target);
        redraw();
      };
      const choose = key => {
        shown = key;
        redraw();
      };
      return [
        h('header', {class: 'page-head'},
          h('div', {}, h('h1', {}, t('nav.downtime')), h('p', {class: 'quiet'}, t('downtime.lead')))),
        h('section', {'aria-labelledby': 'week'}, head(one, targets, choose, add), nowText(one, off, data.hours),
          weekOf(one, off, again)),
        comingWeek(one, off),
        evening(data, again),
      ];
    },
    every: 60_000,
    events: ['settings.changed', 'activity.', 'callback.', 'selection.changed', 'authorization.changed'],
  });
}

function head(one, targets, choose, add) {
  return h('div', {class: 'section-head'},
    h('h2', {id: 'week', class: 'inline'}, icon(one.kind, one.subject), nameOf(one.kind, one.subject)),
    h('div', {class: 'inline'},
      targets.length > 1 &&
        [
          h('label', {class: 'hidden', 'for': 'target'}, t('downtime.target')),
          h('select', {id: 'target', onchange: event => choose(event.target.value)},
            targets.map(target => h('option', {value: keyOf(target), selected: target === one},
                          nameOf(target.kind, target.subject)))),
        ],
      may('app.run')
        && h(
          'button', {type: 'button', class: 'small', onclick: add}, glyphOf('plus'), t('downtime.other'))));
}

function weekOf(one, off, again) {
  const isEmpty = off.every(windows => windows.length === 0);
  const name = nameOf(one.kind, one.subject);
  const editDays = async (day, also) => {
    const target = await readForForm(() => readTarget(one));
    if (!target) return;
    const form = {before: offOf(target.hours)};
    if (await editDay(name, day, form.before, also, (...values) => save(one, form, ...values))) again();
  };
  const edit = day => may('app.run')
    && h('button', {
         type: 'button',
         class: 'plain small icon-only',
         'aria-label': t('downtime.editDay', {day: weekdayName(day, 'long')}),
         onclick: () => editDays(day, [day]),
       },
      glyphOf('pencil'));
  const clear = async event => {
    const button = event.currentTarget;
    if (await confirm({
          title: t('downtime.clearTitle', {name}),
          text: t('downtime.clearText'),
          action: t('action.remove'),
          danger: true
        })
      && await act(() => removeHours(one), {button, done: t('downtime.cleared', {name})}))
      again();
  };
  const first = () => editDays(weekdays()[0], [0, 1, 2, 3, 4, 5, 6]);
  if (isEmpty)
    return empty(t('downtime.empty', {name}), t('downtime.emptyText', {from: minuteTime(22 * 60), to: minuteTime(7 * 60)}),
      may('app.run') && h('button', {type: 'button', class: 'primary', onclick: first}, t('downtime.first')));
  return [
    weekGrid(off, edit),
    h('p', {class: 'actions'},
      may('app.run')
        && h('button', {type: 'button', class: 'plain small', onclick: clear}, glyphOf('bin'),
          t('downtime.clear')))
  ];
}

/**
 * The days to write when some change: with them those that share hours over midnight with one of them, as the
 * command line sets them, because here a day has only its own.
 */
function weekdaysTouched(rules, changed) {
  const days = new Set(changed);
  const shared = rules.filter(rule => rule.windows.some(({to}) => to > 1440)).flatMap(rule => rule.days)
    .map(day => [day, (day + 1) % 7]);
  for (let size = -1; size !== days.size;) {
    size = days.size;
    for (const pair of shared) if (pair.some(day => days.has(day))) pair.forEach(day => days.add(day));
  }
  return [...days].sort();
}

/** What is off by weekday; without hours, nothing. */
const offOf = hours => hours.length ? offWindows(hours) : Array.from({length: 7}, () => []);

/**
 * A week where some days have other windows. What the morning after one of them got besides, since its form was
 * opened, stays: here it is of the window that runs into it.
 */
function withWindows(off, before, windows, days) {
  return off.map((old, day) => {
    if (days.includes(day)) return windows;
    const [from, to] = [offSince(before, day), offSince(off, day)];
    return days.includes((day + 6) % 7) && from < to ? [...old, {from, to}] : old;
  });
}

/** Whoever saves once more replaces it. */
function sayChanged(form, off, days) {
  const changed = changedDays(form.before, off, days);
  if (changed.length === 0) return;
  form.before = form.before.map((windows, day) => changed.includes(day) ? off[day] : windows);
  throw new Problem(
    {title: 'conflict', detail: t('state.changed', {now: changed.map(day => dayText(off, day)).join(' · ')})});
}

/**
 * Gives some days the windows of a form, and asks first if that would cover something now.
 * @param {{before: object[][]}} form what was off when it was opened; what was changed elsewhere since stays on
 *   other days, and is said first on these
 */
async function save(one, form, windows, days, button) {
  const name = nameOf(one.kind, one.subject);
  const look = async () => {
    const {hours} = await readTarget(one);
    const off = dividedLike(form.before, offOf(hours));
    sayChanged(form, off, days);
    const was = openHours(off);
    const week = openHours(withWindows(off, form.before, windows, days));
    const isChanged = day => JSON.stringify(week[day]) !== JSON.stringify(was[day]);
    return {week, days: weekdaysTouched(hours, week.map((_, day) => day).filter(isChanged))};
  };
  const isWanted = async isThere => {
    const {week} = await look();
    // Windows are of the wall clock, wherever the member's day begins.
    const now = clock.now();
    const date = clock.dateOf(now);
    const windows = week[clock.weekdayOf(date)];
    const isOpen = !windows || windowAt(windows, date, now);
    return isOpen || !await wouldCover(one) || isThere() && await confirm({
      title: t('now.title', {name}),
      text: t('downtime.nowText', {name}),
      action: t('downtime.nowSave')
    });
  };
  const write = async isThere => {
    const {week, days: touched} = await look();
    if (!isThere()) return false;
    const parts = new Map();
    for (const day of touched) {
      const key = JSON.stringify(week[day]);
      parts.set(key, {days: [...parts.get(key)?.days ?? [], day], windows: week[day]});
    }
    if (parts.size) await setHours(one, [...parts.values()]);
    return true;
  };
  return actIfWanted(isWanted, write, {button, done: t('downtime.saved', {name})});
}

function nowText(one, off, hours) {
  const drawn = offByDay(off);
  if (drawn.every(windows => windows.length === 0)) return null;
  const now = clock.now();
  const date = clock.dateOf(now);
  const current = windowAt(drawn[clock.weekdayOf(date)], date, now);
  const {isOff, until} = hoursOf(one, hours);
  return h('p', {class: 'quiet', id: 'downtime-now', role: 'status'},
    until > now && isOff !== Boolean(current) ? parts(isOff ? 'downtime.stillOff' : 'downtime.stillOpen', {time: at(until)})
      : current ? untilEnd(drawn, date, current) : nextStart(drawn, date, now));
}

/** Until when it is off, which may be days away. */
function untilEnd(drawn, date, current) {
  const day = clock.weekdayOf(date);
  let [days, minute] = [0, current.to];
  const follows = ({from, to}) => from <= minute && minute < to;
  while (minute === 1440 || drawn[(day + days) % 7].some(follows)) {
    if (minute === 1440) [days, minute] = [days + 1, 0];
    else minute = drawn[(day + days) % 7].find(follows).to;
    if (days > 7) return t('downtime.offAlways');
  }
  // Midnight is the end of the day before it.
  if (minute === 0) [days, minute] = [days - 1, 1440];
  const isSoon = days === 0 || days === 1 && minute <= clock.minuteOfDay(clock.now());
  return t(isSoon ? 'downtime.offNow' : 'downtime.offUntilDay',
    {time: minuteTime(minute), day: dayAfter(days)});
}

/** In a week it has the name of today. */
const dayAfter = days => {
  const date = clock.plusDays(clock.dateOf(clock.now()), days);
  return days < 7 ? weekdayName(clock.weekdayOf(date), 'long') : dates.day(date);
};

function nextStart(drawn, date, now) {
  const day = clock.weekdayOf(date);
  for (let i = 0; i < 8; i += 1) {
    const found = drawn[(day + i) % 7].filter(({from}) => i > 0 || clock.instantOf(date, from) > now)
                    .sort((a, b) => a.from - b.from)[0];
    if (found)
      return t(i === 0 ? 'downtime.nextToday' : 'downtime.nextDay',
        {time: minuteTime(found.from), day: weekdayName((day + i) % 7, 'long')});
  }
  return null;
}

function comingWeek(one, off) {
  if (off.every(windows => windows.length === 0)) return null;
  const today = clock.dateOf(clock.now());
  return h('section', {'aria-labelledby': 'coming'}, h('h2', {id: 'coming'}, t('downtime.coming')),
    h('ul', {class: 'next-rows wide'},
      Array.from({length: 7}, (_, i) => clock.plusDays(today, i)).map(date => {
        const windows = dayTexts(off, clock.weekdayOf(date));
        return h('li', {}, h('span', {class: 'quiet'}, dates.day(date)),
          h('span', {}, windows.length
            ? windows.map((text, i) => [i > 0 && ', ', h('span', {class: 'num'}, text)]) : t('downtime.openDay')));
      })));
}
