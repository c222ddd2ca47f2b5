// Chooses apps, categories and sites, with what they are really used: FamilyActivityPicker, with search that
// also finds what is inside closed categories, sites that were never used, and ids behind equal names.

import {report} from '../api.js';
import * as clock from '../clock.js';
import {byKey} from '../data/use.js';
import {duration} from '../format.js';
import {h} from '../h.js';
import * as names from '../names.js';
import {t} from '../words.js';

import {openDialog} from './dialog.js';
import {formEnd} from './fields.js';
import {glyphOf} from './glyphs.js';

const DAYS = 7;
/** Items of a list; with a search, more are found by a longer word. */
const SHOWN = 60;

async function readUse() {
  const range = {from: clock.plusDays(clock.today(), 1 - DAYS), to: clock.today()};
  const [apps, sites, categories] =
    await Promise.all(['app', 'domain', 'category'].map(by => report({...range, by})));
  const map = ({rows}) => new Map(byKey(rows).map(item => [item.key, item.value]));
  return {app: map(apps), domain: map(sites), category: map(categories)};
}

const emptySelection = () =>
  ({applications: [], categories: [], web_domains: [], include_entire_category: false});
const listOf = {
  app: 'applications',
  category: 'categories',
  domain: 'web_domains'
};
const keyOf = (kind, subject) => `${kind} ${subject}`;
const splitKey = key => [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)];

/** The apps, categories and sites of a selection as words. */
export function selectionNames(selection) {
  return [
    ...selection.categories.map(names.categoryName),
    ...selection.applications.map(names.appName),
    ...selection.web_domains,
  ];
}

/** What is shown, and what is chosen in it. */
class Picker {
  use = {app: new Map(), domain: new Map(), category: new Map()};
  chosen = new Set();
  /** Keys of what was saved with its category, whose key is the value. */
  implied = new Map();
  /** Keys of the categories that were saved whole. */
  saved = new Set();
  /** Keys of what the selection has as it is drawn. */
  taken = new Set();
  query = '';
  open = new Set();
  update = () => {};

  constructor({selection, one = false, total = false, kinds = Object.keys(listOf)}) {
    Object.assign(this, {one, total, kinds, whole: selection?.include_entire_category ?? false});
    for (const [kind, list] of Object.entries(listOf)) {
      if (!kinds.includes(kind)) continue;
      for (const subject of selection?.[list] ?? []) this.chosen.add(keyOf(kind, subject));
    }
    if (this.whole) this.saved = new Set([...this.chosen].filter(key => splitKey(key)[0] === 'category'));
  }

  async read() {
    const [use] = await Promise.all([readUse().catch(() => this.use), names.load()]);
    this.use = use;
    this.imply();
    this.update();
  }

  /** What was saved with a whole category belongs to it, and goes with it. */
  imply() {
    for (const item of [...names.allApps(), ...names.allSites()]) {
      const key = keyOf(item.kind, item.subject);
      const category = keyOf('category', item.category);
      // It may have been unchecked before the names came.
      if (!this.chosen.has(key) || !this.saved.has(category)) continue;
      this.chosen.delete(key);
      this.implied.set(key, category);
    }
  }

  /** Apps and sites of a category, the most used first. */
  inside(category) {
    const used = item => this.use[item.kind].get(item.subject) ?? 0;
    const isIn = item => item.category === category;
    return [
      ...names.allApps().filter(item => isIn(item) && (item.name || used(item) > clock.MINUTE)),
      ...names.allSites().filter(item => isIn(item) && (used(item) > 0 || item.source === 'person')),
    ].filter(item => this.kinds.includes(item.kind)).sort((a, b) => used(b) - used(a));
  }

  get selection() {
    const result = {...emptySelection(), include_entire_category: this.whole};
    const add = (kind, subject) => {
      const list = result[listOf[kind]];
      if (!list.includes(subject)) list.push(subject);
    };
    for (const key of this.chosen) add(...splitKey(key));
    // With the categories, what is in them now.
    if (this.whole) {
      for (const category of [...result.categories])
        for (const item of this.inside(category)) add(item.kind, item.subject);
      for (const [key, category] of this.implied)
        if (this.chosen.has(category)) add(...splitKey(key));
    }
    return result;
  }

  /** Keys of what the selection has: what was chosen, and what comes with it. */
  get keys() {
    const {selection} = this;
    return new Set(
      Object.entries(listOf).flatMap(([kind, list]) => selection[list].map(subject => keyOf(kind, subject))));
  }

  toggle(key, isChosen) {
    if (isChosen) this.chosen.add(key);
    else this.chosen.delete(key);
    this.update();
  }
}

/**
 * Opens the picker.
 * @param {object} options `title`; `selection?`: what is chosen at first; `one?`: a single subject; `total?`:
 *   "everything" can be chosen; `kinds?`: of `app`, `category`, `domain`, those that can be chosen
 * @returns a selection, or with `one` `{kind, subject}`; undefined if it was dismissed
 */
