// The weekly report: a notification that repeats (the contract's WeeklyReport), and the ways by which each
// also leaves this computer. What is chosen is saved by a button, all at once.

import {Problem, call, may, who} from '../api.js';
import {timeText, parseTime} from '../data/limits.js';
import {minuteTime, moment, weekdayName, weekdays} from '../format.js';
import {h} from '../h.js';
import {t} from '../words.js';

import {act} from './act.js';
import {field, leavingButton} from './fields.js';

const identifier = 'weekly-report';
const usualTime = 18 * 60;
const kinds = ['email', 'webhook'];

/** What of a dialog that is closed is still being saved. */
let saving = Promise.resolve();

/**
 * The keys of webhooks, by their addresses. They are made here, so that one is known also if the answer is lost; no service
 * tells it again. {member, secret}; `isSet` once that was answered.
 */
const keys = new Map();

const newKey = () => `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))}`;

/** Undefined unless the present member set it in this page. */
const keyOf = webhook => keys.get(webhook)?.member === who()?.member ? keys.get(webhook)?.secret : undefined;

/**
 * @returns {Promise<{set: {day: number | null, time: number, email: string, webhook: string}, channels: object[],
 *   draft: object, tried: object}>} `set`: what the services have; day 0 is Sunday, null: it is off; an address may be
 *   empty. `draft`: what was chosen instead and is not saved; `tried`: what failed to be saved. Added here:
 *   `isSaving`; `isUsed`, that the addresses are shown until the dialog is closed
 */
export async function readWeekly() {
  await saving;
  return {...await readSet(), draft: {}, tried: {}};
}

const readChannels = async () => may('channel.list') ? (await call('channel.list')).channels : [];

async function readSet() {
  const before = [...keys];
  const [plan, channels] = await Promise.all([readPlan(), readChannels()]);
  const addresses = kinds.map(kind => [kind, channels.find(one => one.kind === kind)?.address ?? '']);
  const set = {...plan, ...Object.fromEntries(addresses)};
  // Set again, it has another one.
  for (const [webhook, key] of before) if (key.isSet && webhook !== set.webhook && keys.get(webhook) === key) keys.delete(webhook);
  return {set, channels};
}

async function readPlan() {
  const {notifications} = await call('notification.list');
  const planned =
    notifications.find(one => one.identifier === identifier && !one.client && one.state === 'scheduled');
  const parts = planned?.trigger?.components;
  if (parts?.weekday === undefined) return {day: null, time: usualTime};
  return {day: parts.weekday - 1, time: (parts.hour ?? 0) * 60 + (parts.minute ?? 0)};
}

/** What is set together. */
const groups = [['day', 'time'], ...kinds.map(kind => [kind])];

const valuesOf = (group, all) => Object.fromEntries(group.map(name => [name, all[name]]));

/** The time of a report that is off is nobody's. */
const isSame = (group, a, b) =>
  group.every(name => a[name] === b[name] || name === 'time' && a.day === null && b.day === null);

/** An address without the spaces around it. */
const wantedOf = ({set, draft}) => {
  const wanted = {...set, ...draft};
  for (const kind of kinds) wanted[kind] = wanted[kind].trim();
  return wanted;
};

/** Of what failed here nobody knows whether it came to be: what is chosen instead is set in any case. */
const isChanged = (weekly, group) => !isSame(group, wantedOf(weekly), weekly.set)
  || group.some(name => name in weekly.tried && name in weekly.draft);

const changedGroups = weekly => groups.filter(group => isChanged(weekly, group));

/** Without what was chosen and is set already; while something is saved, that may become another thing. */
function tidy(weekly) {
  if (weekly.isSaving) return weekly;
  const names = changedGroups(weekly).flat();
  return {...weekly, draft: valuesOf(names.filter(name => name in weekly.draft), weekly.draft)};
}

const report = {title: 'Weekly report', details: {weekly_report: true, tells_opening: true}};

