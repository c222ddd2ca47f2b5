// Requests for more time: what waits for a decision first, then what is open because of one, then what was.

import {Problem, call, who} from '../api.js';
import * as clock from '../clock.js';
import {endedEarly, readRecord, recordKey, recordText} from '../data/audit.js';
import {covers} from '../data/cover.js';
import {ago, at, duration} from '../format.js';
import {h} from '../h.js';
import {icon, load as loadNames, nameOf} from '../names.js';
import {openDialog} from '../parts/dialog.js';
import {amountField, field} from '../parts/fields.js';
import {actIfWanted, sayFirst} from '../parts/first.js';
import {empty, screen} from '../parts/screen.js';
import {parts, t} from '../words.js';

/** Decided requests that are shown. */
const PAST = 60;

/** Entries of the record that are shown. */
const RECORD = 100;

async function load() {
  const [waiting, requests, exceptions, members, record] = await Promise.all([
    call('request.list', {state: 'pending', limit: 500}),
    call('request.list', {limit: 500}),
    call('exception.list'),
    call('member.list'),
    readRecord(),
    loadNames(),
  ]);
  return {
    // Who asked last comes last: nothing moves under a pointer.
    pending: waiting.requests.reverse(),
    past: requests.requests.filter(one => one.state !== 'pending')
            .sort((one, other) => endOf(other) - endOf(one)).slice(0, PAST),
    exceptions: exceptions.exceptions,
    members: new Map(members.members.map(one => [one.id, one])),
    record,
  };
}

/** When it was decided; those that nobody decided stand where they were made. */
const endOf = one => one.decided_ms ?? one.asked_ms;

export default root => screen(root, {
  load,
  draw,
  every: 30_000,
  events: [
    'request.created', 'request.decided', 'exception.began', 'exception.ended', 'authorization.changed',
    'member.changed'
  ],
  pause: 2000,
});

function draw(data, again) {
  const {pending, past, exceptions} = data;
  const shown = data.record.slice(0, RECORD), ended = endedEarly(data.record);
  return [
    h('header', {class: 'page-head', 'data-key': 'head'},
      h('div', {}, h('h1', {tabindex: '-1'}, t('nav.requests')), h('p', {class: 'quiet'}, t('requests.lead')))),
    pending.length === 0 ? empty(t('requests.empty'), t('requests.emptyText'))
                         : h('section', {'aria-labelledby': 'waiting', 'data-key': 'waiting'},
                           h('h2', {id: 'waiting', tabindex: '-1'}, t('requests.waiting', {n: pending.length})),
                           h('ul', {}, pending.map(one => waiting(one, data, again)))),
    exceptions.length > 0
      && h('section', {'aria-labelledby': 'open-now', 'data-key': 'open-now'},
        h('h2', {id: 'open-now', tabindex: '-1'}, t('requests.open')),
        h('ul', {class: 'rows'}, exceptions.map(one => running(one, data.members, again)))),
    past.length > 0
      && h('section', {'aria-labelledby': 'past', 'data-key': 'past'}, h('h2', {id: 'past'}, t('requests.past')),
        h('ul', {class: 'rows'}, past.map(one => before(one, data.members, ended)))),
    data.record.length > 0
      && h('section', {'aria-labelledby': 'audit', 'data-key': 'audit'}, h('h2', {id: 'audit'}, t('requests.audit')),
        h('p', {class: 'quiet small'}, t('requests.auditText')),
        h('details', {}, h('summary', {}, t('requests.auditShow', {n: shown.length})),
          h('ul', {class: 'rows'},
            shown.map(
              entry => h('li', {'data-key': recordKey(entry)},
                h('span', {class: 'quiet small'}, at(entry.at_ms)),
                h('span', {}, recordText(entry, data.members, asksFor)),
                h('a', {class: 'small', href: `/bus?trace=${entry.trace}`}, t('requests.trace'))))))),
  ];
}

/** A form may have been open for long. */
const isPending = async id =>
  (await call('request.list', {state: 'pending', limit: 500})).requests.some(one => one.id === id);

const asksFor = one => one.one_more_minute ? t('requests.oneMinute')
  : one.minutes                            ? t('requests.asksMinutes', {time: duration(one.minutes * 60_000)})
                                           : t('requests.asksDay');

/** What is opened beside the subject; null: nothing. */
const alsoOpens = one => one.kind === 'app' ? null
  : one.subject === 'all' && one.kind !== 'domain' ? t('requests.opens.all') : t(`requests.opens.${one.kind}`);

