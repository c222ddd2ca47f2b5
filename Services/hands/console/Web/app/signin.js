// The page of whoever is not signed in; it takes the ticket of `screentime open` from the fragment.

import {open, Problem, signIn} from './api.js';
import {fill, h} from './h.js';
import {t} from './words.js';

export async function drawSignIn(app, whenDone, failure) {
  const ticket = location.pathname === '/sign-in' ? location.hash.slice(1) : '';
  // Out of the address bar and the history before anything else.
  if (ticket) history.replaceState(null, '', location.pathname + location.search);
  document.title = `${t('signin.title')} · ${t('app.name')}`;
  let problem = failure;
  if (ticket) {
    fill(app,
      h('main', {class: 'signin', id: 'main'}, h('p', {class: 'quiet', role: 'status'}, t('signin.busy'))));
    try {
      if (await signIn(ticket)) return whenDone();
      problem = new Problem({detail: t('signin.noCookie')});
    } catch (error) {
      // Who is signed in already needs no other ticket.
      if (await open().catch(() => null)) return whenDone();
      problem = error;
    }
  }
  const says = problem && (ticket && problem.status === 401 ? t('signin.used') : problem.detail || t('error.offline'));
  fill(app,
    h('main', {class: 'signin', id: 'main'},
      h('img', {src: '/icons/screentime.svg', alt: '', width: 56, height: 56}),
      h('h1', {}, t('signin.title')), says && h('p', {class: 'problem', role: 'alert'}, says),
      h('p', {}, t('signin.how')), h('p', {}, h('code', {class: 'command'}, 'screentime open')),
      h('p', {class: 'quiet'}, t('signin.why'))));
  returnWhenSignedIn(app, whenDone);
}

/** Whoever signed in in another tab comes back to this one, and to what it showed; so does who brings a new ticket. */
function returnWhenSignedIn(app, whenDone) {
  let isOver = false;
  // Another fragment alone loads nothing.
  const take = () => location.pathname === '/sign-in' && location.hash.length > 1 && location.reload();
  const look = async () => {
    if (document.hidden) return;
    // A console that does not answer has signed nobody in.
    const session = app.querySelector('.signin') && await open().catch(() => null);
    // A tab that one comes back to is told twice: it is visible, and has the focus.
    if (isOver || !session && app.querySelector('.signin')) return;
    isOver = true;
    document.removeEventListener('visibilitychange', look);
    removeEventListener('focus', look);
    removeEventListener('hashchange', take);
    if (session) whenDone();
  };
  document.addEventListener('visibilitychange', look);
  addEventListener('focus', look);
  addEventListener('hashchange', take);
}
