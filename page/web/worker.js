/** Keeps the page for when its service cannot be reached: it opens then, shows the conversations that the browser has, and
 * works again once the service answers. It keeps the page's own files and nothing else: no answer of the interface passes
 * through it. What stands between at signs is filled in when the page is built. */

const FOLDER = '@folder@/';
const FILES = ['@files@'];

/** Begins the names of what is kept. Another version has another name, and removes what the ones before it kept. */
const PREFIX = 'quartet-';
const KEPT = `${PREFIX}@digest@`;

/** Paths that are always asked of the service. Browsers that know static routes do not even start the worker for it. */
const ASKED = ['/api/*', '/v1/*', '/metrics', '/readyz'];

/** Statuses by which a proxy says that there is no service behind it. */
const AWAY = [502, 503, 504];

/** Statuses by which a service says that it has no page. */
const GONE = [404, 410];

addEventListener('install', (event) => {
  const routed = event.addRoutes?.(ASKED.map((urlPattern) => ({ condition: { urlPattern }, source: 'network' }))).catch(() => {});
  event.waitUntil(Promise.all([keep(), routed]));
});

addEventListener('activate', (event) => event.waitUntil(takeOver()));

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate' && pathname === '/') event.respondWith(page(request));
  else if (pathname.startsWith(FOLDER)) event.respondWith(file(request));
});

/** Keeps the page and what it is shown with; most of it the browser has just loaded. */
async function keep() {
  const cache = await caches.open(KEPT);
  const first = await fetch('/', { cache: 'no-cache' });
  // Another replica may be of another version, whose page asks for files that are not kept here.
  if (!first.ok || !(await first.clone().text()).includes(FOLDER)) throw new Error('the page is of another version');
  await cache.addAll(FILES.map((name) => FOLDER + name));
  await cache.put('/', first);
  await skipWaiting();
}

async function takeOver() {
  await forget((name) => name !== KEPT);
  await clients.claim();
}

async function forget(which) {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && which(name));
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** The page as the service has it; as it was kept, where there is no service. */
async function page(request) {
  let answer;
  try {
    answer = await fetch(request);
  } catch { /* Nobody answers. */ }
  if (answer && !AWAY.includes(answer.status)) {
    if (await isOther(answer)) await retire();
    return answer;
  }
  const kept = await caches.match('/', { cacheName: KEPT, ignoreVary: true });
  return kept ?? answer ?? Response.error();
}

/** True if what answers has no page of this kind: its operator took it away, or another program has the address now. */
async function isOther(answer) {
  return GONE.includes(answer.status) || (answer.ok && !(await answer.clone().text()).includes('<quartet-page'));
}

/** Leaves nothing behind. */
async function retire() {
  await registration.unregister();
  await forget(() => true);
}

/** A file of this version. One that is not kept is asked for, and not kept then, either. */
async function file(request) {
  return (await caches.match(request.url, { cacheName: KEPT, ignoreVary: true })) ?? fetch(request);
}
