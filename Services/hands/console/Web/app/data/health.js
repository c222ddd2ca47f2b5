// Whether use is measured and limits act, and if not, why and what to do.

import {call} from '../api.js';

export const services =
  ['auth-service', 'activity-center', 'shield-service', 'report-service', 'monitor-runner', 'notifier'];

/** Whether a process does not answer; where the console itself does not, nothing is known of it. */
const isSilent = error => error.title === 'deadlineExceeded' || error.title === 'unavailable' && error.status > 0;

/** The health of a process; `down` if it does not answer, or not within so many milliseconds. */
export const healthOf = (service, within) => call('health.check', {}, {service, within}).catch(error => {
  if (!isSilent(error)) throw error;
  return {service, state: 'down', degraded_by: [error.detail].filter(Boolean), counters: [], follows: []};
});

/**
 * `{measuring: null|{key, why}, enforcing: null|{why}}`: null is as it should be, or, with `later`, not known
 * yet: that is a promise of the answer. `failure`: it could not be asked whether limits act.
 */
export function readHealth() {
  const all = readAll();
  // A process that is not there may be noticed only at the deadline of the question.
  const late =
    new Promise(resolve => setTimeout(resolve, PATIENCE, {measuring: null, enforcing: null, later: all}));
  return Promise.race([all, late]);
}

/** Milliseconds for which a page waits for the agent; then it is drawn, and again with the answer. */
const PATIENCE = 400;

async function readAll() {
  // What one of them cannot say, the other says all the same.
  const [agent, center, checks] = await Promise.all([
    healthOf('desktop-agent').catch(error => ({state: 'unknown', degraded_by: [error.detail]})),
    // What the agent sees is counted there.
    healthOf('activity-center').catch(() => ({state: 'unknown'})),
    call('enforcement.list').catch(failure => ({failure, results: []})),
  ]);
  let measuring = null;
  if (agent.state === 'down') measuring = {key: 'agent'};
  else if (agent.state !== 'ready' && agent.state !== 'unknown')
    measuring = {key: 'degraded', why: agent.degraded_by?.join(' ') || agent.state};
  if (center.state === 'down')
    measuring ??= {key: 'center', why: center.degraded_by.join(' ') || 'activity-center'};
  const last = checks.results[0];
  const enforcing = last?.state === 'not_enforcing' ? {why: last.reason ?? ''} : null;
  return {measuring, enforcing, failure: checks.failure};
}
