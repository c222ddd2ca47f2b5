// The weekly report: a notification that repeats (the contract's WeeklyReport), and the ways by which each
// also leaves this computer.

import {Problem, call, may} from '../api.js';
import {timeText, parseTime} from '../data/limits.js';
import {moment, weekdayName, weekdays} from '../format.js';
import {h} from '../h.js';
import {t} from '../words.js';

import {act} from './act.js';
import {openedDialog} from './dialog.js';
import {field} from './fields.js';

const identifier = 'weekly-report';
const usualTime = 18 * 60;
const kinds = ['email', 'webhook'];

const readChannels = async () => may('channel.list') ? (await call('channel.list')).channels : [];

/**
 * @returns {Promise<{day: number | null, time: number, channels: object[], secret: string?}>} day 0 is Sunday;
 *   null: it is off
 */
export async function readWeekly() {
  // What was chosen in a dialog that is closed may be on its way.
  await turn;
  const [plan, channels] = await Promise.all([readPlan(), readChannels()]);
  return {...plan, channels};
}

async function readPlan() {
  const {notifications} = await call('notification.list');
  const planned =
    notifications.find(one => one.identifier === identifier && !one.client && one.state === 'scheduled');
  const parts = planned?.trigger?.components;
  if (parts?.weekday === undefined) return {day: null, time: usualTime};
  return {day: parts.weekday - 1, time: (parts.hour ?? 0) * 60 + (parts.minute ?? 0)};
}

/** The time of a report that is off is nobody's. */
const isSamePlan = (a, b) => a.day === b.day && (a.day === null || a.time === b.time);

const report = {title: 'Weekly report', details: {weekly_report: true, tells_opening: true}};

const switchTo = ({day, time}) => day === null
  ? call('notification.clear', {identifiers: [identifier], pending: true, delivered: false})
  : call('notification.post', {
    ...report,
    identifier,
    trigger: {components: {weekday: day + 1, hour: Math.floor(time / 60), minute: time % 60}, repeats: true}
  });

/** One after the other, so that the last choice is what stays; who waits saves nothing once there is a newer one. */
let turn = Promise.resolve();
let newest = 0;
/** The last one that was made before it was shown that another is set. */
let outdated = 0;

/** Unless it was changed elsewhere since it was shown here; a plan that failed here may have come to be nevertheless. */
async function replace(plan, current, changed) {
  const there = await readPlan();
  if (isSamePlan(plan, there)) return;
  const {saved, sent = []} = current();
  if (![saved, ...sent].some(one => isSamePlan(one, there))) {
    // What waits was chosen without knowing that.
    outdated = newest;
    changed({...current(), ...there, saved: there, sent: []});
    throw new Problem({title: 'conflict', detail: t('settings.changed')});
  }
  changed({...current(), sent: [...sent, plan]});
  await switchTo(plan);
}

/**
 * @param {() => object} current what is shown; it may have changed since this was drawn
 * @param {(weekly: object) => void} changed what is shown from now on
 */
export function weeklyFields(current, changed) {
  const weekly = current();
  const set = values => {
    const {day, time} = current();
    const number = newest += 1;
    // When its turn comes, another one may be open.
    const dialog = openedDialog();
    changed({saved: {day, time}, ...current(), ...values});
    turn = turn.then(async () => {
      if (number < newest || number <= outdated) return;
      const {day, time} = current();
      const isDone = await act(() => replace({day, time}, current, changed), {done: t('settings.saved'), dialog});
      if (isDone) changed({...current(), saved: {day, time}, sent: []});
      // What was chosen meanwhile is still to be saved.
      else if (number === newest) changed({...current(), ...current().saved});
    });
  };
  const day = h('select', {
    id: 'weekly-day',
    '.value': weekly.day ?? '',
    onchange: event => set({day: event.target.value === '' ? null : Number(event.target.value)})
  },
    h('option', {value: '', selected: weekly.day === null}, t('settings.weeklyOff')),
    weekdays().map(one => h('option', {value: one, selected: one === weekly.day}, weekdayName(one, 'long'))));
  // What was there once stays until the dialog is closed: somebody may be writing in it.
  const isUsed = weekly.day !== null || weekly.channels.length > 0 || weekly.written !== undefined;
  return [
    field(t('settings.weekly'), day, t('settings.weeklyText')),
    weekly.day !== null
      && field(t('settings.weeklyTime'), h('input', {
        type: 'time',
        id: 'weekly-time',
        '.value': timeText(weekly.time),
        onchange: event => event.target.value && set({time: parseTime(event.target.value)}),
        // Without a time it is left as it is.
        onblur: event => { event.target.value ||= timeText(current().time); },
      })),
    isUsed && may('channel.set') && kinds.map(kind => channelField(kind, current, changed)),
    isUsed && h('p', {'data-key': 'weekly-now'},
      h('button', {type: 'button', id: 'weekly-now', onclick: event => showNow(event.currentTarget, current, changed)},
        t('settings.weeklyNow'))),
    // Below the button: a press on that may be what saves an address.
    isUsed && may('channel.set') && weekly.secret
      && h('p', {class: 'small', id: 'webhook-key', role: 'status'}, t('settings.webhookKey'), ' ',
        h('code', {class: 'command'}, weekly.secret)),
  ];
}

