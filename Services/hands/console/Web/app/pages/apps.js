// Apps that act through extensions: questions to decide first, then each with its switches, health and
// budget.

import {Problem, call, may, who} from '../api.js';
import {at, duration, number} from '../format.js';
import {h} from '../h.js';
import {act} from '../parts/act.js';
import {confirm} from '../parts/dialog.js';
import {switchField} from '../parts/fields.js';
import {sayFirstOf} from '../parts/first.js';
import {empty, screen} from '../parts/screen.js';
import {has, parts, t} from '../words.js';
import {clientName} from '../data/why.js';

const CALLBACKS = 12;

export default root => screen(root, {
  load,
  draw,
  events: ['authorization.changed', 'extension.', 'callback.'],
  pause: 2000,
});

async function load() {
  const [authorizations, extensions, deliveries, members] = await Promise.all([
    call('authorization.list'),
    call('extension.list'),
    call('delivery.list', {limit: 400}),
    call('member.list'),
  ]);
  return {
    members: new Map(members.members.map(one => [one.id, one.name])),
    authorizations: authorizations.authorizations,
    extensions: extensions.extensions,
    deliveries: deliveries.deliveries
  };
}

function draw({authorizations, extensions, deliveries, members}, again) {
  // Who asked last comes last: nothing moves under a pointer.
  const asking = authorizations.filter(one => one.pending).sort((a, b) => a.requested_ms - b.requested_ms);
  const nameIn = client => clientName(client, authorizations.find(one => one.client === client)?.client_name);
  const clients =
    [...new Set([...extensions.map(one => one.client), ...authorizations.map(one => one.client)])].sort(
      (a, b) => nameIn(a).localeCompare(nameIn(b)));
  return [
    h('header', {class: 'page-head'},
      h('div', {}, h('h1', {tabindex: '-1'}, t('nav.apps')), h('p', {class: 'quiet'}, t('apps.lead')))),
    asking.length > 0
      && h('section', {'aria-labelledby': 'questions', 'data-key': 'questions'},
        h('h2', {id: 'questions', tabindex: '-1'}, t('apps.questions', {n: asking.length})),
        h('ul', {}, asking.map(one => question(one, members, again)))),
    clients.length === 0
      ? empty(t('apps.empty'), t('apps.emptyText'))
      : h('section', {'aria-labelledby': 'programs', 'data-key': 'programs'}, h('h2', {id: 'programs'}, t('apps.programs')),
        h('ul', {},
          clients.map(
            client => app(client, authorizations.filter(one => one.client === client), members,
              extensions.filter(one => one.client === client),
              deliveries.filter(one => one.about.client === client).slice(-CALLBACKS).reverse(), again)))),
  ];
}

/** Whose it is, where that can be somebody else. */
const whose = (one, members) =>
  members.size > 1 || one.member !== who().member ? members.get(one.member) ?? one.member : null;

function question(one, members, again) {
  const decide = decision => async event => {
    let isOver = false;
    const isDone = await act(async () => {
      try {
        await call('authorization.decide', {id: one.id, decision});
      } catch (error) {
        // Elsewhere, or the app asks no more.
        isOver = error.title === 'conflict';
        throw isOver ? new Problem({title: 'conflict', detail: t('requests.decided')}) : error;
      }
    }, {button: event.currentTarget});
    if (isDone || isOver) again();
  };
  const name = clientName(one.client, one.client_name);
  return h('li', {class: 'request', 'data-key': one.id},
    h('h3', {id: `question-${one.id}`}, t('permission.title', {app: name})),
    h('p', {}, t('permission.text', {app: name})),
    one.asks_data_access && h('p', {}, t('permission.data', {app: name})),
    h('p', {class: 'quiet small'},
      [whose(one, members), one.client].filter(Boolean).map(text => [text, ' · ']), at(one.requested_ms)),
    h('p', {class: 'actions'},
      h('button', {
        type: 'button',
        class: 'primary',
        'aria-describedby': `question-${one.id}`,
        onclick: decide('approve')
      },
        t('permission.allow')),
      h('button', {type: 'button', 'aria-describedby': `question-${one.id}`, onclick: decide('deny')},
        t('permission.deny'))));
}

function app(client, authorizations, members, extensions, deliveries, again) {
  const name = clientName(client, authorizations[0]?.client_name);
  const failed = extensions.find(one => one.last_error);
  return h('li', {class: 'request', 'data-key': client},
    h('div', {class: 'section-head'}, h('div', {}, h('h3', {}, name), h('p', {class: 'quiet small'}, client)),
      (authorizations.length < 2 || failed) && state(client, authorizations[0], failed)),
    failed && h('p', {class: 'problem'}, failed.last_error),
    may('authorization.switch')
      && authorizations.filter(one => one.status === 'approved' || one.decided_ms)
           .map(one => switches(one, name,
                  authorizations.length > 1 ? members.get(one.member) ?? one.member : whose(one, members), again)),
    extensions.length > 0
      && h('details', {}, h('summary', {}, t('apps.extensions', {n: extensions.length})),
        h('ul', {class: 'rows bare'}, extensions.map(one => extension(one, again)))),
    deliveries.length > 0
      && h('details', {}, h('summary', {}, t('apps.callbacks')),
        h('ul', {class: 'rows'}, deliveries.map(callback))));
}

