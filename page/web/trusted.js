/** Addresses of scripts that the page hands to the browser. Its policy (Trusted Types) lets these through and nothing else. */

/** The worker of pdf.js. */
export const PDF_WORKER = new URL('library/pdf.worker.min.mjs', import.meta.url).href;

/** The service worker. */
export const SERVICE_WORKER = '/worker.js';

const KNOWN = [PDF_WORKER, SERVICE_WORKER];

const policy = globalThis.trustedTypes?.createPolicy('quartet', {
  createScriptURL: (address) => {
    if (!KNOWN.includes(address)) throw new TypeError('only the workers of the page');
    return address;
  },
});

/** An address as the browser takes it. */
export const trusted = (address) => (policy ? policy.createScriptURL(address) : address);
