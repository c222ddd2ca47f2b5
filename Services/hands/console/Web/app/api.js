// The console's server: the only module that sends requests.

/** An error as the server or a service named it (RFC 9457). `title` is its stable name. */
export class Problem extends Error {
  constructor({status = 0, title = 'unavailable', detail = '', remedy = ''}) {
    super(detail);
    Object.assign(this, {status, title, detail, remedy});
  }
}

let session = null;
let whenSignedOut = () => {};

/** Who is signed in, or was last; null before `open`. */
export const who = () => session;

/** Calls `body` when the server does not know the session any more. */
export function onSignedOut(body) { whenSignedOut = body; }

async function fetched(path, options) {
  let response;
  try {
    response = await fetch(path, {credentials: 'same-origin', cache: 'no-store', ...options});
    if (response.ok) return response.status === 204 ? null : await response.json();
  } catch (error) {
    // The connection may end within the answer; what is no JSON is a defect.
    throw error instanceof SyntaxError ? error : new Problem({title: 'unavailable', detail: ''});
  }
  let problem = {};
  try {
    problem = await response.json();
  } catch { /* No problem document: the status says all. */
  }
  const error = new Problem({...problem, status: response.status});
  error.retryAfter = Number(response.headers.get('Retry-After')) || 0;
  if (response.status === 401 && path !== '/session') whenSignedOut();
  throw error;
}

/**
 * Reads the session.
 * @returns null if nobody is signed in; `who` stays whoever was, for a form that is still open
 */
export async function open() {
  try {
    session = await fetched('/session');
  } catch (error) {
    if (error.status !== 401) throw error;
    return null;
  }
  return session;
}

/** Exchanges a ticket of `screentime open` for a session. */
export async function signIn(ticket) {
  await fetched('/session', {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify({ticket}),
  });
  return open();
}

export async function signOut() {
  await post('/session/end', {});
  session = null;
}

/** Sends again what was not looked at, because this session asked too much at once. */
async function patiently(send) {
  for (let attempt = 1;; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (error.title !== 'tooManyRequests' || !error.retryAfter || attempt === 5) throw error;
      await new Promise(resolve => setTimeout(resolve, error.retryAfter * 1000));
    }
  }
}

/** Reads on the way: `{stays, controller}`. A browser has six connections to one server, for all its tabs. */
const reads = new Set();
/** Of these connections, how many reads leave none to another page of this tab. */
const SCARCE = 4;
/** Milliseconds after which a page that was about to be left is still there. */
const STAYED = 2000;
let actions = 0;

