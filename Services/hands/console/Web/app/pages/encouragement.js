// Encouragement: one's own promise in one's own words. It reminds and forbids nothing.

import {run} from '../api.js';
import {at, duration} from '../format.js';
import {h} from '../h.js';
import {load as loadNames} from '../names.js';
import {act} from '../parts/act.js';
import {openDialog} from '../parts/dialog.js';
import {amountField, field} from '../parts/fields.js';
import {askPermission, readSelections, selectionField, selectionText} from '../parts/program.js';
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
  const one = selections.find(selection => selection.name === status.selection);
  const edit = () => openForm(status, selections, again);
  const stop = async event => {
    if (await act(() => run('encouragement', 'stop'),
          {button: event.currentTarget, done: t('encouragement.stopped')}))
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
            {what: one ? selectionText(one) : status.selection, time: duration(status.limitSeconds * 1000)})),
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

function openForm(status, selections, again) {
  const state = {
    selection: status.selection ?? selections[0]?.name ?? '',
    minutes: status.limitSeconds ? Math.round(status.limitSeconds / 60) : 60,
    say: status.sentence ?? ''
  };
  openDialog(
    {
      title: t('encouragement.promise'),
      body:
        (close, update) => [selectionField(t('habits.what'), {
          id: 'promise-selection',
          client: CLIENT,
          selections,
          chosen: state.selection,
          change: name => {
            state.selection = name;
            update();
          },
          again: async () => {
            selections.splice(0, selections.length, ...await readSelections(CLIENT));
            update();
          }
        }),
          amountField(t('limit.amount'), {
            id: 'promise-amount',
            minutes: state.minutes,
            change: minutes => {
              state.minutes = minutes;
              update();
            }
          }),
          field(t('encouragement.sentence'), h('textarea', {
            id: 'promise-say',
            rows: 3,
            maxlength: 500,
            '.value': state.say,
            placeholder: t('encouragement.example'),
            oninput: event => {
              state.say = event.target.value;
              update();
            }
          }),
            t('encouragement.sentenceHint')),
          h('p', {class: 'actions'},
            h(
              'button', {
                type: 'button',
                class: 'primary',
                disabled: !state.selection || !state.say.trim() || state.minutes < 1,
                onclick: async event => {
                  const words = [
                    'start', '--selection', state.selection, '--hours',
                    String(Math.floor(state.minutes / 60)), '--minutes', String(state.minutes % 60), '--say',
                    state.say.trim()
                  ];
                  if (await act(() => run('encouragement', ...words),
                        {button: event.currentTarget, done: t('encouragement.started')})) {
                    close();
                    again();
                  }
                }
              },
              t('action.save')),
            h('button', {type: 'button', onclick: () => close()}, t('action.cancel'))),
  ],
    });
}
