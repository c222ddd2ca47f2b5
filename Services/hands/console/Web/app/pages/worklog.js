// Worklog: games and social media stay shielded until the work is done, or in the evening.

import {call, run} from '../api.js';
import {mayCover} from '../data/cover.js';
import {duration, minuteTime} from '../format.js';
import {h} from '../h.js';
import {load as loadNames} from '../names.js';
import {act} from '../parts/act.js';
import {confirm, openDialog} from '../parts/dialog.js';
import {actIfWanted, sayFirstOf} from '../parts/first.js';
import {amountField, switchField, formEnd, setter} from '../parts/fields.js';
import {askPermission, changedElsewhere, readNow, readSelections, selectionField, selectionName} from '../parts/program.js';
import {empty, screen} from '../parts/screen.js';
import {t} from '../words.js';

const CLIENT = 'org.screentime.worklog';
const stores = ['gaming', 'social'];

export default root => screen(root, {
  load: async () => {
    const [status, all, selections, acts] = await Promise.all([
      run('worklog', 'status'),
      call('settings.list'),
      readSelections(CLIENT),
      mayCover(CLIENT),
      loadNames(),
    ]);
    return {status, stores: all.stores.filter(one => one.client === CLIENT), selections, acts};
  },
  draw,
  events: ['settings.changed', 'callback.', 'authorization.changed', 'selection.changed'],
});

function draw({status, stores: written, selections, acts}, again) {
  const isSet = status.gamingShut || status.socialShut || status.evenings || status.goalMinutes
    || written.some(store => store.settings.length > 0);
  const set = () => setup(again);
  return [
    h('header', {class: 'page-head'},
      h('div', {}, h('h1', {}, t('nav.worklog')), h('p', {class: 'quiet'}, t('worklog.lead')))),
    !status.authorized ? askPermission('worklog', again)
      : !isSet         ? empty(t('worklog.empty'), t('worklog.emptyText'),
                  h('button', {type: 'button', class: 'primary', onclick: set}, t('worklog.setup')))
                       : [doors(status, selections, acts, set, again), goal(status, selections, again)],
  ];
}

function doors(status, selections, acts, set, again) {
  const stop = async event => {
    const button = event.currentTarget;
    if (await confirm({
          title: t('worklog.stopTitle'),
          text: t('worklog.stopText'),
          action: t('worklog.stop'),
          danger: true
        })
      && await act(() => run('worklog', 'stop'), {button}))
      again();
  };
  return h('section', {'aria-labelledby': 'stores'}, h('h2', {id: 'stores'}, t('worklog.stores')),
    h('ul', {class: 'rows bare'}, stores.map(name => {
      const isShut = acts && status[`${name}Shut`];
      return h('li', {'data-key': name},
        h('div', {class: 'what'}, h('span', {class: 'name'}, t(`worklog.${name}`)),
          h('span', {class: 'quiet'}, t(`worklog.${name}Text`))),
        h('span', {class: isShut ? 'tag on' : 'tag'}, t(isShut ? 'worklog.shut' : 'worklog.open')));
    })),
    !acts && h('p', {class: 'quiet spaced'}, t('program.restrictionsOff')),
    status.selectionsAreCurrent === false && h('p', {}, changedElsewhere(selections, used(status))),
    h('p', {class: 'spaced'},
      switchField(t('worklog.evenings'), status.evenings,
        async (isOn, input) => {
          const isWanted = async () => isOn || !await isOpenInEvening()
            || sayFirstOf(t('now.title', {name: t('worklog.social')}), t('now.text'));
          if (!await actIfWanted(
                isWanted, () => run('worklog', 'evenings', isOn ? 'on' : 'off'), {button: input}))
            input.checked = !isOn;
          again();
        },
        t('worklog.eveningsText', {from: minuteTime(17 * 60), to: minuteTime(20 * 60)}))),
    h('p', {class: 'actions'},
      h('button', {type: 'button', class: 'small', onclick: set}, t('action.change')),
      h('button', {type: 'button', class: 'small', onclick: stop}, t('worklog.stop'))));
}

/** Whether the evening holds social media open at this moment. */
async function isOpenInEvening() {
  const {socialShut, goalReached} = await run('worklog', 'status');
  return !socialShut && !goalReached && await mayCover(CLIENT);
}

