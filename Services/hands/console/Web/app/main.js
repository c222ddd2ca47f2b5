// Starts the page: who is signed in, which language, then the page of the address.

import * as api from './api.js';
import * as clock from './clock.js';
import * as live from './live.js';
import * as names from './names.js';
import * as routes from './routes.js';
import * as words from './words.js';
import { setFirstDay } from './format.js';
import { applyTheme } from './theme.js';
import { drawSignIn } from './signin.js';
import * as shell from './shell.js';

const app = document.getElementById('app');

async function begin() {
  applyTheme();
  let session = null;
  let failure = null;
  // A ticket in the address is exchanged first: whoever has one has no session.
  const hasTicket = location.pathname === '/sign-in' && location.hash.length > 1;
  if (!hasTicket) try { session = await api.open(); } catch (error) { failure = error; }
  await words.load(words.preferred(session?.locale));
  if (!session) return drawSignIn(app, signedIn, failure);
  signedIn();
}

function signedIn() {
  const session = api.who();
  clock.set(session);
  setFirstDay(session.weekStart);
  names.load().catch(() => { /* Pages show ids until it answers; the shell says what does not. */ });
  api.onSignedOut(signedOut);
  shell.draw(app, { onLanguage: () => shell.redraw(), onSignOut: signOut });
  live.start();
  if (['/', '/sign-in'].includes(location.pathname)) routes.go('/today', { replace: true });
  else shell.show();
}

async function signOut() {
  try { await api.signOut(); } catch { /* The cookie is void here in any case. */ }
  signedOut();
}

function signedOut() {
  live.stop();
  shell.leave();
  drawSignIn(app, signedIn, null);
}

routes.start();
routes.onMove(() => shell.show());
begin();
