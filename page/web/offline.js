/** Has the browser keep the page itself, so that it can be installed, and opens where its service cannot be reached. */
import { SERVICE_WORKER, trusted } from './trusted.js';

/** Hands the page over to its service worker. Browsers have none on pages without TLS, except for those of the machine itself,
 * and some have none in private windows: the page is only not kept then. */
export async function keepPage() {
  try {
    await navigator.serviceWorker?.register(trusted(SERVICE_WORKER));
  } catch { /* It is as it would be without. */ }
}