function waiting(one, data, again) {
  const name = nameOf(one.kind, one.subject);
  const member = data.members.get(one.member);
  const decide = async (decision, minutes, answer, button) => {
    const done = decision === 'approve' ? t('requests.allowed', {name}) : t('requests.refused', {name});
    let isOver = false;
    const isDone = await actIfWanted(async () => {
      isOver = !await isPending(one.id);
      return true;
    }, async () => {
      try {
        if (!isOver) {
          const {request: decided} = await call('request.decide', {
            id: one.id,
            decision,
            ...(minutes ? {minutes} : {}),
            ...(answer ? {answer} : {}),
          });
          // The service takes the same decision again, without its word.
          isOver = (decided.answer ?? '') !== answer;
        }
      } catch (error) {
        isOver = error.title === 'conflict';
        if (!isOver) throw error;
      }
      // Elsewhere, or by the press before.
      if (isOver) throw new Problem({title: 'conflict', detail: t('requests.decided')});
    }, {button, done});
    if (isDone || isOver) again();
    return isDone;
  };
  // Of oneself one may decide only after the delay that one chose.
  const wait = one.self_approval_ms && one.self_approval_ms > clock.now() ? one.self_approval_ms : null;
  return h('li', {class: 'request', 'data-key': one.id},
    h('div', {class: 'request-head', id: `request-${one.id}`}, icon(one.kind, one.subject),
      h('div', {}, h('h3', {}, name),
        h('p', {class: 'quiet'},
          parts('requests.by',
            {member: member?.name ?? one.member, what: asksFor(one), time: ago(one.asked_ms)})))),
    one.reason && h('p', {class: 'say'}, one.reason),
    alsoOpens(one) && h('p', {class: 'quiet'}, alsoOpens(one)),
    wait
      && h('p', {class: 'quiet'},
        // Seconds are not shown: the full minute that is not before it.
        wait < one.day_end_ms ? parts('requests.waitUntil', {time: at(Math.ceil(wait / 60_000) * 60_000)})
                              : t('requests.waitTooLong')),
    h('div', {class: 'actions'},
      h('button', {
        type: 'button',
        class: 'primary',
        disabled: Boolean(wait),
        'aria-describedby': `request-${one.id}`,
        onclick: event => decide('approve', null, '', event.currentTarget)
      },
        one.minutes ? t('requests.allowMinutes', {time: duration(one.minutes * 60_000)})
                    : t('requests.allowDay')),
      h('button', {
        type: 'button',
        disabled: Boolean(wait),
        'aria-describedby': `request-${one.id}`,
        onclick: () => other(one, name, member?.name ?? one.member, decide)
      },
        t('requests.other')),
      h('button', {
        type: 'button',
        'aria-describedby': `request-${one.id}`,
        onclick: event => decide('deny', null, '', event.currentTarget)
      },
        t('requests.deny'))));
}

/** Other minutes, and a word. */
function other(one, name, member, decide) {
  const state = {minutes: one.minutes ?? 30, answer: ''};
  openDialog({
    title: t('requests.otherTitle', {name}),
    body: (close, update) => [
      h('p', {class: 'quiet'}, parts('requests.by', {member, what: asksFor(one), time: ago(one.asked_ms)})),
      alsoOpens(one) && h('p', {class: 'quiet'}, alsoOpens(one)),
      amountField(t('requests.minutes'), {
        id: 'grant',
        minutes: state.minutes,
        change: minutes => {
          state.minutes = minutes;
          update();
        }
      }),
      field(t('requests.word'), h('input', {
        type: 'text',
        id: 'grant-word',
        maxlength: 500,
        '.value': state.answer,
        oninput: event => {
          state.answer = event.target.value;
        }
      }),
        t('requests.wordHint')),
      h('p', {class: 'actions'},
        h('button', {
          type: 'button',
          class: 'primary',
          disabled: state.minutes < 1,
          onclick: async event => {
            if (await decide('approve', state.minutes, state.answer.trim(), event.currentTarget)) close();
          }
        },
          t('requests.allowMinutes', {time: duration(state.minutes * 60_000)})),
        h('button', {
          type: 'button',
          class: 'danger',
          onclick: async event => {
            if (await decide('deny', null, state.answer.trim(), event.currentTarget)) close();
          }
        },
          t('requests.deny')),
        h('button', {type: 'button', class: 'plain', onclick: () => close()}, t('action.cancel'))),
  ],
  });
}

/** Of whom it is, where that is somebody else. */
const whose = (one, members) => one.member !== who().member
  && h('span', {class: 'quiet'}, members.get(one.member)?.name ?? one.member);

/** How long that is from now, to the minute. */
function left(instant) {
  const ms = Math.max(1000, instant - clock.now());
  return duration(ms < 60_000 ? ms : Math.round(ms / 60_000) * 60_000);
}

function running(one, members, again) {
  const name = nameOf(one.kind, one.subject);
  const end = async event => {
    const isWanted = async () => sayFirst(await covers({member: one.member, ended_exceptions: [one.id]}));
    if (await actIfWanted(isWanted, () => call('exception.end', {id: one.id}),
          {button: event.currentTarget, done: t('requests.ended', {name})}))
      again();
  };
  return h('li', {'data-key': one.id}, icon(one.kind, one.subject),
    h('div', {class: 'what'}, h('span', {class: 'name'}, name),
      whose(one, members),
      h('span', {class: 'quiet'},
        parts('requests.until', {time: at(one.end_ms), left: left(one.end_ms)})),
      one.reason && h('span', {class: 'quiet'}, `“${one.reason}”`)),
    h('div', {class: 'end'},
      h('button', {
        type: 'button',
        class: 'small',
        'aria-label': t('requests.endName', {name}),
        onclick: end,
      },
        t('requests.end'))));
}

function before(one, members, ended) {
  const end = one.state === 'approved' && ended.get(one.id);
  return h('li', {'data-key': one.id}, icon(one.kind, one.subject),
    h('div', {class: 'what'}, h('span', {}, nameOf(one.kind, one.subject)), whose(one, members),
      h('span', {class: 'quiet'}, [asksFor(one), one.reason && ` · “${one.reason}”`]),
      one.answer && h('span', {class: 'quiet'}, t('requests.answer', {text: one.answer}))),
    h('div', {class: 'end'},
      h('span', {class: one.state === 'approved' ? 'tag on' : 'tag'},
        one.state === 'approved' && one.granted
          ? t('requests.grantedMinutes', {time: duration(one.granted * 60_000)})
          : t(`state.${one.state}`)),
      h('span', {class: 'quiet small'}, at(endOf(one))),
      end && h('span', {class: 'quiet small'}, parts('requests.endedAt', {time: at(end.at_ms)}))));
}