/** What `send` reads is given up when the page is left; what the frame reads `stays`. */
async function reading(stays, send) {
  if (actions > 0) return send();
  const controller = new AbortController();
  const one = {stays, controller};
  reads.add(one);
  try {
    return await send(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? new Problem({title: 'left'}) : error;
  } finally { reads.delete(one); }
}

/** Gives up what is not answered within so many milliseconds, and with it its connection; 0: never. */
async function inTime(within, signal, send) {
  if (!within) return send(signal);
  const controller = new AbortController();
  const giveUp = () => controller.abort();
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted) giveUp();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    giveUp();
  }, within);
  try {
    return await send(controller.signal);
  } catch (error) {
    throw isLate ? new Problem({title: 'deadlineExceeded'}) : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Gives up what the page reads: a service that hangs would keep the connections that the next one needs. */
export function leavePage() {
  for (const one of reads) if (!one.stays) one.controller.abort();
}

/** What a person began is finished when they leave the page: nothing that `body` reads is given up. */
export async function whole(body) {
  actions += 1;
  try {
    return await body();
  } finally { actions -= 1; }
}

/** Calls `body` when the page was left, or about to be, and is there: what it read was given up. */
export function onStayed(body) {
  // The browser may keep a page that was left, with its connections.
  addEventListener('pagehide', () => {
    for (const one of reads) one.controller.abort();
  });
  addEventListener('pageshow', event => event.persisted && body());
  addEventListener('beforeunload', () => {
    if (reads.size < SCARCE) return;
    for (const one of reads) one.controller.abort();
    setTimeout(body, STAYED);
  });
}

async function post(path, params, key, signal, within = 0) {
  const send = () => inTime(within, signal, mine => fetched(path, {
    method: 'POST',
    signal: mine,
    headers: {
      'Content-Type': 'application/json',
      'X-CSRF-Token': session?.csrf ?? '',
      ...(key ? {'Idempotency-Key': key} : {}),
    },
    body: JSON.stringify(params),
  }));
  try {
    return await patiently(send);
  } catch (error) {
    // Somebody signed in again in another tab: the browser has another session, with another token.
    if (error.title !== 'wrongToken' || !await open()) throw error;
    return send();
  }
}

/** Asks whether this browser is still signed in; tells it if not. */
export async function check() {
  // A console that does not answer has signed nobody out.
  const isKnown = await open().catch(() => true);
  if (!isKnown) whenSignedOut();
  return Boolean(isKnown);
}

/** Whether this role may call the method: what it may not is not on the page. */
export const may = method => session?.methods?.includes(method) ?? false;

/** The methods that change nothing, by their last word. */
const isRead = method => /\.(check|list|pending|predict|query|read|recount|status)$/.test(method);

/**
 * Calls a method of the contract.
 * @param {string} method for example `report.query`
 * @param {object} params as in the contract
 * @param {{service?: string, key?: string, stays?: boolean, within?: number}} options whom to ask, for methods that all
 *   services have; a key that makes a repetition of a write the same write; `stays`: it is read for more than the page;
 *   `within`: milliseconds that an answer may take
 */
export function call(method, params = {}, {service, key, stays = false, within} = {}) {
  const query = service ? `?service=${encodeURIComponent(service)}` : '';
  const send = signal => post(`/api/${method}${query}`, params, key, signal, within);
  return isRead(method) ? reading(stays, send) : send();
}

/** Milliseconds between attempts while the console runs as many commands as it may. */
const PAUSE = 400;
const ATTEMPTS = 20;

/** Runs a command of a built-in app, for example `run('limits', 'list')`; its `--json` output. */
export function run(program, ...words) {
  const send = signal => runWith(signal, program, words);
  return ['diary', 'list', 'status'].includes(words[0]) ? reading(false, send) : send();
}

async function runWith(signal, program, words) {
  for (let attempt = 1;; attempt += 1) {
    try {
      return await post('/api/app.run', {program, arguments: words}, undefined, signal);
    } catch (error) {
      // Nothing has begun; another page's command has to end first.
      if (error.title !== 'tooManyRequests' || attempt === ATTEMPTS) throw error;
      await new Promise(resolve => setTimeout(resolve, PAUSE));
    }
  }
}

/** The newest lines of a process's log, the oldest first: objects, or texts where a line is none. */
export const logOf = name =>
  reading(false, signal => patiently(() => fetched(`/log/${encodeURIComponent(name)}`, {signal})))
    .then(answer => answer.lines);

/** All pages of `catalog.list`. */
export async function wholeCatalogue(kind) {
  const items = [];
  let after;
  do {
    const page = await call('catalog.list', {kind, ...(after ? {after} : {})}, {stays: true});
    items.push(...page.items);
    after = page.next;
  } while (after);
  return items;
}

/** All pages of a report, as rows: `{segment_start, key, value}`. */
export async function report(params) {
  const first = await call('report.query', {...params, shape: 'table', page: 0});
  const rows = rowsOf(first.table);
  let next = first.next_page;
  while (next !== undefined) {
    const page = await call('report.query', {...params, shape: 'table', page: next});
    rows.push(...rowsOf(page.table));
    next = page.next_page;
  }
  return {...first, rows};
}

function rowsOf(table) {
  const rows = [];
  for (const segment of table?.segments ?? []) {
    for (let i = 0; i < segment.cells.length; i += 2) {
      rows.push({
        segment_start: segment.segment_start,
        key: table.keys[segment.cells[i]],
        value: segment.cells[i + 1],
      });
    }
  }
  return rows;
}