const switchTo = ({day, time}) => day === null
  ? call('notification.clear', {identifiers: [identifier], pending: true, delivered: false})
  : call('notification.post', {
    ...report,
    identifier,
    trigger: {components: {weekday: day + 1, hour: Math.floor(time / 60), minute: time % 60}, repeats: true}
  });

const isRefused = error => error.status >= 400 && error.status < 500;

async function setWebhook(address) {
  if (!address) {
    await call('channel.set', {kind: 'webhook'});
    return keys.clear();
  }
  const key = {member: who()?.member, secret: keyOf(address) ?? newKey()};
  keys.set(address, key);
  await call('channel.set', {kind: 'webhook', address, secret: key.secret}).catch(error => {
    if (isRefused(error)) keys.delete(address);
    throw error;
  });
  // There is one webhook.
  keys.clear();
  keys.set(address, {...key, isSet: true});
}

const setGroup = ([name], wanted) => {
  if (name === 'day') return switchTo(wanted);
  if (name === 'webhook') return setWebhook(wanted.webhook);
  return call('channel.set', {kind: name, ...(wanted[name] ? {address: wanted[name]} : {})});
};

/** What is set now, of what was changed elsewhere. */
const textOf = (group, set) => {
  const [name] = group;
  if (name !== 'day') return `${t(`settings.${name}`)}: ${set[name] || t('settings.noAddress')}`;
  const plan = set.day === null ? t('settings.weeklyOff')
    : `${weekdayName(set.day, 'long')}, ${minuteTime(set.time)}`;
  return `${t('settings.weekly')}: ${plan}`;
};

/** A state with what is set now; what was chosen and not compared with that keeps what it was chosen instead of. */
function withRead(weekly, there, compared) {
  const known = groups.filter(group => compared.includes(group) || group.every(name => !(name in weekly.draft)));
  const set = Object.assign({...weekly.set}, ...known.map(group => valuesOf(group, there.set)));
  return {...weekly, set, channels: there.channels, tried: {}};
}

/** A state in which a group is set; what was chosen meanwhile is still to be saved. */
function withGroup(weekly, group, wanted, more) {
  const isDone = isSame(group, wantedOf(weekly), wanted);
  const draft = Object.fromEntries(Object.entries(weekly.draft).filter(([name]) => !isDone || !group.includes(name)));
  return {...weekly, set: {...weekly.set, ...valuesOf(group, wanted)}, draft, ...more};
}

/** What a channel is after its address was set. */
const withChannel = (channels, [kind], wanted) => ({
  channels: [...channels.filter(one => one.kind !== kind), ...(wanted[kind] ? [{kind, address: wanted[kind]}] : [])],
});

/** A failure that tells also what was set before it. */
function withDone(error, done) {
  const now = done.map(([group, set]) => textOf(group, set)).join(' · ');
  if (now) error.before = t('settings.savedBefore', {now});
  return error;
}

/** Sets what was chosen, unless it was changed elsewhere since it was shown here: whoever saves again replaces that. */
async function saveAll(current, changed) {
  const before = current();
  const wanted = wantedOf(before);
  const chosen = changedGroups(before);
  const there = await readSet();
  // One that failed here may have come to be nevertheless.
  const isKnown = group => [before.set, {...before.set, ...before.tried}, wanted].some(one => isSame(group, there.set, one));
  changed(withRead(current(), there, chosen));
  const others = chosen.filter(group => !isKnown(group) && isChanged(current(), group));
  if (others.length > 0) {
    const now = others.map(group => textOf(group, there.set)).join(' · ');
    throw new Problem({title: 'conflict', detail: t('state.changed', {now})});
  }
  const done = [];
  for (const group of chosen.filter(isKnown)) {
    let more = {};
    if (!isSame(group, wanted, there.set)) {
      await setGroup(group, wanted).catch(error => {
        if (!isRefused(error)) changed({...current(), tried: {...current().tried, ...valuesOf(group, wanted)}});
        throw withDone(error, done);
      });
      if (!group.includes('day')) more = withChannel(current().channels, group, wanted);
    }
    changed(withGroup(current(), group, wanted, more));
    done.push([group, wanted]);
  }
}

