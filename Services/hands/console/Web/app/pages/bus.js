// The bus, for developers: the health of the services, live events, and traces as trees.

import {call, logOf, may} from '../api.js';
import * as clock from '../clock.js';
import {at, count, number} from '../format.js';
import {h} from '../h.js';
import {eventTypes, follow, gather} from '../live.js';
import {screen} from '../parts/screen.js';
import {asked, remember} from '../routes.js';
import {healthOf, services} from '../data/health.js';
import {parts, t} from '../words.js';
import {logs} from './bus-logs.js';
import {traces} from './bus-traces.js';

/** Live events that are kept. */
const EVENTS = 100;

/** Spans that are read of each service: each look at its health leaves one. */
const SPANS = 400;

/** Milliseconds after which it is asked how the services are. */
const LOOK = 15_000;

export default function bus(root) {
  const events = [];
  let isHeld = false;
  let trace = asked().trace ?? null;
  let log = asked().log ?? '';
  let isOnlyBad = false;
  let shown = null;
  let redraw = () => {};
  let readAgain = () => {};
  // What an event caused is in the spans a little later.
  const later = gather(() => readAgain(), 2000);
  const leave = screen(root, {
    load: async () => {
      // Who does not answer is not asked for more: each question that waits keeps a connection from the others.
      const all = await healthOfAll();
      const answering = new Set(all.filter(one => one.state !== 'down').map(one => one.service));
      const [traces, clocks, lines] = await Promise.all([
        readSpans(trace, answering),
        answering.has('activity-center')
          ? call('clock.status', {}, {service: 'activity-center', within: PATIENCE}).catch(() => ({})) : {},
        log ? readLog(log) : null,
      ]);
      return {all, traces, clocks, lines};
    },
    draw: (data, again, drawAgain, refresh) => {
      shown = data;
      redraw = drawAgain;
      readAgain = refresh;
      const choose = id => {
        trace = id;
        remember({trace: id ?? '', log});
        again();
      };
      const chooseLog = name => {
        log = name;
        remember({trace: trace ?? '', log});
        again();
      };
      const onlyBad = value => {
        isOnlyBad = value;
        drawAgain();
      };
      return [
        h('header', {class: 'page-head'},
          h('div', {}, h('h1', {}, t('nav.bus')), h('p', {class: 'quiet'}, t('bus.lead')))),
        data.clocks.virtual
          && h('div', {class: 'notice'}, h('p', {}, parts('bus.virtual', {time: at(data.clocks.now_ms)})),
            data.clocks.next_due_ms
              && h('p', {class: 'quiet'}, parts('bus.nextDue', {time: at(data.clocks.next_due_ms)}))),
        health(data.all),
        traces(data.traces, trace, choose, again),
        logs(processes, log, data.lines, isOnlyBad, {choose: chooseLog, onlyBad, again}),
        live(events, isHeld,
          () => {
            isHeld = !isHeld;
            redraw();
          }),
      ];
    },
    needsNoClock: true,
  });
  const stop = follow(eventTypes, (type, data) => {
    if (type === 'reset' || isHeld) return;
    events.unshift({type, data, at: clock.now(), id: (events[0]?.id ?? 0) + 1});
    events.length = Math.min(events.length, EVENTS);
    redraw();
    later();
  });
  // That a service ends is no event.
  const looking = setInterval(async () => {
    if (document.hidden || !shown) return;
    const before = shown;
    const all = await healthOfAll().catch(() => null);
    // If nobody answers, it is the console that does not.
    if (shown !== before || !all?.some(one => one.state !== 'down')) return;
    before.all = all;
    redraw();
  }, LOOK);
  return () => {
    clearInterval(looking);
    stop();
    leave();
  };
}

const processes = [...services, 'desktop-agent', 'shield-cover', 'console'];

/** Null if the process never wrote one here. */
const readLog = name => logOf(name).catch(error => {
  if (error.title !== 'notFound') throw error;
  return null;
});

/** The health of every process, without waiting long for those that do not answer. */
const healthOfAll = () => Promise.all([...services, 'desktop-agent'].map(
  async service => ({...await healthOf(service, PATIENCE), service})));

/** The newest spans of all services, or all of one trace; and `silent`: who did not answer in time. */
async function readSpans(trace, answering) {
  if (!may('trace.read')) return {spans: [], silent: []};
  const params = trace ? {trace_id: trace} : {limit: SPANS};
  const silent = services.filter(service => !answering.has(service));
  const read = async service => {
    try {
      return (await call('trace.read', params, {service, within: PATIENCE})).spans;
    } catch (error) {
      // An address may name a trace that cannot be one: nobody has spans of it.
      if (error.title === 'invalidParams') return [];
      silent.push(service);
      return [];
    }
  };
  return {spans: (await Promise.all(services.filter(service => answering.has(service)).map(read))).flat(), silent};
}

/** Milliseconds that the page waits for one of the services before it shows what it has. */
const PATIENCE = 1500;

const tone = {
  ready: 'tag good',
  starting: 'tag',
  degraded: 'tag bad',
  down: 'tag bad'
};

function health(all) {
  return h('section', {'aria-labelledby': 'services'}, h('h2', {id: 'services'}, t('bus.services')),
    h('ul', {class: 'rows bare'},
      all.map(
        one => h('li', {'data-key': one.service},
          h('div', {class: 'what'}, h('span', {class: 'name'}, one.service),
            (one.degraded_by ?? []).map(why => h('span', {class: 'quiet'}, why)),
            one.state !== 'down'
              && h('span', {class: 'quiet'},
                t('bus.numbers', {pid: one.pid, head: number(one.head ?? 0), queue: number(one.queue ?? 0)})),
            one.last_error && !one.degraded_by?.includes(one.last_error)
              && h('span', {class: 'quiet'},
                parts('bus.lastError',
                  {time: one.last_error_ms ? at(one.last_error_ms) : '', text: one.last_error})),
            details(one)),
          h('span', {class: tone[one.state] ?? 'tag'}, t(`service.${one.state}`))))));
}

function details(one) {
  if (!one.counters?.length && !one.follows?.length) return null;
  return h('details', {}, h('summary', {}, t('bus.more')),
    h('table', {}, h('caption', {class: 'hidden'}, one.service),
      h('tbody', {},
        one.follows.map(log => h('tr', {}, h('th', {scope: 'row'}, t('bus.follows', {service: log.service})),
                          h('td', {class: 'number'}, `${number(log.sequence)} / ${number(log.head)}`))),
        one.counters.map(counter => h('tr', {}, h('th', {scope: 'row'}, counter.name),
                           h('td', {class: 'number'}, count(counter.count)))))));
}

function live(events, isHeld, hold) {
  return h('section', {'aria-labelledby': 'live'},
    h('div', {class: 'section-head'}, h('h2', {id: 'live'}, t('bus.live')),
      h('button', {type: 'button', class: 'small', 'aria-pressed': String(isHeld), onclick: hold},
        t(isHeld ? 'bus.resume' : 'bus.hold'))),
    events.length === 0
      ? h('p', {class: 'quiet'}, t('bus.noEvents'))
      : h('ol', {class: 'rows'},
        events.slice(0, 40).map(
          event => h('li', {'data-key': `event-${event.id}`}, h('span', {class: 'quiet small'}, at(event.at)),
            h('details', {}, h('summary', {}, event.type),
              h('pre', {class: 'code', tabindex: '0', 'aria-label': event.type},
                JSON.stringify(event.data, null, 2)))))));
}
