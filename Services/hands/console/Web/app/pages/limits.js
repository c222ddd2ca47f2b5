// Limits: what is left of each today, first; then what is always allowed and what does not count.

import {call, may, who} from '../api.js';
import {coveredByCounting, covers} from '../data/cover.js';
import {keyOf, readLimits, readTarget, removeLimit, setMark} from '../data/limits.js';
import {daysText, duration, time} from '../format.js';
import {h} from '../h.js';
import {categoryOf, icon, load as loadNames, nameOf} from '../names.js';
import {act} from '../parts/act.js';
import {confirm} from '../parts/dialog.js';
import {actIfWanted, sayFirst} from '../parts/first.js';
import {readForForm} from '../parts/form-data.js';
import {glyphOf} from '../parts/glyphs.js';
import {pick} from '../parts/picker.js';
import {empty, screen} from '../parts/screen.js';
import {reasonsOf} from '../data/why.js';
import {asked, remember} from '../routes.js';
import {toast} from '../shell.js';
import {parts, t} from '../words.js';
import {editLimit} from './limit-dialog.js';
import {meter} from './today-side.js';

export default function limits(root) {
  return screen(root, {
    load: async () => {
      const [all, shields] = await Promise.all([readLimits(), call('shield.list', {member: who().member}), loadNames()]);
      openAsked(all);
      return {all, shields: shields.shields};
    },
    draw,
    every: 60_000,
    events: [
      'settings.changed', 'report.changed', 'shield.applied', 'shield.lifted', 'exception.began',
      'exception.ended', 'activity.', 'catalog.changed'
    ],
  });

  // `?new=app org.example.App` opens the form, from the other pages.
  function openAsked(all) {
    const {new: subject} = asked();
    if (!subject) return;
    remember({});
    const [kind, ...rest] = subject.split(' ');
    if (!['app', 'category', 'domain'].includes(kind) || rest.join(' ') === '') return;
    const target = {kind, subject: rest.join(' ')};
    editLimit(all.find(one => keyOf(one) === keyOf(target)) ?? {...target, limits: []});
  }
}

function draw({all, shields}, again) {
  const limited = all.filter(one => one.limits.length > 0)
                    .sort((a, b) => (b.kind === 'total') - (a.kind === 'total')
                        || (a.leftSeconds ?? Infinity) - (b.leftSeconds ?? Infinity));
  const edit = async target => {
    const now = await readForForm(() => readTarget(target));
    if (now && await editLimit(now)) again();
  };
  const add = async () => {
    const target = await pick({title: t('limits.pick'), one: true, total: true});
    if (!target) return;
    edit(target);
  };
  const canChange = may('app.run');
  return [
    h('header', {class: 'page-head'},
      h('div', {}, h('h1', {}, t('nav.limits')), h('p', {class: 'quiet'}, t('limits.lead'))),
      canChange && limited.length > 0
        && h('button', {type: 'button', class: 'primary', onclick: add}, glyphOf('plus'), t('limits.add'))),
    limited.length === 0
      ? empty(t('limits.empty'), t('limits.emptyText'),
        canChange && h('button', {type: 'button', class: 'primary', onclick: add}, t('limits.add')))
      : h('section', {'aria-label': t('nav.limits')},
        h('ul', {class: 'rows'}, limited.map(one => row(one, shields, again, edit, canChange)))),
    marks('allow', all.filter(one => one.alwaysAllowed), again, canChange),
    marks('ignore', all.filter(one => one.doesNotCount), again, canChange),
  ];
}

