// One way for every page to load, to fail, to be out of date and to follow what happens.

import * as clock from '../clock.js';
import {fill, h} from '../h.js';
import {follow, gather, ready} from '../live.js';
import {currentLanguage, has, t} from '../words.js';

/** A sentence for an error: what failed, and what to do. What was done `before` it is said at the end. */
export function problemText(error) {
  const {what, remedy} = textsOf(error);
  return {what, remedy: [remedy, error?.before].filter(Boolean).join(' ')};
}

function textsOf(error) {
  if (error?.status === 401) return {what: t('signin.ended'), remedy: t('signin.here')};
  const name = error?.title ?? 'unavailable';
  const known = `error.${name}`;
  // The services explain in English: what failed is said in the person's language before.
  if (currentLanguage() !== 'en' && error?.status && error.detail && has(known))
    return {what: t(known), remedy: [error.detail.replace(/[^.!?]$/, '$&.'), error.remedy].filter(Boolean).join(' ')};
  return {
    what: error?.detail || (has(known) ? t(known) : t('error.offline')),
    remedy: error?.remedy || '',
  };
}

export function problemBox(error, retry) {
  const {what, remedy} = problemText(error);
  return h('div', {class: 'notice problem', role: 'alert'},
    h('p', {}, h('strong', {}, t('error.title')), ' ', what), remedy && h('p', {class: 'quiet'}, remedy),
    retry && h('p', {}, h('button', {type: 'button', onclick: retry}, t('action.retry'))));
}

/** A quiet place where nothing is yet: what would be here, and the one thing to do about it. */
export const empty = (title, text, action) => h('div', {class: 'empty'},
  h('p', {class: 'empty-title'}, title), text && h('p', {class: 'quiet'}, text), action);

/** The name of the page, for states that have no heading of their own. */
const title = () => document.title.split(' · ')[0];

async function readClock() {
  await clock.whenKnown();
  // A virtual clock moves only when somebody moves it.
  if (clock.isVirtual() || clock.isOld()) await clock.refresh();
}

/** Milliseconds that a page waits for what it can do without, and after which it says that it loads. */
const PATIENCE = 600;

/** Milliseconds after which a page that could not be loaded tries again. */
const RETRY = 10_000;
const soon = answer =>
  Promise.race([answer.catch(() => {}), new Promise(resolve => setTimeout(resolve, PATIENCE))]);

/**
 * `again` loads now, because somebody wants it. `refresh`, for events, loads once more after what is under way: what happens while it
 * loads is in the next answer, and events never make several loads at once.
 */
function repeated(loadOnce, isGone) {
  let loading = 0;
  let isDirty = false;
  const load = async isAsked => {
    loading += 1;
    try {
      await loadOnce(isAsked);
    } finally { loading -= 1; }
    if (!isDirty || loading > 0 || isGone()) return;
    isDirty = false;
    load(false);
  };
  const refresh = () => {
    if (loading > 0) isDirty = true;
    else load(false);
  };
  return {again: () => load(true), refresh};
}

/**
 * A page.
 * @param {Element} root where it is drawn
 * @param {object} page
 * @param {() => Promise<any>} page.load what it shows
 * @param {(data: any, again: () => Promise<void>, redraw: () => void, refresh: () => void) => any} page.draw its
 *   elements; `again` loads once more, `refresh` after what is being loaded, `redraw` draws what was loaded
 * @param {(again: () => Promise<void>) => any} [page.frame] what stands above an error while nothing was loaded, instead of the title
 * @param {string[]} [page.events] types of live events after which it is loaded again
 * @param {(type: string, data: any) => boolean} [page.onEvent] takes an event itself; true: no need to load
 * @param {number} [page.pause] milliseconds between two loads for events, for what others can keep moving
 * @param {boolean} [page.needsNoClock] it is shown also while nobody says what time it is: by the browser's clock
 * @param {number} [page.every] milliseconds after which it is drawn again, for what depends on the time
 * @returns how to leave it
 */
export function screen(root, page) {
  let data;
  let error = null;
  let isGone = false;
  let turn = 0;
  let day = null;
  let retry = null;
  let slow = null;

  const drawNow = () => {
    if (isGone) return;
    if (data === undefined && !error) return;
    const isOld = Boolean(error) && data !== undefined;
    fill(root, isOld ? h('div', {'data-key': 'stale-data'}, problemBox(error, again)) : null,
      data === undefined ? [page.frame?.(again) ?? h('h1', {}, title()), problemBox(error, again)]
                         : page.draw(data, again, drawNow, refresh));
  };
  const loadOnce = async isAsked => {
    const mine = turn += 1;
    clearTimeout(retry);
    if (isAsked) slow ??= setTimeout(() => root.setAttribute('aria-busy', 'true'), PATIENCE);
    try {
      await ready();
      await (page.needsNoClock ? soon(readClock()) : readClock());
      const today = clock.today();
      const next = await page.load();
      if (mine !== turn || isGone) return;
      // What is not known yet is as it was.
      if (next?.health?.later && data?.health) next.health = {...data.health, later: next.health.later};
      data = next;
      day = today;
      error = null;
      next?.health?.later?.then(health => {
        if (data !== next) return;
        next.health = health;
        drawNow();
      }, () => {/* The next time that it loads, it is asked again. */});
    } catch (failure) {
      if (mine !== turn || isGone || failure.title === 'left') return;
      if (!failure.title) console.error(failure);
      error = failure;
      if (failure.status !== 401) retry = setTimeout(refresh, RETRY);
    }
    clearTimeout(slow);
    slow = null;
    root.setAttribute('aria-busy', 'false');
    drawNow();
  };

  const {again, refresh} = repeated(loadOnce, () => isGone);

  root.setAttribute('aria-busy', 'true');
  fill(root,
    h('div', {class: 'skeleton', 'data-key': 'skeleton'}, h('h1', {class: 'hidden'}, title()),
      h('p', {class: 'hidden', role: 'status'}, t('state.loading')), h('div', {class: 'bone title'}),
      h('div', {class: 'bone tall'}), h('div', {class: 'bone'}), h('div', {class: 'bone'})));
  again();
  const later = gather(refresh, page.wait ?? 250, page.pause);
  const stop = follow(page.events ?? [], (type, event) => {
    if (type !== 'reset' && page.onEvent?.(type, event)) return drawNow();
    later();
  });
  // What an app changes outside of its times is no event: it is read when somebody comes back to the page.
  addEventListener('focus', later);
  // Another day has other numbers.
  const isLater = () => clock.isOld() || clock.today() !== day;
  const timer = page.every ? setInterval(() => isLater() ? refresh() : drawNow(), page.every) : null;
  return () => {
    isGone = true;
    stop();
    removeEventListener('focus', later);
    clearInterval(timer);
    clearTimeout(retry);
    clearTimeout(slow);
  };
}
