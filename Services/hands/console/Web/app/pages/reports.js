// Reports: the period as columns first, then what it went to, the trend, the day's timeline, the calendar.

import {call} from '../api.js';
import {bars} from '../charts/bars.js';
import {figure} from '../charts/figure.js';
import {pie, slices} from '../charts/pie.js';
import {valueText} from '../charts/scale.js';
import * as clock from '../clock.js';
import {
  filterParams,
  lastOf,
  periodName,
  periods,
  readCalendar,
  readReport,
  readTrend,
  startOf
} from '../data/reports.js';
import {count, duration, percent, time} from '../format.js';
import {guide, h} from '../h.js';
import {load as loadNames} from '../names.js';
import {useRows} from '../parts/rows.js';
import {empty, screen} from '../parts/screen.js';
import {segmented} from '../parts/tabs.js';
import {asked, remember, remembered} from '../routes.js';
import {parts, t} from '../words.js';
import {bar, metrics, nameIn, subject} from './reports-bar.js';
import {calendarFigure, dayTimeline, readDay, trendFigure} from './reports-more.js';
import {chosenPart} from './reports-chosen.js';
import {scenes} from './reports-scenes.js';

/** What the rows of a report are grouped by. */
const groups = ['app', 'category', 'domain', 'device'];
/** Of a time in which something can have been measured. */
const isDate = text => /^(19[7-9]|2\d\d)\d-\d\d-\d\d$/.test(text)
  && new Date(`${text}T12:00:00Z`).toJSON()?.slice(0, 10) === text;
const oneOf = (value, all) => all.includes(value) ? value : all[0];

export default function reports(root) {
  const given = asked();
  const period = oneOf(given.period, ['week', ...periods]);
  // What is asked for; each answer carries the view that it is of, and is drawn as that.
  const wanted = {
    period,
    // Nothing: the present one, of the member whose report it is.
    start: isDate(given.from) ? startOf(period, given.from) : null,
    isPresent: !isDate(given.from),
    by: oneOf(given.by, groups),
    metric: oneOf(given.metric, metrics),
    selection: remembered()?.selection ?? null,
    device: given.device ?? '',
    member: given.member ?? '',
  };
  // What is chosen in the answer.
  const state = {of: null, chosen: undefined, picked: null, zoom: null, scene: '', sceneVersion: 0};
  let again = async () => {};
  const change = values => {
    const before = {...wanted};
    // The next one after what is asked for, which may not be there yet.
    Object.assign(wanted, typeof values === 'function' ? values(wanted) : values);
    const present = startOf(wanted.period, wanted.today ?? clock.today());
    if (wanted.start > present) wanted.start = present;
    const {period, start, by, metric, selection, device, member} = wanted;
    const from = start === present ? '' : start;
    // Who looks at the present one follows it into the next; the address says the same.
    wanted.isPresent = !from;
    remember({period, from, by, metric, device, member},
      {beside: {selection}, isStep: ['period', 'start', 'member'].some(name => wanted[name] !== before[name])});
    const focused = document.activeElement;
    return again().then(() => focused !== document.body && keepFocus());
  };
  return screen(root, {
    load: () => readPage(wanted),
    // What cannot be read may be so only in this view of it.
    frame: reload => {
      again = reload;
      const start = wanted.start ?? startOf(wanted.period, clock.today());
      return [
        bar({devices: [], members: [], rows: []}, {...wanted, start}, change),
        h('p', {}, segmented(t('reports.shares'), groups.map(value => [value, t(`by.${value}`)]), wanted.by,
          by => change({by}))),
      ];
    },
    draw: (data, reload, redraw) => {
      again = reload;
      const of = JSON.stringify(data.view);
      if (state.of !== of) Object.assign(state, {of, chosen: undefined, picked: null, zoom: null});
      return content(data, {...data.view, ...state}, state, change, redraw, again);
    },
    events: ['report.changed', 'report.rendered', 'catalog.changed', 'member.changed', 'extension.'],
    wait: 1500,
    every: 60_000,
    onEvent: type => {
      if (type === 'report.rendered') state.sceneVersion += 1;
      return type === 'report.rendered';
    },
  });
}

