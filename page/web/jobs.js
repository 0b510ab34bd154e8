/** Work that takes long, as a job of the service: it goes on while nobody looks, is not cut where a request's time ends, and is
 * found again by its address, which is all that is kept of it. */
import { ask, follow, get, send } from './api.js';

/** Times that a broken connection is taken up again without any news in between, and the pause before the first, in
 * milliseconds. */
const ATTEMPTS = 5;
const PAUSE = 1000;

/** Begins a job for a request, and returns its address. */
export async function begin(call, options) {
  call.headers = { prefer: 'respond-async' };
  const answer = await send(call, options);
  return answer.headers.get('location');
}

/** Takes a job back, or has its answer forgotten. */
export const cancel = (address) => send({ method: 'DELETE', path: address });

/**
 * Waits for the end of a job, and returns its data with the request that got them.
 * @param {string} address
 * @param {(event: string, data: any) => void} tell
 * @param {{ signal?: AbortSignal }} [options]
 */
export async function outcome(address, tell, options) {
  const { state, requestId } = await watch(address, tell, options);
  // In another window, for example one that this tab was copied to.
  if (state === 'cancelled') throw new DOMException('the job was taken back', 'AbortError');
  const call = get(`${address}/result`);
  try {
    return { data: await ask(call, options), call };
  } catch (error) {
    // The log has the work under the id of the request that began it.
    if (state === 'failed') error.id = requestId;
    throw error;
  }
}

async function watch(address, tell, options) {
  const told = new Set();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await follow(get(`${address}/events`), (event, data) => {
        attempt = 0;
        if (event === 'progress') tell(event, { stage: data.state === 'queued' ? 'queued' : undefined, ...data.progress });
        // Whoever asks again hears of all pages again.
        if (event !== 'page' || told.has(data.page)) return;
        told.add(data.page);
        tell(event, data);
      }, options);
    } catch (error) {
      // With a status the service has spoken; else the connection is gone, and the job goes on.
      if (options?.signal?.aborted || error.status || attempt >= ATTEMPTS) throw error;
      await new Promise((resolve) => { setTimeout(resolve, PAUSE * (attempt + 1)); });
    }
  }
}
