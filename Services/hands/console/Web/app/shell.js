// What is around every page: the menu, the state of the connection, messages.

import {call, may} from './api.js';
import {fill, h} from './h.js';
import {follow, gather, liveState, onLiveState} from './live.js';
import {routeOf, routes} from './routes.js';
import {t} from './words.js';
import {openSettings as settings} from './settings.js';
import {openDialog, openedDialog} from './parts/dialog.js';
import {glyphOf} from './parts/glyphs.js';
import {PAUSE} from './parts/pause.js';
import {holdPresses, keepPlaces} from './parts/settle.js';

let app = null;
let given = null;
let main = null;
let current = {route: null, leave: null};
let pendingRequests = 0;
let stopFollowing = null;
let token = 0;

/** Draws the frame. `show` puts the page of the address into it. */
export function draw(element, options) {
  app = element;
  given = options;
  app.replaceChildren();
  holdPresses();
  onLiveState(drawFrame);
  drawFrame();
  stopFollowing?.();
  const count = gather(countRequests, 50);
  stopFollowing = follow(['request.created', 'request.decided', 'authorization.changed'], count);
  countRequests();
}

export function redraw() {
  drawFrame();
  const route = current.route;
  leavePage();
  if (route) show();
}

export function leave() {
  leavePage();
  stopFollowing?.();
  onLiveState(() => {});
  app?.replaceChildren();
}

function leavePage() {
  current.leave?.();
  current = {route: null, leave: null};
}

async function countRequests() {
  const mine = counting += 1;
  try {
    // One after the other: while they are not answered, they keep one connection.
    const requests = may('request.list') ? await call('request.list', {state: 'pending', limit: 500}, {stays: true})
                                         : {requests: []};
    const apps = may('authorization.list') ? await call('authorization.list', {}, {stays: true}) : {authorizations: []};
    if (mine !== counting) return;
    pendingRequests = requests.requests.length;
    pendingQuestions = apps.authorizations.filter(one => one.pending).length;
    drawFrame();
  } catch { /* The page itself says what does not answer. */
  }
}
let pendingQuestions = 0;
let counting = 0;

function link(route) {
  const isHere = routeOf(location.pathname) === route;
  const n = route.name === 'requests' ? pendingRequests : route.name === 'apps' ? pendingQuestions : 0;
  return h('li', {'data-key': route.name},
    h('a', {href: route.path, 'aria-current': isHere ? 'page' : null}, glyphOf(route.name),
      h('span', {class: 'label'}, t(`nav.${route.name}`)),
      n > 0
        && h('span', {class: 'badge'}, h('span', {'aria-hidden': 'true'}, n),
          h('span', {class: 'hidden'}, t('nav.waiting', {n})))));
}

function drawFrame() {
  const group = name => h('ul', {'data-key': name}, routes().filter(route => route.group === name).map(link));
  main ??= h('main', {id: 'main', tabindex: '-1'});
  const bar = ['today', 'reports', 'limits', 'requests']
                .map(name => routes().find(route => route.name === name))
                .filter(Boolean);
  const rest = !bar.includes(routeOf(location.pathname));
  const isOld = liveState() === 'stale';
  fill(app, h('a', {class: 'skip', href: '#main', 'data-key': 'skip', onclick: skip}, t('nav.skip')),
    h('header', {class: 'side', 'data-key': 'side'},
      h('a', {class: 'brand', href: '/today'},
        h('img', {src: '/icons/screentime.svg', alt: '', width: 28, height: 28}),
        h('span', {}, t('app.name'))),
      h('nav', {'aria-label': t('nav.label')}, group('main'), group('programs'), group('system')),
      h('div', {class: 'side-end'},
        h('button', {type: 'button', class: 'plain', onclick: openSettings}, glyphOf('settings'),
          h('span', {}, t('settings.title'))))),
    h('div', {class: 'content', 'data-key': 'content'},
      h('div', {role: 'status', class: 'stale', 'data-key': 'stale'},
        isOld ? h('p', {}, t('live.stale')) : null),
      h('main', {id: 'main', tabindex: '-1', '.drawsItself': true})),
    h('nav', {class: 'tabs', 'aria-label': t('nav.short'), 'data-key': 'tabs'},
      h('ul', {}, bar.map(link),
        h('li', {'data-key': 'more'},
          h('button', {
            type: 'button',
            onclick: openMore,
            'aria-haspopup': 'dialog',
            'data-here': rest,
          },
            glyphOf('more'), h('span', {class: 'label'}, t('nav.more')))))),
    h('div', {role: 'status', class: 'toasts', id: 'toasts', 'data-key': 'toasts', '.drawsItself': true}));
  main = document.getElementById('main');
}

function skip(event) {
  event.preventDefault();
  main.focus();
  main.scrollIntoView();
}

/** Shows the page of the address. */
export async function show() {
  const route = routeOf(location.pathname);
  leavePage();
  const mine = token += 1;
  current.route = route;
  drawFrame();
  document.title = `${t(`nav.${route.name}`)} · ${t('app.name')}`;
  let page;
  try {
    page = await route.load();
  } catch {
    if (mine === token) fill(main, notLoaded());
    return;
  }
  if (mine !== token) return;
  const root = h('div', {class: `page page-${route.name}`});
  main.replaceChildren(root);
  scrollTo(0, 0);
  keepPlaces();
  if (document.activeElement !== document.body && !main.contains(document.activeElement)) {
    main.focus({preventScroll: true});
  }
  current.leave = page.default(root) ?? null;
}

/** A page whose modules did not come: only loading everything again can help. */
function notLoaded() {
  const stop = follow([], () => location.reload());
  current.leave = stop;
  return [
    h('h1', {}, t(`nav.${current.route.name}`)),
    h('div', {class: 'notice problem', role: 'alert'},
      h('p', {}, h('strong', {}, t('error.title')), ' ', t('error.offline')),
      h('p', {}, h('button', {type: 'button', onclick: () => location.reload()}, t('action.retry')))),
  ];
}

/** Says something for some seconds, also to a screen reader; a press on it takes it away. */
export function toast(text) {
  const since = performance.now();
  // Not a press that was meant for what it has just covered.
  const note = h('p', {class: 'toast', onclick: () => performance.now() - since >= PAUSE && note.remove()}, text);
  // What is behind a dialog is neither seen nor read out.
  (openedDialog()?.querySelector('.toasts') ?? document.getElementById('toasts'))?.replaceChildren(note);
  setTimeout(() => note.remove(), 6000);
}

function openMore() {
  openDialog({
    title: t('nav.more'),
    class: 'sheet',
    body: close => [h('nav', {
      'aria-label': t('nav.label'),
      onclick: event => {
        if (event.target.closest('a')) close();
      }
    },
                      ['main', 'programs', 'system'].map(
                        name => h(
                          'ul', {class: 'more'}, routes().filter(route => route.group === name).map(link)))),
      h('button', {
        type: 'button',
        class: 'plain',
        onclick: () => {
          close();
          openSettings();
        }
      },
        glyphOf('settings'), t('settings.title')),
  ],
  });
}

const openSettings = () => settings(given);
