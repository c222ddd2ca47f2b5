// What can be done about the slice that a person chose: a limit for it, another category.

import {may, who} from '../api.js';
import {h} from '../h.js';
import {categories, categoryName, categoryOf, forget, load, setCategory} from '../names.js';
import {coveredByMoving} from '../data/cover.js';
import {actIfWanted, sayFirst} from '../parts/first.js';
import {t} from '../words.js';
import {nameIn} from './reports-bar.js';

/**
 * @param {{by: string, chosen: string|null|undefined, member: string}} view
 * @param {{picked: {category: string}|null}} state what was picked in the list and not moved to yet: it stays when
 *   the page is drawn again
 */
export function chosenPart(view, state, again) {
  const {by, chosen} = view;
  if (chosen === undefined || chosen === null || by === 'device') return null;
  const name = nameIn(by, chosen);
  return h('div', {class: 'chosen-part no-print', role: 'group', 'aria-label': name}, h('strong', {}, name),
    by !== 'category' && may('catalog.set') && categoryField(by, chosen, state, again),
    // A limit of this page is one's own.
    may('app.run') && (!view.member || view.member === who().member)
      && h('a', {class: 'button small', href: `/limits?new=${encodeURIComponent(`${by} ${chosen}`)}`},
        t('chosen.limit')));
}

function categoryField(kind, subject, state, again) {
  const shown = state.picked?.category ?? categoryOf(kind, subject);
  // Arrow keys go through the list: nothing moves before the button is pressed.
  const move = async event => {
    const button = event.currentTarget;
    const category = button.previousElementSibling.value;
    if (category === categoryOf(kind, subject)) return;
    const {picked} = state;
    const isWanted = async () => sayFirst(await coveredByMoving({kind, subject}, category));
    const write = async () => {
      await setCategory(kind, subject, category);
      // Meanwhile another one may have been picked, or for another slice.
      if (state.picked === picked) state.picked = null;
      forget();
      await load();
      await again();
    };
    await actIfWanted(isWanted, write, {button, done: t('chosen.moved', {category: categoryName(category)})});
  };
  return h('span', {class: 'inline'}, h('label', {'for': 'chosen-category'}, t('chosen.category')),
    h('select', {
      id: 'chosen-category',
      onchange: event => {
        state.picked = {category: event.target.value};
      }
    },
      categories.map(
        category => h('option', {value: category, selected: category === shown}, categoryName(category)))),
    h('button', {type: 'button', class: 'small', id: 'chosen-move', onclick: move},
      t('chosen.move')));
}
