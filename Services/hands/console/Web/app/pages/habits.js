// Habits: days in a row on which something was used less, or more, than an amount.

import {call, run} from '../api.js';
import {duration, number} from '../format.js';
import {h} from '../h.js';
import {load as loadNames} from '../names.js';
import {act} from '../parts/act.js';
import {confirm, openDialog} from '../parts/dialog.js';
import {amountField, field, formEnd, setter} from '../parts/fields.js';
import {actIfWanted} from '../parts/first.js';
import {glyphOf} from '../parts/glyphs.js';
import {Selections, askPermission, readSelections, selectionField} from '../parts/program.js';
import {empty, screen} from '../parts/screen.js';
import {segmented} from '../parts/tabs.js';
import {t} from '../words.js';

const CLIENT = 'org.screentime.streaks';

export default root => screen(root, {
  load: async () => {
    const [habits, authorizations, selections] = await Promise.all([
      run('streaks', 'list'),
      call('authorization.list', {client: CLIENT}),
      readSelections(CLIENT),
      loadNames(),
    ]);
    return {
      habits,
      isAllowed: authorizations.authorizations.some(one => one.status === 'approved' && one.access),
      selections
    };
  },
  draw,
  events: ['callback.', 'activity.', 'authorization.changed', 'selection.changed'],
});

function draw({habits, isAllowed, selections}, again) {
  const add = () => openForm(selections, again);
  return [
    h('header', {class: 'page-head'},
      h('div', {}, h('h1', {}, t('nav.habits')), h('p', {class: 'quiet'}, t('habits.lead'))),
      isAllowed && habits.length > 0
        && h('button', {type: 'button', class: 'primary', onclick: add}, glyphOf('plus'), t('habits.add'))),
    !isAllowed && askPermission('streaks', again),
    habits.length === 0 ? isAllowed
        && empty(t('habits.empty'), t('habits.emptyText'),
          h('button', {type: 'button', class: 'primary', onclick: add}, t('habits.add')))
                        : h('section', {'aria-label': t('nav.habits')},
                          h('ul', {class: 'rows'}, habits.map(one => row(one, again)))),
  ];
}

function row(one, again) {
  const remove = async event => {
    const button = event.currentTarget;
    if (await confirm({
          title: t('habits.removeTitle', {name: one.task}),
          text: t('habits.removeText'),
          action: t('action.remove'),
          danger: true
        })
      && await act(() => run('streaks', 'remove', '--', one.task), {button}))
      again();
  };
  return h('li', {'data-key': one.task},
    h('div', {}, h('span', {class: 'streak num'}, number(one.current)), ' ',
      h('span', {}, t('habits.days', {n: one.current}))),
    h('div', {class: 'what'}, h('span', {class: 'name'}, one.task),
      h('span', {class: 'quiet'}, t(`habits.${one.aim}`, {time: duration(one.minutes * 60_000)})),
      h('span', {class: 'quiet'}, t('habits.longest', {n: one.longest})),
      !one.counted && h('span', {class: 'tag bad'}, t('program.notRegistered'))),
    h('div', {class: 'end'},
      h('span', {class: one.today === 'complete' ? 'tag on' : 'tag'}, t(`habits.today.${one.today}`)),
      h('button', {
        type: 'button',
        class: 'plain small icon-only',
        'aria-label': t('habits.remove', {name: one.task}),
        onclick: remove
      },
        glyphOf('bin'))));
}

async function openForm(saved, again) {
  const selections = new Selections(CLIENT, saved);
  const state = {name: '', aim: 'decrease', minutes: 30, selection: ''};
  const save = button => {
    // What is written while it is saved is not in it.
    const {name, aim, minutes, selection} = state;
    return actIfWanted(async () => {
      await selections.write(selection);
      return true;
    }, () => run('streaks', aim, `--selection=${selection}`, `--minutes=${minutes}`, '--', name.trim()),
      {button, done: t('habits.added')});
  };
  const isSaved = await openDialog({
    title: t('habits.add'),
    body: (close, update) => {
      const set = key => setter(state, key, update);
      const aims = ['decrease', 'increase'].map(aim => [aim, t(`habits.aim.${aim}`)]);
      const disabled = !state.name.trim() || !state.selection || state.minutes < 1;
      return [
        field(t('habits.name'), h('input', {
          type: 'text',
          id: 'habit-name',
          maxlength: 100,
          '.value': state.name,
          placeholder: t('habits.nameExample'),
          oninput: event => set('name')(event.target.value)
        })),
        h('div', {class: 'field'}, h('span', {class: 'label'}, t('habits.aim')),
          h('div', {}, segmented(t('habits.aim'), aims, state.aim, set('aim')))),
        selectionField(t('habits.what'), {
          id: 'habit-selection',
          selections,
          chosen: state.selection,
          change: set('selection')
        }),
        amountField(t('limit.amount'), {id: 'habit-amount', minutes: state.minutes, change: set('minutes')}),
        formEnd({disabled, save, close}),
      ];
    }
  });
  if (isSaved) again();
}
