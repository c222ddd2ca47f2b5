// What the pages of the built-in apps share: permission as in the seed documents, and saved selections.

import {call, run} from '../api.js';
import {h} from '../h.js';
import {clientName} from '../data/why.js';
import {act} from './act.js';
import {openDialog} from './dialog.js';
import {glyphOf} from './glyphs.js';
import {pick, selectionNames} from './picker.js';
import {t} from '../words.js';

/**
 * The question that the app asks for, with its two answers. The app waits for the decision meanwhile.
 * @param {string} program name of its command
 */
export function askPermission(program, again) {
  const client = `org.screentime.${program}`;
  const ask = async event => {
    const button = event.currentTarget;
    const asking = run(program, 'authorize');
    asking.catch(() => {/* What it says is said below. */});
    const question = await findQuestion(client, asking);
    if (question) {
      const decision = await openDialog({
        title: t('permission.title', {app: clientName(client)}),
        body: close => [h('p', {}, t('permission.text', {app: clientName(client)})),
          h('p', {class: 'quiet'}, t('permission.later')),
          h('p', {class: 'actions'},
            h('button', {type: 'button', class: 'primary', onclick: () => close('approve')},
              t('permission.allow')),
            h('button', {type: 'button', onclick: () => close('deny')}, t('permission.deny')))],
      });
      await act(
        () => call('authorization.decide', {id: question.id, decision: decision ?? 'deny'}), {button});
    }
    again();
    // The app has its answer a little later than the person gave it.
    await asking.catch(() => {/* The page shows what is allowed. */});
    again();
  };
  return h('div', {class: 'empty'},
    h('p', {class: 'empty-title'}, t('permission.none', {app: clientName(client)})),
    h('p', {class: 'quiet'}, t('permission.noneText')),
    h('button', {type: 'button', class: 'primary', onclick: ask}, t('permission.ask')));
}

/** The open question of a client; null if the app was answered without one. */
async function findQuestion(client, asking) {
  let isAnswered = false;
  asking.then(
    () => {
      isAnswered = true;
    },
    () => {
      isAnswered = true;
    });
  for (let round = 0; round < 40 && !isAnswered; round += 1) {
    const {authorizations} = await call('authorization.list', {client});
    const open = authorizations.find(one => one.pending);
    if (open) return open;
    await new Promise(resolve => setTimeout(resolve, 150));
  }
  return null;
}

/**
 * A field that chooses or makes a selection of a client.
 * @param {object} options `id`, `client`, `selections` (new ones are added), `chosen`, `change(name)`
 */
export function selectionField(label, {id, client, selections, chosen, change}) {
  const edit = async old => {
    const picked = await pick({title: label, selection: old});
    if (!picked) return;
    const name = old?.name ?? freeName(selections);
    if (!await act(() => call('selection.set', {name, client, ...picked}))) return;
    selections.splice(0, selections.length, ...await readSelections(client));
    change(name);
  };
  const one = selections.find(selection => selection.name === chosen);
  const option = selection =>
    h('option', {value: selection.name, selected: selection.name === chosen}, selectionText(selection));
  return h('div', {class: 'field'}, h('span', {class: 'label', id: `${id}-label`}, label),
    h('div', {class: 'inline', role: 'group', 'aria-labelledby': `${id}-label`},
      selections.length > 0
        && h('select', {id, 'aria-labelledby': `${id}-label`, onchange: event => change(event.target.value)},
          !one && h('option', {value: ''}, t('selection.choose')), selections.map(option)),
      one
        && h('button', {type: 'button', class: 'small', onclick: () => edit(one)}, glyphOf('pencil'),
          t('selection.edit')),
      h('button', {type: 'button', class: 'small', onclick: () => edit(null)}, glyphOf('plus'),
        t('selection.new'))),
    one && h('p', {class: 'quiet'}, selectionNames(one).join(', ')));
}

/** A selection's first names, and how many more. */
export function selectionText(selection) {
  const all = selectionNames(selection);
  if (all.length === 0) return selection.name;
  return all.length > 2 ? t('selection.more', {first: all.slice(0, 2).join(', '), n: all.length - 2})
                        : all.join(', ');
}

function freeName(selections) {
  for (let i = 1;; i += 1) {
    const name = `selection ${i}`;
    if (!selections.some(one => one.name === name)) return name;
  }
}

/** The selections of a client. */
export const readSelections = async client => (await call('selection.list', {client})).selections;
