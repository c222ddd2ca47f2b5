// The first two minutes: what this is, whether it measures, and a first limit if one wants it.

import {report} from '../api.js';
import * as clock from '../clock.js';
import {readHealth} from '../data/health.js';
import {setLimit} from '../data/limits.js';
import {byKey} from '../data/use.js';
import {duration} from '../format.js';
import {h} from '../h.js';
import {hasName, load as loadNames, nameOf} from '../names.js';
import {act} from '../parts/act.js';
import {amountField} from '../parts/fields.js';
import {notMeasuring} from '../parts/measuring.js';
import {pick} from '../parts/picker.js';
import {useRows} from '../parts/rows.js';
import {screen} from '../parts/screen.js';
import {go} from '../routes.js';
import {t} from '../words.js';

const STEPS = 3;

export default function welcome(root) {
  localStorage.setItem('welcomed', 'yes');
  const state = {step: 0, target: null, minutes: 60};
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
        [hello, choose, amount][state.step](data, state, to, redraw, again));
    },
    events: ['enforcement.changed'],
  });
}

const title = text => h('h1', {id: 'welcome-title', tabindex: '-1'}, text);
const skip = () => h('a', {href: '/today'}, t('welcome.skip'));

function hello({health}, state, to, redraw, again) {
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

function choose({apps, categories}, state, to) {
  const take = kind => subject => {
    state.target = {kind, subject, limits: []};
    to(2);
  };
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
          if (target) {
            state.target = {...target, limits: []};
            to(2);
          }
        }
      },
        t(isNew ? 'welcome.pick' : 'welcome.other')),
      h('button', {type: 'button', class: 'plain', onclick: () => to(0)}, t('welcome.back')), skip()),
  ];
}

function amount(data, state, to, redraw) {
  const {kind, subject} = state.target;
  const name = nameOf(kind, subject);
  return [
    title(t('welcome.amount', {name})),
    amountField(t('limit.amount'), {
      id: 'welcome-amount',
      minutes: state.minutes,
      change: minutes => {
        state.minutes = minutes;
        redraw();
      }
    }),
    h('p', {class: 'quiet'}, t('welcome.amountText', {name, time: duration(state.minutes * 60_000)})),
    h('p', {class: 'actions'},
      h('button', {
        type: 'button',
        class: 'primary',
        disabled: state.minutes < 1,
        onclick: async event => {
          const warnSeconds = state.minutes > 5 ? 300 : 0;
          if (await act(() => setLimit(state.target,
                          {days: [0, 1, 2, 3, 4, 5, 6], seconds: state.minutes * 60, warnSeconds}),
                {button: event.currentTarget, done: t('limit.saved', {name})}))
            go('/limits');
        }
      },
        t('welcome.set')),
      h('button', {type: 'button', class: 'plain', onclick: () => to(1)}, t('welcome.back')), skip()),
  ];
}
