// Does something that changes a service, says what came of it, and keeps a second press from doing it twice.

import {whole} from '../api.js';
import {setBusy} from '../h.js';
import {toast} from '../shell.js';

import {currentLanguage, t} from '../words.js';

import {openedDialog, sayIn} from './dialog.js';
import {problemText} from './screen.js';

const sentence = text => /[.!?…]$/.test(text) ? text : `${text}.`;

/**
 * @param {() => Promise<any>} body
 * @param {{done?: string, button?: HTMLButtonElement, dialog?: HTMLDialogElement}} options `done` is said when it
 *   worked; `dialog`: where what goes wrong is said while it is open, by default that of the button, or the one on top
 * @returns whether it worked
 */
export async function act(body, {done, button, dialog = button?.closest('dialog') ?? openedDialog()} = {}) {
  if (button) {
    if (button.getAttribute('aria-busy') === 'true') return false;
    setBusy(button, true);
  }
  // Above a dialog a message would be covered by it.
  sayIn(dialog, '');
  try {
    await whole(body);
    if (done) toast(done);
    return true;
  } catch (error) {
    if (!error.title) console.error(error);
    const {what, remedy} = problemText(error);
    // The services explain in English; that it failed is said in the page's language first.
    const isForeign = error.detail && what === error.detail && currentLanguage() !== 'en';
    const title = error.status && isForeign ? t('error.title') : '';
    const text = [title, what, remedy].filter(Boolean).map(sentence).join(' ');
    // Whoever has left the dialog has to know, too.
    if (dialog?.open) sayIn(dialog, text);
    else toast(text);
    return false;
  } finally {
    if (button) setBusy(button, false);
  }
}
