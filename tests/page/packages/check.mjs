// Uses every part of the page as a person does, in the browser that QUARTET_BROWSER names, and has axe look at each. Says
// what it did; the last line says that all is well.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import axe from 'axe-core';
import { chromium } from 'playwright-core';

const { QUARTET_ADDRESS: address, QUARTET_BROWSER: executablePath, QUARTET_PDF: pdf, QUARTET_PICTURE: picture } = process.env;
const begun = performance.now();
const said = (text) => console.log(`${((performance.now() - begun) / 1000).toFixed(1)} s: ${text}`);
const problems = [];
// A made camera stands in for a real one.
const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', ...camera] });

async function open(options = {}, language = 'en') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(40_000);
  await page.addInitScript((code) => localStorage.setItem('quartet.language', code), language);
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  // What the service answers is the page's matter; what the browser keeps it from doing is not.
  page.on('console', (message) => message.type() === 'error' && !/status of 4\d\d/.test(message.text()) && problems.push(message.text()));
  page.on('request', (request) => /^(blob|data):/.test(request.url()) || request.url().startsWith(`${address}/`) || problems.push(`asks ${request.url()}`));
  return page;
}

const show = async (page, part) => {
  await page.goto(`${address}/#/${part}`);
  await page.locator(`quartet-${part} h1`).waitFor();
};

let rules = 0;
async function look(page, name) {
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }));
  rules += passes.length;
  for (const { id, nodes } of violations) problems.push(`axe, ${name}: ${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

const page = await open();

await show(page, 'speech');
await page.locator('.voice').first().waitFor();
await page.locator('.controls select').nth(1).selectOption('fast');
await page.fill('#speech-text', 'Good morning. The train leaves at half past seven, and the next one an hour later.');
await page.getByRole('button', { name: 'Speak' }).click();
await page.locator('[data-state=playing]').waitFor();
await page.getByRole('button', { name: 'Save as MP3' }).waitFor();
await page.waitForFunction(() => document.querySelector('quartet-speech').speech.played > 0);
// The words light up as they are said.
for (const word of ['train', 'half']) await page.waitForFunction((said) => [...(CSS.highlights.get('said') ?? [])].join() === said, word);
await page.getByRole('button', { name: 'Stop', exact: true }).click();
await page.locator('[data-state=stopped]').waitFor();
const lengths = [];
for (const format of ['MP3', 'OPUS', 'FLAC', 'WAV']) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Save as ${format}` }).click()]);
  const bytes = fs.readFileSync(await download.path());
  const head = { MP3: [0xff], OPUS: [...Buffer.from('OggS')], FLAC: [...Buffer.from('fLaC')], WAV: [...Buffer.from('RIFF')] }[format];
  assert.deepEqual([...bytes.subarray(0, head.length)], head, format);
  lengths.push(`${format} ${bytes.length}`);
}
assert.ok(await page.evaluate(() => document.querySelector('quartet-waveform').peaks.length > 100));
await page.getByRole('button', { name: 'Hear Charon' }).click();
await page.waitForFunction(() => document.querySelector('quartet-speech').speech.state === 'done');
await page.locator('quartet-request summary').first().click();
assert.match(await page.locator('quartet-speech pre').innerText(), /^curl -s .*\/api\/v1\/tts\/stream/);
await look(page, 'speech');
said(`speech was played, stopped and saved: ${lengths.join(', ')} bytes`);

await show(page, 'pictures');
await page.locator('quartet-pictures input[type=file]').setInputFiles(picture);
await page.locator('quartet-pictures .answer').waitFor();
const marks = page.locator('quartet-pictures .mark');
const all = await marks.count();
assert.ok(all > 0, 'nothing was found in the picture');
await page.locator('quartet-pictures input[type=range]').fill('0.95');
const sure = await marks.count();
assert.ok(sure < all, `${sure} of ${all}`);
await page.locator('quartet-pictures input[type=range]').fill('0');
await page.fill('#picture-question', 'How many people are there?');
await page.keyboard.press('Enter');
await page.locator('quartet-pictures .said').click();
const lit = await page.locator('quartet-pictures .lit').count();
assert.ok(lit > 0, 'no evidence is lit up');
await look(page, 'pictures');
await page.getByRole('button', { name: 'Forget', exact: true }).first().click();
await page.locator('quartet-pictures .stage').waitFor({ state: 'detached' });
said(`a picture was described, ${all} marks filtered to ${sure}, ${lit} lit up, and forgotten`);
await page.getByRole('button', { name: 'Camera' }).click();
await page.waitForFunction(() => document.querySelector('quartet-camera video')?.videoWidth > 0);
await page.getByRole('button', { name: 'Take picture' }).click();
await page.locator('quartet-pictures .answer').waitFor();
assert.equal(await page.locator('quartet-camera').count(), 0);
await page.evaluate(async () => {
  const canvas = new OffscreenCanvas(300, 200);
  const pen = canvas.getContext('2d');
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, 300, 200);
  pen.fillStyle = 'black';
  pen.font = '40px sans-serif';
  pen.fillText('Invoice 42', 30, 110);
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([await canvas.convertToBlob()], 'invoice.png', { type: 'image/png' }));
  document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
});
await page.waitForFunction(() => /Invoice 42/.test(document.querySelector('quartet-pictures .answer')?.innerText));
said('a picture was taken by the camera, another was pasted and read');