/**
 * @param {() => object} current what is shown; it may have changed since this was drawn
 * @param {(weekly: object) => void} changed what is shown from now on
 */
export function weeklyFields(current, changed) {
  const weekly = current();
  const wanted = wantedOf(weekly);
  // What is there once stays: somebody may be writing in it.
  const isUsed = weekly.isUsed || wanted.day !== null || kinds.some(kind => weekly.set[kind]);
  const choose = values => changed(tidy({...current(), draft: {...current().draft, ...values}, isUsed}));
  const plan = values => {
    const {day, time} = wantedOf(current());
    choose({day, time, ...values});
  };
  const save = event => {
    const button = event.currentTarget;
    // The second press of a double click would replace what the first one told of.
    if (event.detail > 1 || button.getAttribute('aria-busy') === 'true') return;
    const taken = values => leavingButton(button, 'weekly-day', () => changed(values));
    saving = act(async () => {
      taken({...tidy(current()), isUsed, isSaving: true});
      try { await saveAll(current, taken); } finally { taken(tidy({...current(), isSaving: false})); }
    }, {button, done: t('settings.saved')});
  };
  const day = h('select', {
    id: 'weekly-day',
    '.value': wanted.day ?? '',
    onchange: event => plan({day: event.target.value === '' ? null : Number(event.target.value)})
  },
    h('option', {value: '', selected: wanted.day === null}, t('settings.weeklyOff')),
    weekdays().map(one => h('option', {value: one, selected: one === wanted.day}, weekdayName(one, 'long'))));
  return [
    field(t('settings.weekly'), day, t('settings.weeklyText')),
    wanted.day !== null
      && field(t('settings.weeklyTime'), h('input', {
        type: 'time',
        id: 'weekly-time',
        '.value': timeText(wanted.time),
        onchange: event => event.target.value && plan({time: parseTime(event.target.value)}),
        // Without a time it is left as it is.
        onblur: event => { event.target.value ||= timeText(wantedOf(current()).time); },
      })),
    isUsed && may('channel.set') && kinds.map(kind => channelField(kind, weekly, choose)),
    (weekly.isSaving || changedGroups(weekly).length > 0) && h('p', {'data-key': 'weekly-save'},
      h('button', {type: 'button', class: 'small primary', id: 'weekly-save', onclick: save}, t('action.save'))),
    isUsed && h('p', {'data-key': 'weekly-now'},
      h('button', {type: 'button', id: 'weekly-now', onclick: event => showNow(event.currentTarget, current, changed)},
        t('settings.weeklyNow'))),
    isUsed && may('channel.set') && wanted.webhook === weekly.set.webhook && keyOf(wanted.webhook)
      && h('p', {class: 'small', id: 'webhook-key', role: 'status'}, t('settings.webhookKey'), ' ',
        h('code', {class: 'command'}, keyOf(wanted.webhook))),
  ];
}

const channelField = (kind, weekly, choose) => field(t(`settings.${kind}`), h('input', {
  type: 'text',
  id: `channel-${kind}`,
  inputmode: kind === 'email' ? 'email' : 'url',
  autocomplete: kind === 'email' ? 'email' : 'off',
  spellcheck: 'false',
  '.value': weekly.draft[kind] ?? weekly.set[kind],
  oninput: event => choose({[kind]: event.currentTarget.value}),
  onkeydown: event => {
    if (event.key === 'Enter' && !event.repeat && !event.isComposing) document.getElementById('weekly-save')?.click();
  },
}), said(kind, weekly.channels.find(one => one.kind === kind)));

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
