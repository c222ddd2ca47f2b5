// The form of a limit: how long on which days, a warning, one's own words, and what that would do now and
// this week.

import * as clock from '../clock.js';
import {readUsed, wouldCover} from '../data/cover.js';
import {readLimits, readTarget, removeLimit, setLimit} from '../data/limits.js';
import {dates, daysText, duration} from '../format.js';
import {h} from '../h.js';
import {nameOf} from '../names.js';
import {act} from '../parts/act.js';
import {openWhenKnown} from '../parts/dialog.js';
import {amountField, daysField, field, formEnd, once, setter} from '../parts/fields.js';
import {unlessLeft} from '../parts/first.js';
import {glyphOf} from '../parts/glyphs.js';
import {toast} from '../shell.js';
import {t} from '../words.js';

const ALL = [0, 1, 2, 3, 4, 5, 6];

/** Minutes before the end at which a warning can come; 0: none. */
const warnings = [0, 1, 5, 10, 15, 30];

/**
 * @param {object} target of `readLimits`, perhaps without limits
 * @returns whether it was changed
 */
export function editLimit(target) {
  const name = nameOf(target.kind, target.subject);
  const [first] = target.limits;
  // What is not touched stays to the second, and of each rule as it was. `warn` and `say` are of all rules, once
  // they are changed.
  const state = {
    rules: target.limits.length ? target.limits.map(one => ({...one, days: [...one.days]}))
                                : [{days: ALL, seconds: 3600}],
    warn: first ? (first.warnSeconds ?? 0) / 60 : 5,
    say: first?.say ?? '',
    isWarnChanged: !first,
    isSayChanged: !first,
    now: null,
  };
  let draw = () => {};
  const known = readNow(target).then(now => {
    state.now = now;
    draw();
  }, () => {/* It is read again when it is saved. */});
  return openWhenKnown(known, {
    title: t('limit.title', {name}),
    body: (close, update) => {
      draw = update;
      const actsNow = coversNow(state);
      const write = async button => {
        let isSaved = false;
        const form = button.closest('dialog');
        // What is written while it is looked at what it would do is not in it. `actsNow` is what was said then.
        const pressed = structuredClone(state);
        await act(async () => {
          // More may have been used since the form was opened. What cannot be foretold is not saved.
          const read = await unlessLeft(() => form.open, Promise.all([readNow(target), readTarget(target)]));
          if (!read) return;
          const [now, present] = read;
          state.now = now;
          const isSaid = actsNow || !coversNow({...pressed, now});
          // Cancelled meanwhile, or to be read first.
          if (!form.open || !isSaid) return;
          await save(target, pressed, present);
          isSaved = true;
        }, {button});
        if (isSaved) toast(t('limit.saved', {name}));
        else if (form.open) update();
        return isSaved;
      };
      return [
        state.rules.map((rule, i) => rules(state, rule, i, update)),
        h('p', {},
          h('button', {
            type: 'button',
            class: 'plain small',
            onclick: () => {
              addRule(state);
              update();
            }
          },
            glyphOf('plus'), t('limit.otherDays'))),
        warning(state, update),
        preview(state, name),
        state.rules.some(rule => rule.days.length === 0)
          && h('p', {class: 'quiet', role: 'status', id: 'no-days'}, t('limit.noDays')),
        actsNow
          && h('div', {class: 'notice warn', role: 'status', id: 'acts-now'},
            h('p', {}, h('strong', {}, t('limit.actsNow', {name})), ' ',
              t('limit.actsNowWhy', {used: duration(state.now.used * 1000)}))),
        formEnd({
          id: 'limit-save',
          label: t(actsNow ? 'limit.saveNow' : 'limit.save'),
          save: write,
          close,
          disabled: state.rules.some(rule => rule.seconds < 1 || rule.days.length === 0)
        }),
      ];
    }
  });
}

/** Whether saving would cover something at once that is open now. */
function coversNow({rules: all, now}) {
  const today = all.find(rule => rule.days.includes(clock.weekdayOf(clock.today())));
  return Boolean(now?.isOpen && today && today.seconds > 0 && now.used >= today.seconds);
}

/** What a limit of the target counts now, and whether it would cover something once that is used up. */
async function readNow(target) {
  const [used, isOpen] = await Promise.all([
    readLimits().then(all => readUsed(target, all)), wouldCover(target)]);
  return {used, isOpen};
}

/** Another amount for the days that have none, else for the weekend. */
function addRule(state) {
  const free = ALL.filter(day => !state.rules.some(rule => rule.days.includes(day)));
  const days = free.length ? free : [0, 6];
  for (const rule of state.rules) rule.days = rule.days.filter(day => !days.includes(day));
  state.rules.push({...state.rules.at(-1), days});
}