function row(one, shields, again, edit, canChange) {
  const name = nameOf(one.kind, one.subject);
  const reasons =
    one.shut ? [...new Set(shields.filter(shield => isOver(shield, one)).flatMap(reasonsOf))] : [];
  const remove = async event => {
    const button = event.currentTarget;
    const isSure = await confirm({
      title: t('limits.removeTitle', {name}),
      text: t(!one.shut ? 'limits.removeText'
        : isCoveredBesides(shields, one) ? 'limits.removeStays' : 'limits.removeLifts'),
      action: t('action.remove'),
      danger: true,
    });
    if (isSure && await act(() => removeLimit(one), {button, done: t('limits.removed', {name})})) again();
  };
  return h('li', {'data-key': keyOf(one)}, icon(one.kind, one.subject),
    h('div', {class: 'what'}, h('span', {class: 'name'}, name),
      h('span', {class: 'quiet'},
        one.limits
          .map(limit => t('limits.rule', {time: duration(limit.seconds * 1000), days: daysText(limit.days)}))
          .join(' · ')),
      warnTexts(one.limits).map(text => h('span', {class: 'quiet'}, text)),
      reasons.map(reason => h('span', {class: 'quiet'}, reason))),
    h('div', {class: 'end'},
      one.leftSeconds === undefined ? h('span', {class: 'quiet'}, t('limits.notToday'))
        : one.leftSeconds > 0
        ? h('span', {}, parts('left.left', {time: h('strong', {}, time(one.leftSeconds * 1000))}))
        : h('span', {class: 'tag'}, one.shut ? t('limits.covered') : t('left.none')),
      canChange &&
        [
          h('button', {
            type: 'button',
            class: 'plain small icon-only',
            'aria-label': t('limits.edit', {name}),
            onclick: () => edit(one)
          },
            glyphOf('pencil')),
          h('button', {
            type: 'button',
            class: 'plain small icon-only',
            'aria-label': t('limits.remove', {name}),
            onclick: remove
          },
            glyphOf('bin')),
        ]),
    one.todaySeconds !== undefined && meter(one.usedSeconds, one.todaySeconds));
}

/** Of all days, or of which. */
function warnTexts(all) {
  const isOne = new Set(all.map(warnText)).size === 1;
  return all.filter(warnText).slice(0, isOne ? 1 : all.length)
    .map(one => isOne ? warnText(one) : `${daysText(one.days)}: ${warnText(one)}`);
}

export const warnText = limit => [
  limit.warnSeconds && t('limits.warns', {time: duration(limit.warnSeconds * 1000, {seconds: true})}),
  limit.say && `“${limit.say}”`,
].filter(Boolean).join(' · ');

/** Takes a mark away, and asks first if that would cover something now. */
async function unmark(one, mark, button, again) {
  const name = nameOf(one.kind, one.subject);
  const covered = () => mark === 'ignore'
    ? coveredByCounting(one) : covers({disallow: [{kind: one.kind, subject: one.subject}]});
  if (!await actIfWanted(
        async () => sayFirst(await covered()), () => setMark(one, mark, false), {button})) return;
  toast(t(`marks.${mark}Removed`, {name}));
  again();
}

/** Whether a shield covers a target, or what it is in. */
function isOver(shield, {kind, subject}) {
  if (['app', 'domain'].includes(shield.kind))
    return shield.kind === kind
      && (shield.subject === subject || kind === 'domain' && subject.endsWith(`.${shield.subject}`));
  if (shield.subject === 'all' || kind === 'total') return shield.subject === 'all';
  if (kind === 'category') return shield.subject === subject;
  return (shield.kind === 'category') === (kind === 'app') && shield.subject === categoryOf(kind, subject);
}

/** Whether something else than its own limit may cover it, or a part of it. */
const isCoveredBesides = (shields, one) => shields.some(
  shield => (['category', 'total'].includes(one.kind) || isOver(shield, one)) && shield.reasons.some(
    ({client, store}) => client !== 'org.screentime.limits'
      || !store.startsWith('limit ') || !store.endsWith(` ${keyOf(one)}`)));

function marks(mark, some, again, canChange) {
  const id = `marks-${mark}`;
  const add = async event => {
    const button = event.currentTarget;
    const target = await pick({title: t(`marks.${mark}Pick`), one: true});
    if (target && await act(() => setMark(target, mark, true), {button})) again();
  };
  return h('section', {'aria-labelledby': id, 'data-key': id},
    h('div', {class: 'section-head'}, h('h2', {id, tabindex: '-1'}, t(`marks.${mark}`)),
      canChange
        && h('button', {type: 'button', class: 'plain small', onclick: add}, glyphOf('plus'),
          t(`marks.${mark}Add`))),
    h('p', {class: 'quiet small'}, t(`marks.${mark}Text`)),
    some.length > 0 && h('ul', {class: 'rows short'}, some.map(one => {
      const name = nameOf(one.kind, one.subject);
      return h('li', {'data-key': keyOf(one)}, icon(one.kind, one.subject), h('span', {}, name),
        canChange
          && h('button', {
               type: 'button',
               class: 'plain small icon-only',
               'aria-label': t('marks.remove', {name}),
               onclick: event => unmark(one, mark, event.currentTarget, again),
             },
            glyphOf('bin')));
    })));
}
