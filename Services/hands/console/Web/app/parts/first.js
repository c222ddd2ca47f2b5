// Says first what a change would cover at once.

import {list} from '../format.js';
import {nameOf} from '../names.js';
import {toast} from '../shell.js';
import {t} from '../words.js';

import {act} from './act.js';
import {confirm} from './dialog.js';

/**
 * @param {{kind: string, subject: string}[]} targets what would be covered; nothing: there is no question
 * @returns whether the change is wanted
 */
export async function sayFirst(targets) {
  if (targets.length === 0) return true;
  const name = list(targets.map(one => nameOf(one.kind, one.subject)));
  return sayFirstOf(t('now.title', {name}), t('now.text'));
}

/** The same of what an app covers, which has no list. */
export const sayFirstOf = async (title, text) =>
  await confirm({title, text, action: t('now.action')}) ?? false;

/**
 * Does something that may cover something, if that is wanted.
 * @param {() => Promise<boolean>} isWanted asks, where there is something to ask
 * @param {() => Promise<any>} body
 * @returns whether it was done
 */
export async function actIfWanted(isWanted, body, {done, ...options} = {}) {
  let isDone = false;
  await act(async () => {
    if (!await isWanted()) return;
    await body();
    isDone = true;
  }, options);
  if (isDone && done) toast(done);
  return isDone;
}
