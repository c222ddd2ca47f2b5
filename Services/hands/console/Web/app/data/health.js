// Whether use is measured and limits act, and if not, why and what to do.

import { call } from '../api.js';

export const services = ['auth-service', 'activity-center', 'shield-service', 'report-service', 'monitor-runner', 'notifier'];

/** `{measuring: null|{why, remedy}, enforcing: null|{why}}`: null is as it should be. */
export async function readHealth() {
  const [agent, results] = await Promise.all([
    call('health.check', {}, { service: 'desktop-agent' }), call('enforcement.list'),
  ]);
  let measuring = null;
  if (agent.state === 'down') measuring = { key: 'agent' };
  else if (agent.state !== 'ready') measuring = { key: 'degraded', why: agent.degraded_by?.join(' ') || agent.state };
  const last = results.results[0];
  return { measuring, enforcing: last?.state === 'not_enforcing' ? { why: last.reason ?? '' } : null };
}
