// What the pages of the built-in apps share: permission as in the seed documents, and saved selections.

import {Problem, call, may, run} from '../api.js';
import {mayCover} from '../data/cover.js';
import {h} from '../h.js';
import {clientName} from '../data/why.js';
import {act} from './act.js';
import {readForForm} from './form-data.js';
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
    let asking;
    await act(async () => {
      asking = run(program, 'authorize');
      const question = await findQuestion(client, asking);
      if (!question) return asking;
      const decision = await decide(client);
      return call('authorization.decide', {id: question.id, decision});
    }, {button: event.currentTarget});
    again();
    // The app has its answer a little later than the person gave it.
    await asking?.catch(() => {/* It was said, or the page shows what is allowed. */});
    again();
  };
  return h('div', {class: 'empty'},
    h('p', {class: 'empty-title'}, t('permission.none', {app: clientName(client)})),
    h('p', {class: 'quiet'}, t('permission.noneText')),
    h('button', {type: 'button', class: 'primary', onclick: ask}, t('permission.ask')));
}

/** The question with its two answers; dismissed, it is not allowed. */
const decide = async client => await openDialog({
  title: t('permission.title', {app: clientName(client)}),
  body: close => [h('p', {}, t('permission.text', {app: clientName(client)})),
    h('p', {class: 'quiet'}, t('permission.later')),
    h('p', {class: 'actions'},
      h('button', {type: 'button', class: 'primary', onclick: () => close('approve')}, t('permission.allow')),
      h('button', {type: 'button', onclick: () => close('deny')}, t('permission.deny')))],
}) ?? 'deny';

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
  while (!isAnswered) {
    const {authorizations} = await call('authorization.list', {client});
    const open = authorizations.find(one => one.pending);
    if (open) return open;
    await new Promise(resolve => setTimeout(resolve, 150));
  }
  return null;
}

/**
 * The selections of a client in a form. What is made or changed there is written when the form is saved, under
 * a name of its own: the app keeps what it was given, and whoever dismisses the form has changed nothing.
 */
export class Selections {
  constructor(client, saved) {
    this.client = client;
    this.saved = saved;
    this.all = [...saved];
  }

  find(name) { return this.all.find(one => one.name === name); }

  /** @returns the name of what was picked */
  draft(picked) {
    const name = freeName();
    this.all.push({...picked, name});
    return name;
  }

  /** What is chosen when a form opens: nothing that was not chosen, and nothing that was removed. */
  chosen(name) { return this.find(name)?.name ?? ''; }

  /**
   * Writes those of these names that were made in a page and are not there: new, or tidied away meanwhile.
   * @throws `conflict` if one has another content by now than the form showed
   */
  async write(...names) {
    const present = await readSelections(this.client);
    for (const name of names) {
      const {changed_ms: _, ...shown} = this.find(name) ?? {};
      const now = present.find(one => one.name === name);
      if (now && contentOf(now) !== contentOf(shown))
        throw new Problem({title: 'conflict', detail: t('selection.other')});
      if (!now && isMade(name)) await call('selection.set', {client: this.client, ...shown});
    }
  }

  /**
   * Removes what was made in a page before this form was opened and is not used: what another page makes
   * meanwhile is left alone. What fails is done with the next form.
   * @param {() => Promise<string[]>} readUsed the names that the app uses now
   */
  async tidy(readUsed) {
    const remove = async () => {
      const used = await readUsed();
      const unused = this.saved.filter(one => isMade(one.name) && !used.includes(one.name));
      await Promise.all(unused.map(one => call('selection.remove', {name: one.name, client: this.client})));
    };
    // What the form was for is saved.
    if (may('selection.remove')) await remove().catch(console.error);
  }

  /** Those that can be chosen: with something of these kinds, and of several with the same content, one. */
  choices(chosen, kinds = Object.keys(listOf)) {
    const seen = new Set([contentOf(this.find(chosen))]);
    return this.all.filter(one => {
      if (one.name === chosen) return true;
      if (kinds.every(kind => one[listOf[kind]].length === 0)) return false;
      const isNew = !seen.has(contentOf(one));
      seen.add(contentOf(one));
      return isNew;
    });
  }
}

/** Names that the pages give; two pages never give the same. */
const freeName = () => `selection ${
  Array.from(crypto.getRandomValues(new Uint8Array(4)), byte => byte.toString(16).padStart(2, '0')).join('')}`;
const isMade = name => /^selection [0-9a-f]{8}$/.test(name);
/** Where a selection has what is of a kind. */
const listOf = {app: 'applications', category: 'categories', domain: 'web_domains'};
const contentOf = one => one && JSON.stringify([
  ...Object.values(listOf).map(list => [...one[list]].sort()),
  one.include_entire_category ?? false,
]);

/**
 * A field that chooses or makes a selection.
 * @param {object} options `id`, `selections` (of `Selections`), `chosen`, `change(name)`; `kinds?`: what can be
 *   chosen, of `app`, `category`, `domain`
 */
export function selectionField(label, {id, selections, chosen, change, kinds}) {
  const edit = async old => {
    const picked = await pick({title: label, selection: old, kinds});
    if (picked) change(selections.draft(picked));
  };
  const one = selections.find(chosen);
  const option = selection => h('option',
    {value: selection.name, selected: selection.name === chosen, 'data-key': selection.name},
    selectionText(selection));
  return h('div', {class: 'field'}, h('span', {class: 'label', id: `${id}-label`}, label),
    h('div', {class: 'inline', role: 'group', 'aria-labelledby': `${id}-label`},
      selections.all.length > 0
        && h('select', {id, 'aria-labelledby': `${id}-label`, onchange: event => change(event.target.value)},
          !one && h('option', {value: ''}, t('selection.choose')), selections.choices(chosen, kinds).map(option)),
      one
        && h('button', {type: 'button', class: 'small', onclick: () => edit(one)}, glyphOf('pencil'),
          t('selection.edit')),
      h('button', {type: 'button', class: 'small', onclick: () => edit(null)}, glyphOf('plus'),
        t('selection.new'))),
    one && h('p', {class: 'quiet'}, selectionNames(one).join(', ')));
}

/** What a page calls the selection of this name: the app still acts by one that was removed. */
export function selectionName(saved, name) {
  const one = saved.find(selection => selection.name === name);
  if (one) return selectionText(one);
  return isMade(name) ? t('selection.gone') : name;
}

/** That an app acts by something else than what these selections say now. */
export function changedElsewhere(saved, names) {
  const isGone = names.some(name => saved.every(selection => selection.name !== name));
  return h('span', {class: 'tag'}, t(isGone ? 'program.removed' : 'program.changed'));
}

/** A selection's first names, and how many more. */
export function selectionText(selection) {
  const all = selectionNames(selection);
  if (all.length === 0) return selection.name;
  return all.length > 2 ? t('selection.more', {first: all.slice(0, 2).join(', '), n: all.length - 2})
                        : all.join(', ');
}

/**
 * What a built-in app says now, its selections, and whether what it covers has an effect, for a form; null as of
 * `readForForm`.
 */
export const readNow = (program, client) => readForForm(async () => {
  const [status, saved, acts] =
    await Promise.all([run(program, 'status'), readSelections(client), mayCover(client)]);
  return {status, selections: new Selections(client, saved), acts};
});

/** The selections of a client. */
export const readSelections = async client => (await call('selection.list', {client})).selections;
