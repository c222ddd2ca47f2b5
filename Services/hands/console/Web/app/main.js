// Starts the page: who is signed in, which language, then the page of the address.

import * as api from './api.js';
import * as clock from './clock.js';
import * as live from './live.js';
import * as names from './names.js';
import * as routes from './routes.js';
import * as words from './words.js';
import {t} from './words.js';
import {applyTheme} from './theme.js';
import {drawSignIn} from './signin.js';
import * as shell from './shell.js';
import {kept} from './storage.js';

const app = document.getElementById('app');

async function begin() {
  applyTheme();
  let session = null;
  let failure = null;
  // A ticket in the address is exchanged first: whoever has one has no session.
  const loading = routes.preload(location.pathname);
  loading.catch(() => {/* The shell says what does not load. */});
  words.preload(words.preferred());
  const hasTicket = location.pathname === '/sign-in' && location.hash.length > 1;
  if (!hasTicket) try {
      session = await api.open();
    } catch (error) { failure = error; }
  await words.load(words.preferred(session?.locale));
  if (!session) return drawSignIn(app, signedIn, failure);
  signedIn();
}

/** Milliseconds for which nothing is shown, so that a page is drawn once. */
const PATIENCE = 1000;
let isIn = false;

async function signedIn() {
  const session = api.who();
  words.setRegion(session.region);
  live.start();
  clock.useSource(readClock);
  const address = location.pathname, isWithoutPage = ['/', '/sign-in'].includes(address);
  const first = isWithoutPage && firstPage();
  clock.set({});
  // Where the services do not answer soon, the browser's time is enough for the page that says so; pages
  // read the clock while it is not known.
  await Promise.race([clock.whenKnown().catch(() => {}), new Promise(resolve => setTimeout(resolve, PATIENCE))]);
  names.load().catch(() => {/* Pages show ids until it answers; the shell says what does not. */});
  api.onSignedOut(signedOut);
  isIn = true;
  // Before the pages read: services that hang may leave no connection for it later.
  routes.loadAll();
  shell.draw(app, {onLanguage: () => shell.redraw(), onSignOut: signOut});
  if (!isWithoutPage) return shell.show();
  const page = await first;
  // Whoever chose another one meanwhile stays there.
  if (isIn && location.pathname === address) routes.go(page, {replace: true});
}

/** The page that was asked for; else, for whoever has no limit yet and has not seen it, the introduction. */
async function firstPage() {
  if (routes.asked().to || kept('welcomed') || !api.may('app.run')) return routes.wanted();
  const limits = await api.run('limits', 'list').catch(() => null);
  return limits?.length === 0 ? '/welcome' : routes.wanted();
}

/** The trusted time, and the member's zone and day start. */
async function readClock({stays}) {
  const [time, members, activity] = await Promise.all([
    api.call('time.status', {}, {stays}),
    api.call('member.list', {}, {stays}),
    api.call('clock.status', {}, {service: 'activity-center', stays}),
  ]);
  const own = members.members.find(one => one.id === api.who().member);
  return {
    now: time.now_ms,
    virtualClock: activity.virtual,
    timeZone: own?.zone ?? time.zone,
    dayStartMinutes: own?.day_start_minutes ?? 0,
  };
}

async function signOut() {
  try {
    await api.signOut();
  } catch { /* The cookie is void here in any case. */
  }
  leave(null);
}

let waitsFor = null;
/** The session has ended. What somebody is writing stays, and can be saved after they signed in in another tab. */
function signedOut() {
  const dialog = document.querySelector('dialog[open]');
  if (!dialog) return leave(new api.Problem({status: 401, detail: t('signin.ended')}));
  if (waitsFor === dialog) return;
  waitsFor = dialog;
  dialog.addEventListener('close', async () => {
    waitsFor = null;
    if (await api.check()) live.start();
  }, {once: true});
}

function leave(reason) {
  isIn = false;
  live.stop();
  shell.leave();
  drawSignIn(app, signedIn, reason);
}

live.follow(['catalog.changed'], names.forget);
// Somebody may have another zone now.
live.follow(['member.changed'], async () => {
  const before = [clock.timeZone(), clock.dayStartMinutes()].join();
  await clock.refresh({stays: true}).catch(() => {/* The page says what does not answer. */});
  // Before anything is drawn, and after signing out, there is nothing to draw again.
  if (isIn && [clock.timeZone(), clock.dayStartMinutes()].join() !== before) shell.redraw();
});
routes.start();
routes.onMove(() => {
  api.leavePage();
  if (isIn) shell.show();
});
api.onStayed(() => isIn && live.readAgain());
begin();