function warning(state, update) {
  const all = warnings.includes(state.warn) ? warnings : [...warnings, state.warn];
  const text = minutes =>
    minutes ? t('limit.warnBefore', {time: duration(minutes * 60_000)}) : t('limit.noWarn');
  return [
    field(t('limit.warn'),
      h('select',
        {id: 'limit-warn', onchange: event => {
          state.isWarnChanged = true;
          setter(state, 'warn', update)(Number(event.target.value));
        }},
        all.map(minutes => h('option', {value: minutes, selected: minutes === state.warn}, text(minutes)))),
      state.rules.some(rule => rule.days.length && state.warn * 60 >= rule.seconds) && state.warn > 0
        ? t('limit.warnNever') : !state.isWarnChanged && byDay(state.rules, rule =>
          text((rule.warnSeconds ?? 0) / 60))),
    field(t('limit.say'), h('input', {
      type: 'text',
      id: 'limit-say',
      maxlength: 500,
      '.value': state.say,
      placeholder: t('limit.sayExample'),
      oninput: event => {
        state.say = event.target.value;
        state.isSayChanged = true;
      },
    }),
      [t('limit.sayHint'), !state.isSayChanged && byDay(state.rules, rule => rule.say ? `“${rule.say}”` : '–')]
        .filter(Boolean).join(' ')),
  ];
}

/** What differs by day, and stays so unless it is changed for all; null: it does not differ. */
function byDay(rules, textOf) {
  const all = rules.filter(rule => rule.days.length);
  if (new Set(all.map(textOf)).size < 2) return null;
  return t('limit.byDay', {list: all.map(rule => `${daysText(rule.days)}: ${textOf(rule)}`).join('; ')});
}

function rules(state, rule, i, update) {
  return h('div', {class: 'field', 'data-key': `rule-${i}`}, amountField(t('limit.amount'), {
    id: `amount-${i}`,
    // As the list has it.
    minutes: Math.floor(rule.seconds / 60),
    change: minutes => {
      rule.seconds = minutes * 60;
      update();
    }
  }),
    daysField(t('limit.days'), {
      id: `days-${i}`,
      days: rule.days,
      change: days => {
        // A day has one limit: the one that was chosen last.
        for (const other of state.rules)
          if (other !== rule) other.days = other.days.filter(day => !days.includes(day));
        rule.days = days;
        update();
      },
    }),
    state.rules.length > 1
      && h('p', {},
        h('button', {
          type: 'button',
          class: 'plain small',
          onclick: once(() => {
            state.rules.splice(i, 1);
            update();
          })
        },
          t('action.remove'))));
}

function preview(state, name) {
  const today = clock.today();
  const week = Array.from({length: 7}, (_, i) => clock.plusDays(today, i));
  return h('details', {}, h('summary', {}, t('limit.preview')), h('ul', {}, week.map(date => {
    const rule = state.rules.find(one => one.days.includes(clock.weekdayOf(date)));
    return h('li', {}, `${dates.day(date)}: `,
      rule ? t('limit.previewDay', {name, time: duration(rule.seconds * 1000)}) : t('limit.previewFree'));
  })));
}

/**
 * @param {object} target as it was when the form was opened
 * @param {object} present as it is now
 */
async function save(target, state, present) {
  const parts = new Map();
  for (const rule of state.rules) {
    for (const day of rule.days) {
      const next = merged(limitOn(target, day), limitOn(present, day), state, rule);
      const key = JSON.stringify(next);
      if (key === JSON.stringify(limitOn(present, day))) continue;
      parts.set(key, {...next, days: [...parts.get(key)?.days ?? [], day]});
    }
  }
  for (const part of parts.values()) await setLimit(target, part);
  const gone = ALL.filter(day => limitOn(target, day) && limitOn(present, day)
    && !state.rules.some(rule => rule.days.includes(day)));
  if (gone.length) await removeLimit(target, gone);
}

/** The limit of a day, without what it has not; null: it has none. */
function limitOn({limits}, day) {
  const one = limits.find(({days}) => days.includes(day));
  return one ? {seconds: one.seconds, warnSeconds: one.warnSeconds ?? 0, say: one.say ?? ''} : null;
}

/** What was not changed in the form may have been changed elsewhere since, which stays; or removed, which does not. */
function merged(was, is, state, rule) {
  const wanted = {
    seconds: rule.seconds,
    warnSeconds: state.isWarnChanged ? state.warn * 60 : rule.warnSeconds ?? 0,
    say: state.isSayChanged ? state.say.trim() : rule.say ?? '',
  };
  if (was && is) for (const name of Object.keys(wanted)) if (wanted[name] === was[name]) wanted[name] = is[name];
  // A warning before any use would never come.
  if (wanted.warnSeconds >= wanted.seconds) wanted.warnSeconds = 0;
  return wanted;
}