function goal(status, selections, again) {
  const none = async event => {
    const button = event.currentTarget;
    const isWanted = async () => {
      const {goalReached} = await run('worklog', 'status');
      return !goalReached || !await mayCover(CLIENT)
        || sayFirstOf(t('worklog.goalRemove'), t('worklog.goalRemoveNow'));
    };
    if (await actIfWanted(isWanted, () => run('worklog', 'until', 'none'), {button})) again();
  };
  return h('section', {'aria-labelledby': 'goal'}, h('h2', {id: 'goal'}, t('worklog.goal')),
    h('p', {class: 'quiet'},
      status.goalMinutes ? t(status.goalReached ? 'worklog.goalReached' : 'worklog.goalOpen', {
        time: duration(status.goalMinutes * 60_000),
        what: selectionName(selections, status.goalSelection),
      })
                         : t(status.evenings ? 'worklog.goalNoneButEvening' : 'worklog.goalNone')),
    h('p', {class: 'actions spaced'},
      h('button', {type: 'button', class: 'small', onclick: () => editGoal(again)},
        t(status.goalMinutes ? 'action.change' : 'worklog.goalSet')),
      status.goalMinutes
        && h('button', {type: 'button', class: 'small', onclick: none}, t('action.remove'))));
}

const used = status =>
  [status.gamingSelection, status.socialSelection, status.goalSelection].filter(Boolean);

/** Whether Worklog keeps a selection closed until the goal is reached. */
const isClosed = (status, selection) => Boolean(selection)
  && (selection === status.gamingSelection || selection === status.socialSelection && !status.evenings);

async function editGoal(again) {
  // As it is now: it may have been changed elsewhere.
  const now = await readNow('worklog', CLIENT);
  if (!now) return;
  const {selections} = now;
  let {status, acts} = now;
  const state = {
    selection: selections.chosen(status.goalSelection),
    minutes: status.goalMinutes ?? 60
  };
  const closes = () => acts && status.goalReached;
  const save = async (button, isSaid, update) => {
    // What is written while it is saved is not in it.
    const {selection, minutes} = state;
    const isSaved = await actIfWanted(async () => {
      // It may have been reached since the form was opened.
      [status, acts] = await Promise.all([run('worklog', 'status'), mayCover(CLIENT)]);
      if (closes() && !isSaid) return false;
      await selections.write(selection);
      return true;
    }, async () => {
      await run('worklog', 'until', `--selection=${selection}`, String(minutes));
      await selections.tidy(async () => used(await run('worklog', 'status')));
    }, {button});
    if (!isSaved && button.isConnected) update();
    return isSaved;
  };
  const isSaved = await openDialog({
    title: t('worklog.goal'),
    body: (close, update) => {
      const isSaid = closes();
      return [
        selectionField(t('worklog.goalWhat'), {
          id: 'goal-selection',
          selections,
          chosen: state.selection,
          change: setter(state, 'selection', update)
        }),
        amountField(t('limit.amount'),
          {id: 'goal-amount', minutes: state.minutes, change: setter(state, 'minutes', update)}),
        acts && isClosed(status, state.selection)
          && h('div', {class: 'notice warn', id: 'goal-closed'}, h('p', {}, t('worklog.goalClosed'))),
        isSaid && h('div', {class: 'notice warn', id: 'goal-now'}, h('p', {}, t('worklog.goalNow'))),
        formEnd({
          disabled: !state.selection || state.minutes < 1,
          save: button => save(button, isSaid, update),
          close
        }),
      ];
    }
  });
  if (isSaved) again();
}

async function setup(again) {
  const now = await readNow('worklog', CLIENT);
  if (!now) return;
  const {status, selections} = now;
  let {acts} = now;
  // What acts now; nothing is chosen for somebody who begins.
  const state = {
    gaming: selections.chosen(status.gamingSelection),
    social: selections.chosen(status.socialSelection)
  };
  const save = async (button, isSaid, update) => {
    const {gaming, social} = state;
    const isSaved = await actIfWanted(async () => {
      // It may have been switched on since the form was opened.
      acts = await mayCover(CLIENT);
      if (acts && !isSaid) return false;
      await selections.write(gaming, social);
      return true;
    }, async () => {
      await run('worklog', 'setup', `--gaming=${gaming}`, `--social=${social}`);
      await selections.tidy(async () => used(await run('worklog', 'status')));
    }, {button});
    if (!isSaved && button.isConnected) update();
    return isSaved;
  };
  const isSaved = await openDialog({
    title: t('worklog.setup'),
    body: (close, update) => {
      const isSaid = acts;
      return [
        stores.map(name => selectionField(t(`worklog.${name}`), {
          id: `setup-${name}`,
          // Games are covered where they are sites.
          kinds: name === 'gaming' ? ['category', 'domain'] : undefined,
          selections,
          chosen: state[name],
          change: setter(state, name, update)
        })),
        acts && h('div', {class: 'notice warn'}, h('p', {}, t('worklog.setupNow'))),
        formEnd({
          label: acts ? t('worklog.setupSave') : null,
          disabled: !state.gaming || !state.social,
          save: button => save(button, isSaid, update),
          close
        }),
      ];
    }
  });
  if (isSaved) again();
}
