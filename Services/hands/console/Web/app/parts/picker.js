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

/** The apps, categories and sites of a selection as words. */
export function selectionNames(selection) {
  return [
    ...selection.categories.map(names.categoryName),
    ...selection.applications.map(names.appName),
    ...selection.web_domains,
  ];
}

/**
 * Opens the picker.
 * @param {object} options `title`; `selection?`: what is chosen at first; `one?`: a single subject; `total?`:
 *   "everything" can be chosen
 * @returns a selection, or with `one` `{kind, subject}`; undefined if it was dismissed
 */
export async function pick({title, selection, one = false, total = false}) {
  let use = {app: new Map(), domain: new Map(), category: new Map()};
  const chosen = new Set();
  let whole = selection?.include_entire_category ?? false;
  for (const [kind, list] of Object.entries(listOf)) {
    for (const subject of selection?.[list] ?? []) chosen.add(keyOf(kind, subject));
  }
  let query = '';
  const open = new Set();
  let draw = () => {};
  Promise.all([readUse(), names.load()]).then(([found]) => {
    use = found;
    draw();
  }, () => {});

  const children = category => [...names.allApps().filter(item => item.category === category
                                    && (item.name || use.app.get(item.subject) > clock.MINUTE)),
    ...names.allSites().filter(
      item => item.category === category && (use.domain.has(item.subject) || item.source === 'person')),
  ].sort((a, b) => (use[b.kind].get(b.subject) ?? 0) - (use[a.kind].get(a.subject) ?? 0));

  const answer = () => {
    const result = {...emptySelection(), include_entire_category: whole};
    for (const key of chosen) {
      const space = key.indexOf(' ');
      result[listOf[key.slice(0, space)]].push(key.slice(space + 1));
    }
    // With the categories, what is in them now.
    if (whole)
      for (const category of result.categories)
        for (const item of children(category)) {
          const list = result[listOf[item.kind]];
          if (!list.includes(item.subject)) list.push(item.subject);
        }
    return result;
  };

  return openDialog({
    title,
    class: 'wide',
    body: (close, update) => {
      draw = update;
      const row = (kind, subject, more = null) => {
        const key = keyOf(kind, subject);
        const used = use[kind]?.get(subject) ?? 0;
        const name = names.nameOf(kind, subject);
        return h('div', {class: 'picker-row'}, more ?? h('span', {}),
          h('label', {},
            one ? h('input', {
              type: 'radio',
              name: 'subject',
              '.checked': false,
              'aria-label': name,
              onchange: () => close({kind, subject})
            })
                : h('input', {
                    type: 'checkbox',
                    '.checked': chosen.has(key),
                    'aria-label': name,
                    onchange: event => {
                      if (event.target.checked) chosen.add(key);
                      else chosen.delete(key);
                      update();
                    }
                  }),
            h('span', {class: 'inline'}, names.icon(kind, subject),
              h('span', {class: 'inner'}, h('span', {}, name),
                kind === 'app' && names.hasName(subject) && sameName(subject)
                  && h('span', {class: 'quiet'}, subject))),
            h('span', {class: 'quiet num'}, used > 0 ? duration(used) : '')));
      };
      return [
        h('div', {class: 'picker'}, h('div', {class: 'picker-search'}, h('input', {
          type: 'search',
          id: 'picker-search',
          placeholder: t('picker.search'),
          'aria-label': t('picker.search'),
          autocomplete: 'off',
          spellcheck: 'false',
          autofocus: true,
          '.value': query,
          oninput: event => {
            query = event.target.value;
            update();
          },
        })),
          h('p', {class: 'quiet small'}, t('picker.use', {n: DAYS})),
          query.trim() ? found(query.trim(), row) : tree(row, {children, open, update, total, one, close})),
        !one
          && h('label', {class: 'inline'}, h('input', {
               type: 'checkbox',
               '.checked': whole,
               onchange: event => {
                 whole = event.target.checked;
                 update();
               },
             }),
            h('span', {}, t('picker.whole'))),
        !one
          && h('p', {class: 'actions'},
            h('button',
              {type: 'button', class: 'primary', disabled: chosen.size === 0, onclick: () => close(answer())},
              t('picker.done', {n: chosen.size})),
            h('button', {type: 'button', onclick: () => close()}, t('action.cancel'))),
      ];
    },
  });
}

function sameName(id) {
  const name = names.appName(id);
  return names.allApps().filter(item => item.name === name).length > 1;
}

function tree(row, {children, open, update, total, one, close}) {
  return h('ul', {class: 'picker-list', id: 'picker-list'},
    total && one
      && h('li', {'data-key': 'total'},
        h('div', {class: 'picker-row'}, h('span', {}),
          h('label', {}, h('input', {
            type: 'radio',
            name: 'subject',
            'aria-label': t('subject.everything'),
            onchange: () => close({kind: 'total', subject: ''})
          }),
            h('span', {class: 'inline'}, names.icon('total', ''), t('subject.everything')), h('span', {})))),
    names.categories.map(category => {
      const inside = children(category);
      const isOpen = open.has(category);
      const toggle = h('button', {
        type: 'button',
        class: 'plain small icon-only',
        'aria-expanded': String(isOpen),
        disabled: inside.length === 0,
        'aria-label': t('picker.open', {name: names.categoryName(category), n: inside.length}),
        onclick: () => {
          if (isOpen) open.delete(category);
          else open.add(category);
          update();
        },
      },
        glyphOf(isOpen ? 'down' : 'right'));
      return h('li', {'data-key': category}, row('category', category, toggle),
        isOpen
          && h('ul', {},
            inside.slice(0, SHOWN).map(
              item => h('li', {'data-key': keyOf(item.kind, item.subject)}, row(item.kind, item.subject)))));
    }));
}

const looksLikeSite = text => /^[^\s/:@]+\.[^\s/:@.]{2,}$/u.test(text);

function found(query, row) {
  const wanted = query.toLowerCase();
  const fits = text => text?.toLowerCase().includes(wanted);
  const all = [
    ...names.categories.filter(category => fits(category) || fits(names.categoryName(category)))
      .map(subject => ({kind: 'category', subject})),
    ...names.allApps().filter(item => fits(item.name) || fits(item.subject)),
    ...names.allSites().filter(item => fits(item.subject)),
  ];
  // A site that nobody visited yet can be chosen, too.
  if (looksLikeSite(wanted) && !all.some(item => item.subject === wanted))
    all.unshift({kind: 'domain', subject: wanted});
  if (all.length === 0)
    return h(
      'p', {class: 'quiet picker-list', id: 'picker-list', role: 'status'}, t('picker.nothing', {query}));
  return h('ul', {class: 'picker-list', id: 'picker-list'},
    all.slice(0, SHOWN).map(
      item => h('li', {'data-key': keyOf(item.kind, item.subject)}, row(item.kind, item.subject))));
}
