// Settings: of this browser (appearance, language), and of the person (when their day begins, how long they
// wait before they allow themselves more time, on which day the weekly report comes).

import {call, may, who} from './api.js';
import * as clock from './clock.js';
import {duration} from './format.js';
import {h} from './h.js';
import {act} from './parts/act.js';
import {dayStartField, hasOldDay} from './parts/day-start.js';
import {openWhenKnown} from './parts/dialog.js';
import {field, leavingButton, switchField} from './parts/fields.js';
import {problemBox} from './parts/screen.js';
import {readWeekly, weeklyFields} from './parts/weekly.js';
import {keep} from './storage.js';
import {applyTheme, theme, themes} from './theme.js';
import {currentLanguage, languages, load, t} from './words.js';

const choice = (legend, name, all, chosen, body) => h('fieldset', {class: 'choice'}, h('legend', {}, legend),
  all.map(
    ([value, text]) => h('label', {},
      h('input', {type: 'radio', name, value, '.checked': value === chosen, onchange: () => body(value)}),
      h('span', {lang: name === 'language' ? value : null}, text))));

/** @param {{onLanguage: () => void, onSignOut: () => void}} given */
export function openSettings(given) {
  let member = null;
  let weekly = null;
  let problem = null;
  let draw = () => {};
  const read = (method, body, take) => may(method) && body().then(take, error => {
    // The settings of the browser remain.
    problem = error;
  }).finally(() => draw());
  const known = Promise.all([
    read('member.set', readMember, found => {
      member = found;
    }),
    read('notification.post', readWeekly, found => {
      weekly = found;
    }),
  ]);
  return openWhenKnown(known, {
    title: () => t('settings.title'),
    body: (close, update) => {
      draw = update;
      const language = async value => {
        await act(async () => {
          if (!await load(value)) return;
          keep('language', value);
          given.onLanguage();
        });
        // What is chosen and not saved stays; a language that did not come is not chosen.
        update();
      };
      return [
        choice(t('settings.theme'), 'theme', themes.map(name => [name, t(`theme.${name}`)]), theme(),
          value => {
            applyTheme(value);
            update();
          }),
        choice(t('settings.language'), 'language', Object.entries(languages), currentLanguage(), language),
        member?.id
          && memberFields(member,
            values => {
              const changed = typeof values === 'function' ? values(member) : values;
              // A whole member replaces the other: what it does not have is as usual.
              const {hasOldDay, typed, delay} = member;
              member = changed.id ? {hasOldDay, typed, delay, ...changed} : {...member, ...changed};
              update();
            }),
        weekly
          && weeklyFields(() => weekly,
            changed => {
              weekly = changed;
              update();
            }),
        problem && problemBox(problem),
        h('p', {class: 'actions', 'data-key': 'settings-end'},
          h('a', {class: 'button plain', href: '/welcome', onclick: () => close()}, t('settings.welcome')),
          h('button', {
            type: 'button',
            class: 'plain',
            onclick: () => {
              close();
              given.onSignOut();
            }
          },
            t('settings.signout'))),
      ];
    }
  });
}

async function readMember() {
  const [{members}, isOld] = await Promise.all([
    call('member.list'),
    // What cannot be told here is told when it is saved.
    hasOldDay().catch(() => false),
  ]);
  const own = members.find(one => one.id === who().member);
  return own && {...own, hasOldDay: isOld};
}

/** Minutes that one can choose to wait. */
const delays = [0, 1, 5, 10, 15, 30, 60, 120];

/**
 * A longer wait acts at once and a shorter one later: what arrow keys pass on their way is not saved.
 * @param {object} member with `delay`, what is chosen and not saved
 * @param {(values: object, options: object) => Promise<void>} set saves it
 * @param {(values: object | ((member: object) => object)) => void} changed what it has from now on
 */
function delayField(member, set, changed) {
  const saved = member.self_approval_minutes ?? 5;
  const chosen = member.delay ?? saved;
  const all = [...new Set([...delays, saved])].sort((a, b) => a - b);
  const text = minutes => minutes ? duration(minutes * clock.MINUTE) : t('settings.noDelay');
  const save = event => {
    const button = event.currentTarget;
    // What was chosen meanwhile is not saved yet.
    const taken = saved => leavingButton(button, 'delay', () => changed(
      present => ({...saved, delay: present.delay === member.delay ? undefined : present.delay})));
    set({self_approval_minutes: chosen}, {button, taken});
  };
  // A shorter wait that is to come is called off by the present one.
  const isToSave = chosen !== saved || member.delay !== undefined && member.next_self_approval_minutes !== undefined;
  return [
    field(t('settings.delay'),
      h('select',
        {id: 'delay', '.value': chosen, onchange: event => changed({delay: Number(event.target.value)})},
        all.map(minutes => h('option', {value: minutes, selected: minutes === chosen}, text(minutes)))),
      t(member.next_self_approval_minutes === undefined ? 'settings.delayText' : 'settings.delayNext',
        {time: text(member.next_self_approval_minutes ?? 0)})),
    isToSave && h('p', {'data-key': 'delay-save'},
      h('button', {type: 'button', class: 'small primary', id: 'delay-save', onclick: save}, t('action.save'))),
  ];
}

function memberFields(member, changed) {
  const set = async (values, {button, taken = changed} = {}) => {
    const isDone = await act(async () => {
      const answer = await call('member.set', {name: member.id, ...values});
      taken(answer.member);
      await clock.refresh();
    }, {done: t('settings.saved'), button});
    // What was switched is not so.
    if (!isDone) changed({});
  };
  return [
    dayStartField(member, changed),
    delayField(member, set, changed),
    switchField(t('settings.oneMinute'), member.one_more_minute ?? true,
      isOn => set({one_more_minute: isOn}), t('settings.oneMinuteText')),
  ];
}
