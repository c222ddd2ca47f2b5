// The first two minutes: what this is, whether it measures, and a first limit if one wants it.

import {report} from '../api.js';
import * as clock from '../clock.js';
import {readHealth} from '../data/health.js';
import {readTarget} from '../data/limits.js';
import {byKey} from '../data/use.js';
import {h} from '../h.js';
import {hasName, load as loadNames} from '../names.js';
import {readForForm} from '../parts/form-data.js';
import {notMeasuring} from '../parts/measuring.js';
import {pick} from '../parts/picker.js';
import {useRows} from '../parts/rows.js';
import {screen} from '../parts/screen.js';
import {go} from '../routes.js';
import {keep} from '../storage.js';
import {t} from '../words.js';
import {editLimit} from './limit-dialog.js';

const STEPS = 2;

export default function welcome(root) {
  keep('welcomed', 'yes');
  const state = {step: 0};
  return screen(root, {
    load: async () => {
      const range = {from: clock.plusDays(clock.today(), -6), to: clock.today()};
      const [health, apps, categories] = await Promise.all([
        readHealth(),
        report({...range, by: 'app'}),
        report({...range, by: 'category'}),
        loadNames(),
      ]);
      return {
        health,
        apps: byKey(apps.rows).filter(item => hasName(item.key)),
        categories: byKey(categories.rows)
      };
    },
    draw: (data, again, redraw) => {
      const to = step => {
        state.step = step;
        redraw();
        document.getElementById('welcome-title')?.focus();
      };
      return h('div', {class: 'welcome'},
        h('ol', {class: 'steps', 'aria-label': t('welcome.steps', {n: state.step + 1, of: STEPS})},
          Array.from({length: STEPS},
            (_, i) => h('li', {'aria-current': i === state.step ? 'step' : null},
              h('span', {class: 'hidden'}, String(i + 1))))),
        [hello, choose][state.step](data, to, again));
    },
    events: ['enforcement.changed'],
  });
}

const title = text => h('h1', {id: 'welcome-title', tabindex: '-1'}, text);
const skip = () => h('a', {href: '/today'}, t('welcome.skip'));

function hello({health}, to, again) {
  return [
    title(t('welcome.title')),
    h('p', {}, t('welcome.text')),
    h('ul', {class: 'plain-list'},
      ['private', 'nothing', 'lost'].map(key => h('li', {}, t(`welcome.${key}`)))),
    health.measuring
      ? notMeasuring(health.measuring, {again})
      : !health.later && h('p', {role: 'status'}, h('span', {class: 'tag good'}, t('welcome.measures'))),
    h('p', {class: 'actions'},
      h('button', {type: 'button', class: 'primary', onclick: () => to(1)}, t('welcome.next')), skip()),
  ];
}

function choose({apps, categories}, to) {
  const edit = async target => {
    const now = await readForForm(() => readTarget(target));
    if (now && await editLimit(now)) go('/limits');
  };
  const take = kind => subject => edit({kind, subject});
  const isNew = apps.length === 0;
  return [
    title(t('welcome.choose')),
    h('p', {class: 'quiet'}, t(isNew ? 'welcome.chooseNew' : 'welcome.chooseText')),
    !isNew &&
      [
        h('h2', {}, t('by.app')), useRows(apps, {kind: 'app', most: 5, choose: take('app')}),
        h('h2', {}, t('by.category')),
        useRows(categories, {kind: 'category', most: 4, choose: take('category')})
      ],
    h('p', {class: 'actions'},
      h('button', {
        type: 'button',
        class: isNew ? 'primary' : null,
        onclick: async () => {
          const target = await pick({title: t('limits.pick'), one: true, total: true});
          if (target) await edit(target);
        }
      },
        t(isNew ? 'welcome.pick' : 'welcome.other')),
      h('button', {type: 'button', class: 'plain', onclick: () => to(0)}, t('welcome.back')), skip()),
  ];
}