function channelField(kind, current, changed) {
  const address = () => current().channels.find(one => one.kind === kind)?.address ?? '';
  // What is written and not saved stays, however often this is drawn: the states that follow share it.
  const {drafts, refused, sent, waits} = current().written ??= {drafts: {}, refused: {}, sent: {}, waits: {}};
  const save = async text => {
    const written = text.trim();
    const there = await readChannels();
    const known = there.find(one => one.kind === kind)?.address ?? '';
    // One that failed here may have come to be nevertheless.
    if (![address(), written, sent[kind]].includes(known)) {
      // What is written meanwhile was so without knowing that.
      waits[kind] = false;
      if (!written && drafts[kind] === text) delete drafts[kind];
      changed({...current(), channels: there});
      const now = known || t('settings.noAddress');
      throw new Problem(
        {title: 'conflict', detail: written ? t('settings.addressChanged', {now}) : t('settings.changed')});
    }
    sent[kind] = written;
    const {secret} = await call('channel.set', {kind, ...(written ? {address: written} : {})});
    delete sent[kind];
    if (drafts[kind] === text) delete drafts[kind];
    // It is saved, and its key is shown, also where the rest cannot be read.
    const others = current().channels.filter(one => one.kind !== kind);
    const channels = written ? [...others, {kind, address: written}] : others;
    changed({...current(), channels, secret: kind === 'webhook' ? secret : current().secret});
    changed({...current(), channels: await readChannels()});
  };
  const forget = () => {
    delete drafts[kind];
    delete refused[kind];
    changed({...current()});
  };
  const set = async input => {
    const isBusy = input.getAttribute('aria-busy') === 'true';
    if (!isBusy && input.value === address()) return forget();
    drafts[kind] = input.value;
    waits[kind] = true;
    // Who is saving another one looks again afterwards.
    if (isBusy) return;
    while (waits[kind] && drafts[kind] !== undefined) {
      waits[kind] = false;
      const text = drafts[kind];
      const isDone = await act(() => save(text), {done: t('settings.saved'), button: input});
      if (isDone) delete refused[kind];
      else refused[kind] = waits[kind] ? text : drafts[kind];
    }
    changed({...current()});
  };
  const isRefused = refused[kind] !== undefined && refused[kind] === drafts[kind];
  const control = h('input', {
    type: 'text',
    id: `channel-${kind}`,
    inputmode: kind === 'email' ? 'email' : 'url',
    autocomplete: kind === 'email' ? 'email' : 'off',
    spellcheck: 'false',
    'aria-invalid': isRefused && 'true',
    '.value': drafts[kind] ?? address(),
    oninput: event => {
      if (event.currentTarget.value === address()) forget();
      else drafts[kind] = event.currentTarget.value;
    },
    // Escape takes the field away, which is a change for a browser. A press elsewhere saves, as in all of Settings, also
    // that on the button that closes them.
    onchange: event => event.currentTarget.closest('dialog')?.open ? set(event.currentTarget) : forget(),
    // Once more: unchanged text is no change.
    onkeydown: event => {
      if (event.key === 'Enter' && !event.repeat && !event.isComposing
        && refused[kind] === event.currentTarget.value)
        set(event.currentTarget);
    },
  });
  const channel = current().channels.find(one => one.kind === kind);
  return field(t(`settings.${kind}`), control, isRefused ? t('settings.notSaved') : said(kind, channel));
}

/** What a channel is, or what came of the last report. */
function said(kind, channel) {
  if (channel?.problem) {
    const next = channel.next ? ` ${t('settings.channelNext', {time: moment(channel.next)})}` : '';
    return t('settings.channelProblem', {problem: channel.problem}) + next;
  }
  if (channel?.delivered) return t('settings.channelDelivered', {time: moment(channel.delivered)});
  return t(`settings.${kind}Text`);
}

const showNow = (button, current, changed) => act(async () => {
  await call('notification.post', {...report, identifier: `${identifier}-now`});
  const channels = await readChannels();
  changed({...current(), channels});
}, {done: t('settings.weeklyShown'), button});