function state(client, one, failed) {
  if (failed) return h('span', {class: 'tag bad'}, t('apps.failing'));
  if (client === 'org.screentime.limits') return h('span', {class: 'tag on'}, t('apps.builtIn'));
  if (!one) return h('span', {class: 'tag'}, t('apps.notAsked'));
  if (one.pending) return h('span', {class: 'tag'}, t('apps.asking'));
  return one.status === 'approved' && one.access
    ? h('span', {class: 'tag on'}, t(one.restrictions ? 'apps.allowed' : 'apps.paused'))
    : h('span', {class: 'tag'}, t('apps.refused'));
}

/** Whether an app has something to cover; where that cannot be read, it may. */
async function hasShields({client, member}) {
  const all = await call('settings.list', {member}).catch(() => null);
  return !all || all.stores.some(one => one.client === client && one.settings.some(
    ({key}) => key.startsWith('shield.') || key === 'application.blockedApplications'));
}

function switches(one, name, member, again) {
  const change = key => async (isOn, input) => {
    if (key === 'access' && !isOn && !await confirm({
          title: t('apps.revokeTitle', {app: name}),
          text: t('apps.revokeText'),
          action: t('apps.revoke'),
          danger: true
        })) {
      input.checked = true;
      // It may have been taken back elsewhere meanwhile.
      again();
      return;
    }
    const hasEffect = key === 'restrictions' || one.restrictions;
    if (isOn && hasEffect && one.status === 'approved' && await hasShields(one)
      && !await sayFirstOf(t('apps.restrictionsNow', {app: name}), t('now.text'))) {
      input.checked = false;
      again();
      return;
    }
    if (!await act(() => call('authorization.switch', {client: one.client, member: one.member, [key]: isOn}),
          {button: input}))
      input.checked = !isOn;
    again();
  };
  return h(member ? 'fieldset' : 'div', {class: 'choice', 'data-key': one.member},
    member && h('legend', {}, member, ' ', state(one.client, one, null)),
    switchField(t('apps.access'), one.access, change('access'), t('apps.accessText')),
    one.access
      && switchField(
        t('apps.restrictions'), one.restrictions, change('restrictions'), t('apps.restrictionsText')));
}

const points = {
  'com.apple.deviceactivity.monitor-extension': 'monitor',
  'com.apple.ManagedSettingsUI.shield-configuration-service': 'look',
  'com.apple.ManagedSettings.shield-action-service': 'action',
  'com.apple.deviceactivityui.report-extension': 'report',
};
const megabytes = bytes => t('unit.mb', {n: number(Math.round(bytes / 104_857.6) / 10)});

function extension(one, again) {
  const remove = async event => {
    const button = event.currentTarget;
    if (await confirm({
          title: t('apps.removeTitle', {name: one.id}),
          text: t('apps.removeText'),
          action: t('action.remove'),
          danger: true
        })
      && await act(() => call('extension.remove', {id: one.id}), {button}))
      again();
  };
  const {budget, measured} = one;
  return h('li', {'data-key': one.id},
    h('div', {class: 'what'}, h('span', {}, t(`apps.point.${points[one.point]}`)),
      h('span', {class: 'quiet'}, one.id), budget && h('span', {class: 'quiet'}, t('apps.budget', {
        memory: megabytes(budget.memory_bytes),
        time: milliseconds(budget.callback_ms),
        processor: milliseconds(budget.processor_ms)
      })),
      measured && h('span', {class: 'quiet'}, t('apps.measured', {
        callback: callbackName(measured.callback),
        time: milliseconds(measured.took_ms),
        memory: measured.memory_bytes ? megabytes(measured.memory_bytes) : '–'
      })),
      one.last_error && h('span', {class: 'problem'}, one.last_error)),
    h('div', {class: 'end'}, h('span', {class: 'tag'}, t(one.running ? 'apps.running' : 'apps.idle')),
      one.source && may('extension.remove')
        && h('button', {type: 'button', class: 'small', onclick: remove}, t('action.remove'))));
}

const milliseconds = ms => ms < 1000 ? t('unit.ms', {n: number(ms)}) : duration(ms, {seconds: true});
const callbackName = name => has(`callback.${name}`) ? t(`callback.${name}`) : name;

function callback(one) {
  return h('li', {'data-key': String(one.id)}, h('span', {class: 'quiet small'}, at(one.about.at_ms)),
    h('div', {class: 'what'}, h('span', {}, callbackName(one.callback)),
      h('span', {class: 'quiet'}, [one.about.activity, one.about.event].filter(Boolean).join(' · ')),
      one.error && h('span', {class: 'problem'}, one.error)),
    h('span', {class: one.state === 'failed' ? 'tag bad' : 'tag'},
      one.state === 'waiting' && one.due_ms ? parts('apps.waiting', {time: at(one.due_ms)})
                                            : t(`delivery.${one.state}`)));
}