/** Where what was pressed is gone, one goes on at the top of the report. */
function keepFocus() {
  if (document.activeElement !== document.body) return;
  const near = document.querySelector('.report-range button:not([disabled])');
  near?.focus({preventScroll: true});
  guide(near);
}

async function readPage(wanted) {
  const {members} = await call('member.list');
  wanted.person = wanted.member ? members.find(one => one.id === wanted.member) : null;
  wanted.today = clock.asMember(wanted.person, clock.today);
  const present = startOf(wanted.period, wanted.today);
  if (!wanted.start || wanted.start > present || wanted.isPresent && wanted.start !== present) wanted.start = present;
  // It may be changed while this is read.
  const view = {...wanted};
  const filter = filterParams(view);
  const asking = {...view, filter};
  const [data, trend, calendar, day, devices, extensions] = await Promise.all([
    readReport(asking),
    readTrend(asking),
    ['month', 'year'].includes(view.period) ? readCalendar(lastOf(view.period, view.start), asking) : null,
    view.period === 'day' && view.metric === 'duration' ? readDay(view.start, view) : null,
    call('report.query', {
      from: clock.plusDays(view.today, -364),
      to: view.today,
      segment: 'weekly',
      by: 'device',
      shape: 'table',
      ...(view.member ? {member: view.member} : {}),
    }),
    call('extension.list'),
    loadNames(),
  ]);
  return {
    ...data,
    view,
    trend,
    calendar,
    day,
    filter,
    devices: devices.table?.keys ?? [],
    extensions: extensions.extensions,
    members,
  };
}

/**
 * @param view of the answer, with what is chosen in it
 * @param state where that is kept
 */
function content(data, view, state, change, redraw, again) {
  const unit = view.metric === 'duration' ? 'duration' : 'count';
  const what = subject(data, view);
  const choose = key => {
    Object.assign(state, {chosen: state.chosen === key ? undefined : key, picked: null});
    redraw();
  };
  return [
    bar(data, view, change),
    headline(data, view, unit),
    data.total === 0 ? empty(t('reports.empty'), t('reports.emptyText')) : [
      segments(data, view, unit, change),
      breakdown(data, view, unit, choose, change, chosenPart(view, state, again)),
      data.day && dayTimeline(data.day, state, view.person, what, redraw),
    ],
    trendFigure(data.trend, unit, what, start => change({period: 'week', start})),
    data.calendar && unit === 'duration'
      && calendarFigure(data.calendar, what, date => change({period: 'day', start: date})),
    notes(data.notes),
    scenes(data, view, state, redraw),
  ];
}

/** Hints of the services for the reader. */
function notes(all) {
  if (all.length === 0) return null;
  return h('section', {'aria-labelledby': 'notes'}, h('h2', {id: 'notes'}, t('reports.notes')),
    h('ul', {class: 'quiet small'}, all.map(note => h('li', {}, note))));
}

function headline(data, view, unit) {
  const days = Math.max(1, data.days);
  const change = data.before > 0 ? data.total / data.before - 1 : null;
  return h('div', {class: 'hero', 'data-key': 'headline'},
    h('p', {class: 'big', id: 'report-total'}, unit === 'duration' ? time(data.total) : count(data.total)),
    h('p', {class: 'usual-text'}, [
      view.period !== 'day' && parts('reports.average', {
        value: h('strong', {},
          unit === 'duration' ? duration(data.total / days) : valueText(Math.round(data.total / days), unit))
      }),
      view.period !== 'day' && change !== null && ' · ',
      change !== null
        && t(Math.abs(change) < 0.01 ? 'reports.same'
            : change < 0             ? 'reports.less'
                                     : 'reports.more',
          {share: percent(Math.abs(change)), period: t(`reports.before.${view.period}`)}),
    ]));
}

