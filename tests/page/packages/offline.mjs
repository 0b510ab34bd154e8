// Installs the page, takes its service away, and puts others in its place, in the browser that QUARTET_BROWSER names. Says what
// it did; the last line says that all is well.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { address, finish, problems, said, settings, show, watch } from './common.mjs';
import { proxy } from './proxy.mjs';

const { QUARTET_WITHOUT_PAGE: withoutPage } = process.env;
const service = await proxy(address);
const { origin } = service;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quartet-browser-'));
// Windows of their own install nothing: browsers take them for private ones.
const context = await chromium.launchPersistentContext(folder, { ...settings, viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
const page = watch(context.pages()[0] ?? await context.newPage(), origin);
await page.addInitScript(() => {
  // What the browser shows where nobody answers keeps nothing.
  if (location.protocol === 'http:') localStorage['quartet.language'] ??= 'en';
});

const names = () => page.evaluate(() => caches.keys());
const kept = () => page.evaluate(async () => {
  const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  return all.flat().map((request) => new URL(request.url).pathname);
});
const until = async (what, is) => {
  for (let times = 0; times < 200; times += 1) {
    if (await is()) return;
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
  throw new Error(`never: ${what}`);
};

await show(page, 'chat', origin);
await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
await page.waitForFunction(() => navigator.serviceWorker.controller);
const session = await context.newCDPSession(page);
const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
assert.deepEqual(installabilityErrors, []);
const { data, errors } = await session.send('Page.getAppManifest');
assert.deepEqual(errors, []);
const { icons } = JSON.parse(data);
const sizes = await page.evaluate((icons_) => Promise.all(icons_.map(async ({ src, type, sizes: said_ }) => {
  const link = document.querySelector('link[rel=manifest]').href;
  const answer = await fetch(new URL(src, link));
  if (answer.headers.get('content-type') !== type) return `${src} is ${answer.headers.get('content-type')}`;
  if (type === 'image/svg+xml') return said_;
  const { width, height } = await createImageBitmap(await answer.blob());
  return `${width}x${height}`;
})), icons);
assert.deepEqual(sizes, icons.map((icon) => icon.sizes));
for (const purpose of ['any', 'maskable']) assert.ok(icons.some((icon) => icon.purpose === purpose && icon.sizes === '512x512'), purpose);
// That the browser would say so is seen where there is nothing to install.
const other = await context.newPage();
await other.goto(`${origin}/docs`);
const unable = await (await context.newCDPSession(other)).send('Page.getInstallabilityErrors');
assert.ok(unable.installabilityErrors.length > 0, 'the browser finds everything installable');
await other.close();
said(`it can be installed, with icons of ${sizes.join(', ')}`);

await page.fill('#chat-message', 'How many feet are in 3 miles?');
await page.keyboard.press('Enter');
await page.locator('.computation').waitFor();
await page.goto(`${origin}/#/speech`);
await page.locator('.voice').first().waitFor();
const files = await kept();
assert.ok(files.length > 30 && files.every((file) => file === '/' || file.startsWith('/page/')), files.join(' '));
assert.equal((await names()).length, 1);
assert.ok(!files.some((file) => file.includes('pdf.min') || file.includes('swagger')), files.join(' '));
// What was loaded is not loaded a second time to be kept.
const loaded = service.state.asked.filter((asked) => /\.(js|css)$/.test(asked) && asked.includes('/page/'));
assert.equal(new Set(loaded).size, loaded.length, loaded.join('\n'));
said(`${files.length} files are kept, and no answers`);

service.turn(null);
problems.length = 0;
await page.goto(`${origin}/#/chat`);
await page.reload();
await page.locator('quartet-chat .computation').waitFor();
await page.locator('.tools select').selectOption('ar');
await page.waitForFunction(() => document.documentElement.dir === 'rtl');
await page.locator('.tools select').selectOption('en');
await page.waitForFunction(() => document.documentElement.dir === 'ltr');
await assert.rejects(page.evaluate(() => fetch('/api/v1/tts/voices')));
await page.goto(`${origin}/#/speech`);
await page.locator('quartet-speech .failure').waitFor();
// That requests fail is what this is about.
assert.ok(problems.every((problem) => /Failed to load resource|net::ERR/.test(problem)), problems.join('\n'));
problems.length = 0;
service.turn(address);
await page.locator('.voice').first().waitFor();
assert.equal(await page.locator('quartet-speech .failure').count(), 0);
problems.length = 0;
said('without its service it opens, in another language too, with what the browser has; it works again by itself');

const [before] = await names();
service.state.newer = true;
await page.reload();
await until('the newer version is kept', async () => {
  const now = await names();
  return now.length === 1 && now[0] !== before;
});
const later = await kept();
assert.equal(later.length, files.length);
assert.ok(later.every((file) => file === '/' || file.startsWith('/page/feedfeed')), later.join(' '));
service.turn(null);
await page.reload();
await page.locator('quartet-speech h1').waitFor();
assert.ok(await page.evaluate(() => document.querySelector('script').src.includes('/page/feedfeed')));
problems.length = 0;
said('a newer version takes the place of the older, and nothing of that is left');

service.turn(withoutPage);
const gone = await page.goto(`${origin}/`);
assert.equal(gone.status(), 404);
await until('the worker is gone', () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length === 0));
await until('nothing is kept', async () => (await names()).length === 0);
problems.length = 0;
service.turn(null);
await assert.rejects(page.goto(`${origin}/`));
said('where there is no page any more, nothing of it is left behind');

await finish(context);
await service.close();
fs.rmSync(folder, { recursive: true, force: true });
