// Live events of the bus: one connection for the whole page, which the browser resumes by sequence.

import {check} from './api.js';

const followers = new Set();
let source = null;
let state = 'closed';
let whenChanged = () => {};

/** `live`, `stale` (it is connected again soon) or `closed`. */
export const liveState = () => state;
export function onLiveState(body) { whenChanged = body; }

function become(next) {
  if (state === next) return;
  state = next;
  whenChanged(next);
}

/**
 * Follows types of events until the returned function is called.
 * @param {string[]} names types, or beginnings that end with a dot
 * @param {(type: string, data: object) => void} body also called with `reset`: read everything again
 */
export function follow(names, body) {
  const follower = {names, body};
  followers.add(follower);
  return () => followers.delete(follower);
}

const wants = (follower, type) =>
  type === 'reset' || follower.names.some(name => name.endsWith('.') ? type.startsWith(name) : type === name);

function take(event) {
  let data = null;
  try {
    data = JSON.parse(event.data || '{}');
  } catch { return; }
  for (const follower of [...followers])
    if (wants(follower, event.type)) follower.body(event.type, data ?? {});
}

/** All types of the contract; an EventSource delivers only those that it was told. */
const known = `activity.eventDidReachThreshold activity.eventWillReachThresholdWarning activity.intervalDidEnd
  activity.intervalDidStart activity.intervalWillEndWarning activity.intervalWillStartWarning
  authorization.changed callback.delivered callback.failed catalog.changed enforcement.changed exception.began
  exception.ended extension.installed extension.overBudget extension.removed member.changed
  notification.answered notification.delivered notification.failed report.changed report.rendered
  request.created request.decided selection.changed settings.changed settings.rejected shield.actionTaken
  shield.applied shield.configured shield.coverageChanged shield.lifted shield.processesFrozen time.held
  usage.forgotten usage.recorded reset`.split(/\s+/);
export const eventTypes = known.filter(type => type !== 'reset');

/** Milliseconds that a page waits for the stream before it reads: from then on it misses nothing. */
const PATIENCE = 300;
let whenReady = Promise.resolve();
/** Resolves when what is read now will be followed by all later events. */
export const ready = () => whenReady;

export function start() {
  if (source) return;
  // A tab that was opened in the background follows when somebody looks at it.
  isPaused = document.hidden;
  if (isPaused) return;
  source = new EventSource('/events');
  let isReady = false;
  // What happened between two connections is in no event.
  const isAgain = hasBegun;
  hasBegun = true;
  whenReady = new Promise(resolve => {
    const done = () => {
      resolve();
      isReady = true;
    };
    setTimeout(done, PATIENCE);
    source.addEventListener('reset', event => {
      // The first one only says where the stream begins; whoever has read before that reads again.
      if (!isReady && !isAgain) event.stopImmediatePropagation();
      done();
    });
  });
  source.onopen = () => become('live');
  source.onerror = () => {
    become('stale');
    if (source?.readyState === EventSource.CLOSED) {
      source = null;
      retry = setTimeout(async () => {
        if (await check()) start();
      }, 2000);
    }
  };
  for (const type of known) source.addEventListener(type, take);
}
let retry = null;
let hasBegun = false;

/** A browser has few connections to one server: a tab that nobody sees gives its own back. */
const HIDDEN = 10_000;
let hiding = null;
let isPaused = false;
function pause() {
  if (!source) return;
  stop();
  isPaused = true;
}
function resume() {
  if (!isPaused || document.hidden) return;
  start();
  readAgain();
}
/** Lets everything that follows be read again. */
export function readAgain() { take({type: 'reset', data: '{}'}); }
document.addEventListener('visibilitychange', () => {
  clearTimeout(hiding);
  if (document.hidden) hiding = setTimeout(pause, HIDDEN);
  else resume();
});
// The browser may keep a page that was left, with its connection.
addEventListener('pagehide', pause);
addEventListener('pageshow', resume);

export function stop() {
  isPaused = false;
  clearTimeout(retry);
  source?.close();
  source = null;
  become('closed');
}

/**
 * Calls `body` once for many calls within `wait` milliseconds, and `pause` milliseconds after the last time at the
 * earliest; the first call waits least.
 */
export function gather(body, wait = 120, pause = 0) {
  let timer = null;
  let last = -Infinity;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      last = performance.now();
      body();
    }, Math.max(wait, last + pause - performance.now()));
  };
}