function segments(data, view, unit, change) {
  const chosen = view.chosen;
  const finer = {week: 'day', month: 'day', year: 'month'}[view.period];
  const items = data.segments.map(one => ({
    ...one,
    part: chosen === undefined ? undefined
      : chosen === null        ? otherOf(one, data)
                               : one.keys.get(chosen) ?? 0
  }));
  const chosenName = chosen === undefined ? ''
    : chosen === null                     ? t('chart.others')
                                          : nameIn(view.by, chosen);
  return figure({
    id: 'segments',
    title: t(`reports.by.${view.period}`),
    of: [periodName(view.period, view.start), ...subject(data, view)],
    text: chosen !== undefined ? t('reports.highlight', {name: chosenName}) : null,
    model: bars(items, {
      unit,
      height: 230,
      label: t('reports.segmentsLabel', {period: periodName(view.period, view.start)}),
      of: finer && `${view.period} ${view.start}`,
      choose: finer
        && (i => data.segments[i] && change({period: finer, start: startOf(finer, data.segments[i].date)})),
      words: item => item.part === undefined
        ? `${item.name}: ${valueText(item.value, unit)}`
        : `${item.name}: ${chosenName} ${valueText(item.part, unit)} / ${valueText(item.value, unit)}`,
    }),
    table: {
      head: [
        t(`period.${
          view.period === 'day'      ? 'hour'
            : view.period === 'year' ? 'month'
                                     : 'day'}`),
        t(`metric.${view.metric}`)
      ],
      rows: data.segments.map(one => [one.name, unit === 'duration' ? time(one.value) : count(one.value)]),
    },
  });
}

function otherOf(segment, data) {
  const named = new Set(slices(data.items).map(item => item.key));
  let sum = 0;
  for (const [key, value] of segment.keys)
    if (!named.has(key)) sum += value;
  return sum;
}

function breakdown(data, view, unit, choose, change, below) {
  const all = slices(data.items).map(item => ({...item, name: item.name ?? nameIn(view.by, item.key)}));
  const hues = new Map(all.map(item => [item.key, item.hue]));
  const sum = data.items.reduce((total, item) => total + item.value, 0);
  const tools = segmented(
    t('reports.by'), groups.map(value => [value, t(`by.${value}`)]), view.by, value => change({by: value}));
  if (data.items.length === 0) {
    return h('section', {class: 'chart', 'aria-labelledby': 'no-items'},
      h('div', {class: 'figure-head'}, h('h2', {id: 'no-items'}, t('reports.shares')), tools),
      h('p', {class: 'quiet'}, t('reports.noItems')));
  }
  // What has no slice of its own is in that of the others.
  const row = data.items.find(item => item.key === view.chosen);
  const slice = all.find(item => item.key === view.chosen) ?? (row && all.find(item => item.key === null));
  const chosen = row ?? slice;
  return figure({
    id: 'shares',
    title: t('reports.shares'),
    of: [periodName(view.period, view.start), t(`by.${view.by}`), ...subject(data, view)],
    legend: all.map(item => ({
      name: item.name,
      value: `${valueText(item.value, unit)}, ${percent(item.value / sum)}`,
      hue: item.hue
    })),
    tools,
    plain: false,
    text: t('reports.sharesText',
      {name: nameIn(view.by, data.items[0].key), share: percent(data.items[0].value / sum)}),
    model: pie(all, {
      label: t('reports.sharesLabel',
        {items: all.map(item => `${item.name} ${percent(item.value / sum)}`).join(', ')}),
      chosen: slice?.key,
      choose,
      middle: chosen ? [percent(chosen.value / sum), chosen.name ?? nameIn(view.by, chosen.key)] : null,
    }),
    beside: [
      h('div', {class: 'legend'}, useRows(data.items, {
        kind: view.by,
        unit,
        most: 12,
        choose,
        chosen: view.chosen,
        hue: key => hues.get(key) ?? 7,
        name: key => nameIn(view.by, key)
      })),
      below
    ],
    table: {
      head: [t(`by.${view.by}`), t(`metric.${view.metric}`), t('table.share')],
      rows: data.items.map(
        item => [nameIn(view.by, item.key), unit === 'duration' ? time(item.value) : count(item.value),
          percent(item.value / sum)]),
    },
  });
}