await show(page, 'documents');
await page.locator('quartet-documents input[type=file]').setInputFiles({ name: 'no.pdf', mimeType: 'application/pdf', buffer: Buffer.from('this is no document') });
await page.locator('quartet-documents .failure code').first().waitFor();
await page.locator('quartet-documents input[type=file]').setInputFiles(pdf);
await page.fill('#document-question', process.env.QUARTET_QUESTION);
await page.keyboard.press('Enter');
await page.locator('quartet-documents .citation').first().click();
await page.waitForFunction(() => CSS.highlights.get('passage')?.size === 1);
const quoted = await page.evaluate(() => [...CSS.highlights.get('passage')][0].toString());
await look(page, 'documents');
await page.getByRole('tab', { name: 'Questions' }).focus();
await page.keyboard.press('ArrowRight');
await page.getByRole('button', { name: 'Sum it up' }).click();
await page.locator('#panel-summary .citation').first().waitFor();
await page.getByRole('tab', { name: 'Text' }).click();
const blocks = await page.locator('.blocks li').count();
assert.ok(blocks > 3, `${blocks} blocks`);
await look(page, 'text of a document');
said(`a document was read (${blocks} blocks), summed up and asked; lit up: ${JSON.stringify(quoted.slice(0, 60))}`);

await show(page, 'chat');
await page.fill('#chat-message', 'How many feet are in 3 miles?');
await page.keyboard.press('Enter');
assert.match(await page.locator('.computation strong').innerText(), /15,?840/);
await page.getByRole('button', { name: 'Read aloud' }).click();
await page.waitForFunction(() => document.querySelector('quartet-chat').reading === null);
await page.reload();
await page.locator('.computation').waitFor();
await look(page, 'chat');
said('chat computed, read it aloud and kept it over a reload');

await show(page, 'status');
await page.locator('.plot').first().waitFor();
assert.equal(await page.locator('.component').count(), 4);
await look(page, 'status');
said('the status has plots and four versions');

// A service that asks for a key: the dialog comes by itself, and the key goes with the next request.
const guarded = await open();
let keys = [];
await guarded.route('**/api/v1/**', (route) => {
  const sent = route.request().headers().authorization;
  keys.push(sent);
  return sent ? route.continue() : route.fulfill({ status: 401, contentType: 'application/json', body: JSON.stringify({ success: false, error: 'a key is needed', code: 'unauthorized', requestId: 'r1' }) });
});
await guarded.goto(address);
await guarded.locator('dialog.key[open]').waitFor();
await look(guarded, 'key');
keys = [];
await guarded.fill('#key', 'quartet_a_key');
await guarded.keyboard.press('Enter');
await guarded.locator('.voice').first().waitFor();
assert.ok(keys.every((sent) => sent === 'Bearer quartet_a_key') && keys.length === 3, String(keys));
assert.equal(await guarded.evaluate(() => localStorage.getItem('quartet.key')), null);
said('a key was asked for, kept for the tab and sent');

const dark = await open({ colorScheme: 'dark' }, 'ar');
const narrow = await open({ viewport: { width: 320, height: 640 } }, 'de');
for (const part of ['speech', 'pictures', 'documents', 'chat', 'status']) {
  await show(dark, part);
  await look(dark, `${part}, dark, Arabic`);
  await show(narrow, part);
  const width = await narrow.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 320, `${part} is ${width} pixels wide`);
}
assert.equal(await dark.evaluate(() => document.documentElement.dir), 'rtl');
await look(narrow, 'narrow');
await dark.goto(address);
await dark.locator('.voice').first().waitFor();
await dark.evaluate(() => document.activeElement.blur());
await dark.keyboard.press('Tab');
assert.equal(await dark.evaluate(() => document.activeElement.className), 'skip');
said('dark, from right to left, and 320 pixels wide');

await browser.close();
assert.deepEqual(problems, []);
said(`axe found nothing, ${rules} rules passed`);
console.log('all is well');
