// What is said when nothing is measured, or limits do not act: never a silent zero.

import {call, may} from '../api.js';
import {at} from '../format.js';
import {h} from '../h.js';
import {act} from './act.js';
import {parts, t} from '../words.js';

/**
 * @param {{key: string, why?: string}|null} problem of `readHealth`
 * @param {{newest?: number, again?: () => void}} more when something was recorded last, and how to ask again
 */
export function notMeasuring(problem, {newest = 0, again} = {}) {
  if (!problem) return null;
  return h('div', {class: 'notice warn', id: 'not-measuring', role: 'status'},
    h('p', {}, h('strong', {}, t('measuring.not')), ' ',
      problem.key === 'agent' ? t('measuring.agent') : t(`measuring.${problem.key}`, {why: problem.why})),
    newest > 0 && h('p', {class: 'quiet'}, parts('measuring.last', {time: at(newest)})),
    h('p', {class: 'inline'}, h('span', {class: 'quiet'}, t('measuring.remedy')),
      h('code', {class: 'command'}, 'screentime doctor')),
    again && h('p', {}, h('button', {type: 'button', class: 'small', onclick: again}, t('action.retry'))));
}

/** @param {{why: string}|null} problem */
export function notEnforcing(problem, again) {
  if (!problem) return null;
  const check = async event => {
    if (await act(() => call('enforcement.check'), {button: event.currentTarget})) again();
  };
  return h('div', {class: 'notice warn', id: 'not-enforcing', role: 'status'},
    h('p', {}, h('strong', {}, t('measuring.notEnforcing')), ' ', t('measuring.because', {why: problem.why})),
    may('enforcement.check')
      && h('p', {}, h('button', {type: 'button', class: 'small', onclick: check}, t('measuring.check'))));
}
