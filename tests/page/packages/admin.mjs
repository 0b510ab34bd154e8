// Changes versions at the admin interface's own page, in the browser that QUARTET_BROWSER names. Says what it did; the last line
// says that all is well.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { address, finish, launch, look, open, problems, said } from './common.mjs';

const { QUARTET_TOKEN_FILE: tokenFile, QUARTET_NEWER: newer, QUARTET_NEWEST: newest } = process.env;
const token = fs.readFileSync(tokenFile, 'utf8').trim();
const browser = await launch();
const page = await open(browser);
await page.goto(address);
assert.equal(await page.locator('nav a').count(), 1);
assert.match(await page.locator('quartet-status form').innerText(), /admin\.token/);
await page.fill('#token', token);
await page.keyboard.press('Enter');
const card = page.locator('.component').filter({ has: page.locator('h3', { hasText: /^tts$/ }) });
const version = () => card.locator('.facts code').first().innerText();
/** Waits until this version is shown, or another one. */
const shows = (is, digest) => page.waitForFunction(([same, wanted]) => {
  const found = [...document.querySelectorAll('.component')].find((one) => one.querySelector('h3').textContent === 'tts');
  return (found.querySelector('.facts code').textContent === wanted) === same;
}, [is, digest]);
const done = (text) => page.locator('quartet-status > section > p[role=status]', { hasText: text }).waitFor();
await card.waitFor();
const first = await version();
assert.match(first, /^[0-9a-f]{12}$/);
await page.locator('.plot').nth(4).waitFor();
assert.match(await page.locator('quartet-status > section > p .badge').innerText(), /^not loaded: .*chat/);
assert.equal(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)), 0);
await look(page, 'the admin interface');
said('the versions and the plots are shown for the token, and nothing is kept of this page');

// A file that is dropped on a component takes its place.
const dropped = await page.evaluateHandle((text) => {
  const transfer = new DataTransfer();
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  transfer.items.add(new File([bytes], 'newer.wasm', { type: 'application/wasm' }));
  return transfer;
}, fs.readFileSync(newer).toString('base64'));
await page.evaluate(() => {
  window.at = new Set();
  new MutationObserver(() => {
    const current = document.querySelector('.steps [aria-current=step]');
    if (current) window.at.add(current.lastChild.textContent.trim());
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
});
await card.dispatchEvent('drop', { dataTransfer: dropped });
await done('The new version of tts serves.');
await shows(false, first);
const second = await version();
assert.notEqual(second, first);
/** The steps of the last file, each with how it ended. */
const steps = () => page.locator('.steps li').evaluateAll((all) => all.map((one) => `${one.lastChild.textContent.trim()}: ${one.classList[1]}`));
assert.deepEqual(await steps(), ['Read', 'Check', 'Compile', 'Link', 'Try out', 'Store'].map((step) => `${step}: passed`));
assert.equal(await page.locator('.steps [aria-current]').count(), 0);
const at = await page.evaluate(() => [...window.at]);
assert.deepEqual(at, ['Read', 'Check', 'Compile', 'Link', 'Try out', 'Store'].filter((step) => at.includes(step)));
// A quick machine has done the others before the next look.
assert.ok(at.includes('Read'), at.join(', '));
await page.locator('quartet-status .request summary').click();
assert.match(await page.locator('quartet-status .request pre').innerText(), /curl .*\/admin\/v1\/components\/tts\/swap[^]*-H "authorization: Bearer \$QUARTET_TOKEN"[^]*--data-binary '@newer\.wasm'/);
said(`${first} gave way to ${second}, which was dropped`);

await card.getByRole('button', { name: 'Roll back' }).click();
await done('Rolled back.');
await shows(true, first);
said('it was rolled back');

await page.fill('input[type=number]', '25');
await page.keyboard.press('Tab');
await card.locator('label.button', { hasText: 'Canary at 25%' }).locator('input').setInputFiles(newest);
await done('A canary of tts answers now.');
await card.locator('.badge', { hasText: 'Canary' }).waitFor();
await look(page, 'a canary');
await card.getByRole('button', { name: 'Promote' }).click();
await done('Promoted.');
await shows(false, first);
await card.locator('.badge').waitFor({ state: 'detached' });
said(`a canary was begun at a quarter, and promoted: ${await version()}`);

await card.locator('label.button', { hasText: 'Swap' }).locator('input').setInputFiles({ name: 'bad.wasm', mimeType: 'application/wasm', buffer: Buffer.from('\0asm') });
await page.locator('.failure code', { hasText: 'component_refused' }).waitFor();
assert.match(await page.locator('.failure').innerText(), /Request id: [0-9a-f]{32}/);
assert.deepEqual(await steps(), ['Read: passed', 'Check: refused', 'Compile: ahead', 'Link: ahead', 'Try out: ahead', 'Store: ahead']);
await look(page, 'a refused version');
said('a file that is no component was refused, with the step, what to do and the id of the request');

// Of this service only one component is there, and so it is not ready; the browser tells of that, too.
const unready = /status of 503/;
assert.ok(problems.some((problem) => unready.test(problem)));
problems.splice(0, problems.length, ...problems.filter((problem) => !unready.test(problem)));
await finish(browser);
