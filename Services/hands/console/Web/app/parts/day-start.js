// When the person's day begins, and with it the day of their limits.

import {call, may} from '../api.js';
import * as clock from '../clock.js';
import {coveredByDayStart} from '../data/cover.js';
import {parseTime, readLimits, renewDays, timeText} from '../data/limits.js';
import {h} from '../h.js';
import {t} from '../words.js';

import {field, leavingButton} from './fields.js';
import {actIfWanted, sayFirst} from './first.js';

/** Whether the day of a limit begins at another time than the person's. */
export const hasOldDay = async () =>
  may('app.run') && (await readLimits()).some(one => one.dayStart !== undefined);

/** Sets it, after it was asked about what that covers. */
const setDayStart = (member, minutes, changed, button) => actIfWanted(
  async () => !may('app.run') || sayFirst(await coveredByDayStart(minutes)),
  async () => {
    const answer = await call('member.set', {name: member.id, day_start_minutes: minutes});
    // Until the limits have it, it can be saved again.
    changed({...answer.member, hasOldDay: may('app.run')});
    await clock.refresh();
    if (may('app.run')) await renewDays();
    changed({hasOldDay: false});
  },
  {button, done: t('settings.saved')});

/**
 * @param {object} member of `member.list`, with `typed`, what the field has instead, and `hasOldDay`
 * @param {(values: object) => void} changed what it has from now on
 */
export function dayStartField(member, changed) {
  const now = timeText(member.day_start_minutes);
  const typed = member.typed ?? now;
  const save = event => {
    const button = event.currentTarget;
    return setDayStart(
      member, parseTime(typed), values => leavingButton(button, 'day-start', () => changed(values)), button);
  };
  return [
    field(t('settings.dayStart'), h('input', {
      type: 'time',
      id: 'day-start',
      '.value': typed,
      // Some browsers say so of each part that is typed: it is saved when it is whole.
      onchange: event => changed({typed: event.target.value})
    }),
      [t('settings.dayStartText'), member.hasOldDay && t('settings.dayStartOld')].filter(Boolean).join(' ')),
    typed && (typed !== now || member.hasOldDay)
      && h('p', {'data-key': 'day-start-save'}, h('button', {type: 'button', class: 'small primary', id: 'day-start-save', onclick: save}, t('action.save'))),
  ];
}
