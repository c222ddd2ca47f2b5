// Encouragement: one's own promise in one's own words. It reminds and forbids nothing.

import {run} from '../api.js';
import {at, duration} from '../format.js';
import {h} from '../h.js';
import {load as loadNames} from '../names.js';
import {act} from '../parts/act.js';
import {confirm, openDialog} from '../parts/dialog.js';
import {amountField, field, formEnd, setter} from '../parts/fields.js';
import {actIfWanted} from '../parts/first.js';
import {askPermission, changedElsewhere, readNow, readSelections, selectionField, selectionName} from '../parts/program.js';
import {empty, screen} from '../parts/screen.js';
import {has, t} from '../words.js';

const CLIENT = 'org.screentime.encouragement';

export default root => screen(root, {
  load: async () => {
    const [status, diary, selections] = await Promise.all([
      run('encouragement', 'status'),
      run('encouragement', 'diary').catch(() => ({lines: []})),
      readSelections(CLIENT),
      loadNames(),
    ]);
    return {status, diary: diary.lines, selections};
  },
  draw,
  events: ['callback.', 'authorization.changed', 'selection.changed'],
});

const instant = value => typeof value === 'number' ? (value + 978_307_200) * 1000 : Date.parse(value);

function draw({status, diary, selections}, again) {
  const edit = () => openForm(again);
  const stop = async event => {
    const button = event.currentTarget;
    if (await confirm({
          title: t('encouragement.stopTitle'),
          text: t('encouragement.stopText'),
          action: t('encouragement.end'),
          danger: true
        })
      && await act(() => run('encouragement', 'stop'), {button, done: t('encouragement.stopped')}))
      again();
  };
  return [
    h('header', {class: 'page-head'},
      h('div', {}, h('h1', {}, t('nav.encouragement')), h('p', {class: 'quiet'}, t('encouragement.lead')))),
    !status.authorized ? askPermission('encouragement', again)
      : !status.running
      ? empty(t('encouragement.empty'), t('encouragement.emptyText'),
        h('button', {type: 'button', class: 'primary', onclick: edit}, t('encouragement.start')))
      : h('section', {'aria-label': t('encouragement.promise')},
        h('blockquote', {class: 'quote'}, status.sentence),
        h('p', {class: 'quiet spaced'},
          t('encouragement.rule',
            {what: selectionName(selections, status.selection), time: duration(status.limitSeconds * 1000)})),
        status.selectionIsCurrent === false && h('p', {}, changedElsewhere(selections, [status.selection])),
        !status.asRegistered && h('p', {}, h('span', {class: 'tag bad'}, t('program.notRegistered'))),
        h('p', {class: 'actions'}, h('button', {type: 'button', onclick: edit}, t('action.change')),
          h('button', {type: 'button', onclick: stop}, t('encouragement.stop')))),
    diary.length > 0
      && h('section', {'aria-labelledby': 'diary'}, h('h2', {id: 'diary'}, t('encouragement.diary')),
        h('ul', {class: 'next-rows wide'},
          diary.slice(-12).reverse().map(
            line => h('li', {}, at(instant(line.at)),
              h('span', {},
                has(`callback.${line.callback}`) ? t(`callback.${line.callback}`) : line.callback))))),
  ];
}

async function openForm(again) {
  // As it is now: it may have been changed elsewhere.
  const now = await readNow('encouragement', CLIENT);
  if (!now) return;
  const {status, selections} = now;
  const state = {
    selection: selections.chosen(status.selection),
    minutes: status.limitSeconds ? Math.round(status.limitSeconds / 60) : 60,
    say: status.sentence ?? '',
  };
  const save = button => {
    // What is written while it is saved is not in it.
    const {selection, minutes, say} = state;
    return actIfWanted(async () => {
      await selections.write(selection);
      return true;
    }, async () => {
      await run('encouragement', 'start', `--selection=${selection}`, `--hours=${Math.floor(minutes / 60)}`,
        `--minutes=${minutes % 60}`, `--say=${say.trim()}`);
      await selections.tidy(async () => [(await run('encouragement', 'status')).selection]);
    }, {button, done: t('encouragement.started')});
  };
  const isSaved = await openDialog({
    title: t('encouragement.promise'),
    body: (close, update) => {
      const set = key => setter(state, key, update);
      const disabled = !state.selection || !state.say.trim() || state.minutes < 1;
      return [
        selectionField(t('habits.what'), {
          id: 'promise-selection',
          selections,
          chosen: state.selection,
          change: set('selection')
        }),
        amountField(
          t('limit.amount'), {id: 'promise-amount', minutes: state.minutes, change: set('minutes')}),
        field(t('encouragement.sentence'), h('textarea', {
          id: 'promise-say',
          rows: 3,
          maxlength: 500,
          '.value': state.say,
          placeholder: t('encouragement.example'),
          oninput: event => set('say')(event.target.value)
        }),
          t('encouragement.sentenceHint')),
        formEnd({disabled, save, close}),
      ];
    }
  });
  if (isSaved) again();
}
