// Reads a long scan on the page, leaves and comes back, cuts its connection and stops it, in the browser that QUARTET_BROWSER
// names. Says what it did; the last line says that all is well.
import assert from 'node:assert/strict';
import { address, finish, launch, look, open, problems, said, show } from './common.mjs';
import { proxy } from './proxy.mjs';
import { scan } from './scan.mjs';

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const TEXTS = NUMBERS.map((number) => `This is sheet ${number} of the harbour log. The wind came from the west in the morning. Two ships left before noon, and the third one waited for the tide.`);

const browser = await launch();
const camera = await (await browser.newContext()).newPage();
const buffer = await scan(camera, TEXTS);
await camera.close();
const service = await proxy(address);
const page = await open(browser, {}, 'en', service.origin);
const file = { name: 'harbour.pdf', mimeType: 'application/pdf', buffer };
const begun = [];
const removed = [];
page.on('request', (request) => {
  const path = new URL(request.url()).pathname;
  if (request.method() === 'POST' && path === '/api/v1/pdf/extract-text') begun.push(request.headers().prefer ?? '');
  if (request.method() === 'DELETE') removed.push(path);
});
const job = () => page.evaluate(() => sessionStorage['quartet.job'] ?? '');
const status = async (path) => (await fetch(`${address}${path}`)).status;
/** Waits until the service has forgotten a job. */
const gone = async (path) => {
  for (let times = 0; await status(path) !== 404; times += 1) {
    assert.ok(times < 50, `${path} is kept`);
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
};
/** The page says which page of the scan is read, and shows the text of those that were. */
const progress = async (least) => {
  const found = await page.waitForFunction((number) => {
    const part = document.querySelector('quartet-documents');
    const bar = part.querySelector('progress');
    // Before, its pages are looked through for text.
    return part.stage?.stage === 'recognising' && bar?.value >= number && { value: bar.value, max: bar.max };
  }, least);
  const { value, max } = await found.jsonValue();
  assert.ok(value < max && max === TEXTS.length, `${value} of ${max}`);
  return value;
};

await show(page, 'documents', service.origin);
await page.locator('quartet-documents input[type=file]').setInputFiles(file);
const first = await progress(1);
await page.locator('quartet-documents .blocks li').first().waitFor();
assert.deepEqual(begun, ['respond-async']);
const at = await job();
assert.match(at, /^\/api\/v1\/jobs\/[0-9a-f]{32}$/);
await look(page, 'a document that is read');
// Its address is all that is kept.
const stored = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
assert.ok(!/harbour|sheet|tide/i.test(stored), stored);
await page.goto('about:blank');
await page.goto(`${service.origin}/#/documents`);
const second = await progress(first);
said(`${first} of ${TEXTS.length} pages were read, and ${second} when the page was come back to`);

// The connection breaks; the job knows nothing of it.
service.turn(null);
await new Promise((resolve) => { setTimeout(resolve, 1500); });
service.turn(address);
await page.locator('#document-question').waitFor({ timeout: 120_000 });
assert.deepEqual(begun, ['respond-async'], 'it was read once');
await page.getByRole('tab', { name: 'Text' }).click();
const text = await page.locator('quartet-documents .blocks').innerText();
for (const number of [NUMBERS[0], NUMBERS.at(-1)]) assert.match(text, new RegExp(`sheet ${number}\\b`, 'i'));
// That requests failed meanwhile is what this is about.
assert.ok(problems.every((problem) => /Failed to load resource|net::ERR/.test(problem)), problems.join('\n'));
problems.length = 0;
await page.reload();
await page.locator('#document-question').waitFor();
await page.fill('#document-question', 'How many ships left before noon?');
await page.keyboard.press('Enter');
await page.locator('quartet-documents .citation').first().click();
await page.locator('quartet-text .cited').waitFor();
// That a document does not say something is not in its words.
await page.fill('#document-question', 'Who painted the lighthouse?');
await page.keyboard.press('Enter');
await page.locator('quartet-documents .turns .answer', { hasText: /No sentence was found|It is not certain/ }).waitFor();
assert.equal((await page.locator('quartet-documents .turns').innerText()).match(/In the words of the document/g).length, 1);
await page.getByRole('tab', { name: 'Summary' }).click();
assert.match(await page.locator('#panel-summary').innerText(), /Choose it again/);
await look(page, 'a document that was come back to');
said('the connection broke, the scan was read to its end, and found again after that');

await page.getByRole('button', { name: 'Forget', exact: true }).click();
await page.locator('quartet-documents .beside').waitFor({ state: 'detached' });
assert.equal(await job(), '');
await gone(at);
assert.deepEqual(removed, [at]);
said('its answer was forgotten with it');

await page.locator('quartet-documents input[type=file]').setInputFiles(file);
await progress(1);
const stopped = await job();
assert.equal(await status(stopped), 200);
await page.getByRole('button', { name: 'Stop', exact: true }).focus();
await page.keyboard.press('Enter');
await page.locator('quartet-documents .beside').waitFor({ state: 'detached' });
assert.equal(await page.evaluate(() => document.activeElement.type), 'file');
assert.equal(await page.locator('.failure').count(), 0);
await gone(stopped);
await page.reload();
await page.locator('quartet-documents h1').waitFor();
assert.equal(await page.locator('quartet-documents .beside').count(), 0);
said('it was stopped by keyboard, and nothing of it is left');

await finish(browser);
await service.close();
