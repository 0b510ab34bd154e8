/** The service's interface, as any other client uses it. Every call is remembered for its card: the request as it can be sent
 * from elsewhere, and the times and the version of the answer. */
import { key } from './settings.js';

/** A failure of a request, with what the service said of it. */
export class Failure extends Error {
  constructor(message, { code = 'unreachable', status = 0, id = '', retryAfter = 0 } = {}) {
    super(message);
    Object.assign(this, { code, status, id, retryAfter });
  }
}

/**
 * A request as it was sent, and what is known of its answer.
 * @typedef {{ method: string, path: string, json?: object, form?: Record<string, string | File>, file?: File, accept?: string,
 *   headers?: Record<string, string>, token?: boolean, status?: number, id?: string, version?: string, timing?: Record<string, number>, streamed?: boolean, first?: number, total?: number }} Call
 */

/** Asks for a key when one is needed; the page sets it. */
let askForKey = () => {};
export const onKeyNeeded = (ask) => { askForKey = ask; };

function timing(header) {
  const times = {};
  for (const part of (header ?? '').split(',')) {
    const found = /^\s*(\w+);dur=([\d.]+)/.exec(part);
    if (found) times[found[1]] = Number(found[2]);
  }
  return times;
}

async function failed(answer, id) {
  let message = answer.statusText || String(answer.status);
  let code = 'internal';
  try {
    const body = await answer.json();
    const problem = body.error?.message ? body.error : { message: body.error, code: body.code };
    message = problem.message ?? message;
    code = problem.code ?? code;
    id = body.requestId ?? id;
  } catch { /* It says nothing more. */ }
  if (answer.status === 401) askForKey();
  return new Failure(message, { code, status: answer.status, id, retryAfter: Number(answer.headers.get('retry-after')) || 0 });
}

/**
 * Sends a request and returns the response once its head is there, if it is no failure.
 * @param {Call} call
 * @param {{ signal?: AbortSignal, bearer?: string }} [options]
 */
export async function send(call, { signal, bearer = key.get() } = {}) {
  const headers = new Headers(call.headers);
  let body;
  if (bearer) headers.set('authorization', `Bearer ${bearer}`);
  if (call.accept) headers.set('accept', call.accept);
  if (call.json) {
    headers.set('content-type', 'application/json');
    body = JSON.stringify(call.json);
  } else if (call.form) {
    body = new FormData();
    for (const [name, value] of Object.entries(call.form)) body.append(name, value);
  } else if (call.file) {
    body = call.file;
  }
  const begun = performance.now();
  let answer;
  try {
    answer = await fetch(call.path, { method: call.method, headers, body, signal, cache: 'no-store' });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Failure(error.message);
  }
  call.begun = begun;
  call.first = performance.now() - begun;
  call.status = answer.status;
  call.id = answer.headers.get('x-request-id') ?? '';
  call.version = answer.headers.get('x-quartet-component') ?? '';
  call.timing = timing(answer.headers.get('server-timing'));
  call.streamed = !answer.headers.has('content-length');
  if (!answer.ok) throw await failed(answer, call.id);
  return answer;
}

/** Sends a request and returns the data of its answer. */
export async function ask(call, options) {
  const answer = await send(call, options);
  const body = await answer.json();
  call.total = performance.now() - call.begun;
  return body.data ?? body;
}

/**
 * Sends a request whose answer is streamed, tells of its events, and returns the data of the last.
 * @param {Call} call
 * @param {(event: string, data: any) => void} tell
 */
export async function follow(call, tell, options) {
  call.accept = 'text/event-stream';
  const answer = await send(call, options);
  for await (const { event, data } of events(answer)) {
    if (event === 'error') throw new Failure(data.error, { code: data.code, id: data.requestId ?? call.id });
    if (event === 'done') {
      call.total = performance.now() - call.begun;
      return data.data ?? data;
    }
    tell(event, data);
  }
  throw new Failure('the answer broke off before its end', { id: call.id });
}

/** A request with a JSON body. @returns {Call} */
export const post = (path, json) => ({ method: 'POST', path, json });

/** A request without a body. @returns {Call} */
export const get = (path) => ({ method: 'GET', path });

/** An upload. @returns {Call} */
export const upload = (path, form) => ({ method: 'POST', path, form });

/**
 * Server-sent events of a response.
 * @param {Response} answer
 * @returns {AsyncGenerator<{ event: string, data: any }>}
 */
export async function* events(answer) {
  let rest = '';
  for await (const text of pieces(answer.body.pipeThrough(new TextDecoderStream()))) {
    rest += text;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      const event = { event: 'message', data: '' };
      for (const line of block.split(/\r?\n/)) {
        if (line.startsWith('event:')) event.event = line.slice(6).trim();
        if (line.startsWith('data:')) event.data += line.slice(5).trimStart();
      }
      if (event.data) yield { event: event.event, data: JSON.parse(event.data) };
    }
  }
}

/** The pieces of a stream; Safari cannot walk through one by itself. */
export async function* pieces(stream) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
