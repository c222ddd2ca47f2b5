// Says first what a change would cover at once.

import {list} from '../format.js';
import {nameOf} from '../names.js';
import {toast} from '../shell.js';
import {t} from '../words.js';

import {act} from './act.js';
import {confirm} from './dialog.js';

/** How many names a question has. */
const NAMED = 4;

/**
 * @param {{kind: string, subject: string}[]} targets what would be covered; nothing: there is no question
 * @returns whether the change is wanted
 */
export async function sayFirst(targets) {
  if (targets.length === 0) return true;
  const names = targets.map(one => nameOf(one.kind, one.subject));
  const name = names.length > NAMED
    ? t('now.more', {first: names.slice(0, NAMED - 1).join(', '), n: names.length - NAMED + 1}) : list(names);
  return sayFirstOf(t('now.title', {name}), t('now.text'));
}

/** The same of what an app covers, which has no list. */
export const sayFirstOf = async (title, text) =>
  await confirm({title, text, action: t('now.action')}) ?? false;

/** What only prepares: once its form was left, that it failed concerns nobody. */
export const unlessLeft = (isThere, prepared) => prepared.catch(error => {
  if (isThere()) throw error;
});

/**
 * Does something that may cover something, if that is wanted.
 * @param {(isThere: () => boolean) => Promise<boolean>} isWanted prepares, and asks, where there is something to ask;
 *   `isThere`: whether the form that it was pressed in was not dismissed meanwhile. Else nothing is done.
 * @param {(isThere: () => boolean) => Promise<any>} body false: it was not done
 * @returns whether it was done
 */
export async function actIfWanted(isWanted, body, {done, ...options} = {}) {
  let isDone = false;
  const form = options.button?.closest('dialog');
  const isThere = () => !form || form.open;
  await act(async () => {
    if (!await unlessLeft(isThere, isWanted(isThere)) || !isThere()) return;
    isDone = await body(isThere) !== false;
  }, options);
  if (isDone && done) toast(done);
  return isDone;
}
