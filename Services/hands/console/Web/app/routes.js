// The addresses of the pages, and how one gets from one to the next without loading again.

import {may} from './api.js';
import {closeDialogs} from './parts/dialog.js';

/**
 * In the order of the menu. `group` separates what everybody uses from programs and from what developers use;
 * without the methods of `needs` there is no such page.
 */
const all = [
  {path: '/today', name: 'today', group: 'main', load: () => import('./pages/today.js')},
  {path: '/reports', name: 'reports', group: 'main', load: () => import('./pages/reports.js')},
  {
    path: '/limits',
    name: 'limits',
    needs: ['app.run'],
    group: 'main',
    load: () => import('./pages/limits.js')
  },
  {
    path: '/downtime',
    name: 'downtime',
    needs: ['app.run'],
    group: 'main',
    load: () => import('./pages/downtime.js')
  },
  {path: '/requests', name: 'requests', group: 'main', load: () => import('./pages/requests.js')},
  {
    path: '/habits',
    name: 'habits',
    needs: ['app.run'],
    group: 'programs',
    load: () => import('./pages/habits.js')
  },
  {
    path: '/encouragement',
    name: 'encouragement',
    needs: ['app.run'],
    group: 'programs',
    load: () => import('./pages/encouragement.js')
  },
  {
    path: '/worklog',
    name: 'worklog',
    needs: ['app.run'],
    group: 'programs',
    load: () => import('./pages/worklog.js')
  },
  {path: '/apps', name: 'apps', group: 'system', load: () => import('./pages/apps.js')},
  {path: '/bus', name: 'bus', group: 'system', load: () => import('./pages/bus.js')},
  {path: '/welcome', name: 'welcome', group: null, load: () => import('./pages/welcome.js')},
];

/** The pages that this role has. */
export const routes = () => all.filter(route => route.needs?.every(may) ?? true);

export const routeOf = path => routes().find(route => route.path === path) ?? all[0];

/** The page that a link of `screentime open` names. */
export function wanted() {
  const {to} = asked();
  return routes().some(route => route.path === to) ? to : '/today';
}

/** Loads what draws an address, before it is known who is signed in. */
export const preload = path => (all.find(route => route.path === path) ?? all[0]).load();

/** Loads what draws all pages of this role. */
export const loadAll = () => Promise.allSettled(routes().map(route => route.load()));

let whenMoved = () => {};
export function onMove(body) { whenMoved = body; }

/** Goes to an address of the console. `replace`: the back button does not return to this one. */
export function go(address, {replace = false} = {}) {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  whenMoved();
}

/**
 * Changes what is in the address behind the `?`, without moving.
 * @param {object} [how]
 * @param {any} [how.beside] what belongs to it and is too long for an address; `remembered()` has it after Back
 *   and after a reload
 * @param {boolean} [how.isStep] the back button returns to what was before
 */
export function remember(values, {beside = null, isStep = false} = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value) query.set(name, value);
  const text = query.toString();
  const address = location.pathname + (text ? `?${text}` : '');
  if (isStep) history.pushState(beside, '', address);
  else history.replaceState(beside, '', address);
}

export const remembered = () => history.state;

export const asked = () => Object.fromEntries(new URLSearchParams(location.search));

export function start() {
  addEventListener('popstate', () => {
    // What is in one belongs to the page that is left.
    closeDialogs();
    whenMoved();
  });
  document.addEventListener('click', event => {
    const link = event.target.closest?.('a[href^="/"]');
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey
      || event.shiftKey || event.altKey || link.target || link.hasAttribute('download'))
      return;
    event.preventDefault();
    go(link.getAttribute('href'));
  });
}