export function pick({title, ...options}) {
  const picker = new Picker(options);
  picker.read().catch(() => {/* Without names, what was read before can be chosen. */});
  return openDialog({
    title,
    class: 'wide',
    body: (close, update) => {
      picker.update = update;
      picker.taken = picker.keys;
      const query = picker.query.trim();
      return [
        h('div', {class: 'picker'}, h('div', {class: 'picker-search'}, h('input', {
          type: 'search',
          id: 'picker-search',
          placeholder: t('picker.search'),
          'aria-label': t('picker.search'),
          autocomplete: 'off',
          spellcheck: 'false',
          autofocus: true,
          '.value': picker.query,
          oninput: event => {
            picker.query = event.target.value;
            update();
          },
        })),
          h('p', {class: 'quiet small'}, t('picker.use', {n: DAYS})),
          query ? found(query, picker, close) : tree(picker, close)),
        !picker.one
          && h('label', {class: 'inline'}, h('input', {
               type: 'checkbox',
               '.checked': picker.whole,
               onchange: event => {
                 picker.whole = event.target.checked;
                 update();
               },
             }),
            h('span', {}, t('picker.whole'))),
        !picker.one && formEnd({
          label: t('picker.done', {n: picker.taken.size}),
          disabled: picker.chosen.size === 0,
          save: () => picker.selection,
          close
        }),
      ];
    }
  });
}

/** A subject: a button where one is chosen, else a box to check. */
function row(picker, close, kind, subject, before = h('span', {})) {
  const key = keyOf(kind, subject);
  const used = picker.use[kind]?.get(subject) ?? 0;
  const what = [
    h('span', {class: 'inline'}, names.icon(kind, subject),
      h('span', {class: 'inner'}, h('span', {}, names.nameOf(kind, subject)),
        kind === 'app' && names.hasName(subject) && sameName(subject)
          && h('span', {class: 'quiet'}, subject))),
    h('span', {class: 'quiet num'}, used > 0 ? duration(used) : ''),
  ];
  return h('div', {class: 'picker-row'}, before,
    picker.one
      ? h('button', {type: 'button', class: 'picker-choice', onclick: () => close({kind, subject})}, what)
      : h('label', {}, h('input', {
          type: 'checkbox',
          '.checked': picker.taken.has(key),
          disabled: picker.taken.has(key) && !picker.chosen.has(key),
          onchange: event => picker.toggle(key, event.target.checked)
        }),
        what));
}

function sameName(id) {
  const name = names.appName(id);
  return names.allApps().filter(item => item.name === name).length > 1;
}

function tree(picker, close) {
  const toggle = (category, isOpen, count) => h('button', {
    type: 'button',
    class: 'plain small icon-only',
    'aria-expanded': String(isOpen),
    disabled: count === 0,
    'aria-label': t('picker.open', {name: names.categoryName(category), n: count}),
    onclick: () => {
      if (isOpen) picker.open.delete(category);
      else picker.open.add(category);
      picker.update();
    },
  },
    glyphOf(isOpen ? 'down' : 'right'));
  return h('ul', {class: 'picker-list', id: 'picker-list'},
    picker.total && h('li', {'data-key': 'total'}, row(picker, close, 'total', '')),
    names.categories.map(category => {
      const inside = picker.inside(category);
      const isOpen = picker.open.has(category);
      return h('li', {'data-key': category},
        row(picker, close, 'category', category, toggle(category, isOpen, inside.length)),
        isOpen
          && h('ul', {},
            inside.slice(0, SHOWN).map(item => h('li', {'data-key': keyOf(item.kind, item.subject)},
                                         row(picker, close, item.kind, item.subject)))));
    }));
}

/** The host of an address that was pasted; else what was typed. */
function hostIn(text) {
  const isAddress = /^https?:\/\//.test(text) || /^[^\s/@]+\.[^\s/@]+[/?#]/.test(text);
  return isAddress ? text.replace(/^https?:\/\//, '').replace(/[/?#].*$/, '').replace(/:\d+$/, '').replace(/\.$/, '') : text;
}

/** A site as the services spell it: `xn--…` for what is not ASCII. */
function spelling(host) {
  if (!/[^\x00-\x7f]/.test(host)) return host;
  try {
    return new URL(`http://${host}`).hostname;
  } catch { return host; }
}

const looksLikeSite = text => /^[^\s/:@]+\.[^\s/:@.]{2,}$/u.test(text);

function found(query, picker, close) {
  // Use is counted without it.
  const wanted = hostIn(query.toLowerCase()).replace(/^www\.(?=.*\.)/, '');
  const site = looksLikeSite(wanted) ? spelling(wanted) : wanted;
  const fits = text => text?.toLowerCase().includes(wanted);
  const all = [
    ...names.categories.filter(category => fits(category) || fits(names.categoryName(category)))
      .map(subject => ({kind: 'category', subject})),
    ...names.allApps().filter(item => fits(item.name) || fits(item.subject)),
    ...names.allSites().filter(item => fits(item.subject) || item.subject === site),
  ].filter(item => picker.kinds.includes(item.kind));
  // A site that nobody visited yet can be chosen, too.
  if (picker.kinds.includes('domain') && looksLikeSite(wanted) && !all.some(item => item.subject === site))
    all.unshift({kind: 'domain', subject: site});
  if (all.length === 0)
    return h(
      'p', {class: 'quiet picker-list', id: 'picker-list', role: 'status'}, t('picker.nothing', {query}));
  return h('ul', {class: 'picker-list', id: 'picker-list'},
    all.slice(0, SHOWN).map(item => h('li', {'data-key': keyOf(item.kind, item.subject)},
                              row(picker, close, item.kind, item.subject))));
}
