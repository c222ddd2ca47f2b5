// Says first what a change would cover at once.

import {list} from '../format.js';
import {nameOf} from '../names.js';
import {t} from '../words.js';

import {confirm} from './dialog.js';

/**
 * @param {{kind: string, subject: string}[]} targets what would be covered; nothing: there is no question
 * @returns whether the change is wanted
 */
export async function sayFirst(targets) {
  if (targets.length === 0) return true;
  const name = list(targets.map(one => nameOf(one.kind, one.subject)));
  return await confirm({title: t('now.title', {name}), text: t('now.text'), action: t('now.action')}) ?? false;
}

/** The same of what an app covers, which has no list. */
export const sayFirstOf = async (title, text) =>
  await confirm({title, text, action: t('now.action')}) ?? false;
