// Uses every part of the page as a person does, in the browser that QUARTET_BROWSER names, and has axe look at each. Says
// what it did; the last line says that all is well.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { address, finish, launch, look, open, pdf, picture, question, said, show } from './common.mjs';
import { forms, runs } from './snippets.mjs';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'ru', 'ja', 'ko', 'zh', 'hi', 'ar'];

const browser = await launch();
const page = await open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });

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
await runs(page, 'speech');
await forms(page);
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
const [kind] = await page.locator('quartet-pictures .chip .count').allInnerTexts();
await page.locator('quartet-pictures .chip[aria-pressed]').first().click();
assert.equal(await marks.count(), all - Number(kind), 'a kind is hidden');
await page.locator('quartet-pictures .chip[aria-pressed]').first().click();
assert.equal(await marks.count(), all);
// Its text is selected on the picture, as on paper.
const written = page.locator('quartet-pictures .mark.text text').first();
const [word] = (await written.textContent()).split(' ');
await written.dblclick({ position: { x: 4, y: 4 } });
assert.equal((await page.evaluate(() => getSelection().toString())).trim(), word);
await runs(page, 'pictures', picture);
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
await page.fill('#document-question', question);
await page.keyboard.press('Enter');
await page.locator('quartet-documents .citation').first().click();
await page.waitForFunction(() => CSS.highlights.get('passage')?.size === 1);
const quoted = await page.evaluate(() => [...CSS.highlights.get('passage')][0].toString());
await runs(page, 'documents');
await look(page, 'documents');
await page.getByRole('tab', { name: 'Questions' }).focus();
await page.keyboard.press('ArrowRight');
await page.getByRole('button', { name: 'Sum it up' }).click();
await page.locator('#panel-summary .citation').first().waitFor();
await look(page, 'summary');
await page.getByRole('tab', { name: 'Text' }).click();
const blocks = await page.locator('.blocks li').count();
assert.ok(blocks > 3, `${blocks} blocks`);
await page.getByRole('button', { name: 'Copy as Markdown' }).click();
await page.waitForFunction(() => document.querySelector('quartet-documents').copied === 'markdown');
assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^<!-- page 1 -->[^]*<!-- page 2 -->/);
await look(page, 'text of a document');
said(`a document was read (${blocks} blocks), summed up and asked; lit up: ${JSON.stringify(quoted.slice(0, 60))}`);

// A page that cannot be drawn says so in its place, and is drawn when it is come back to.
await page.evaluate(() => {
  const view = document.querySelector('quartet-pdf');
  const real = view.pdf.getPage;
  view.pdf.getPage = (number) => (number === 2 ? Promise.reject(new Error('made on purpose')) : real.call(view.pdf, number));
  view.release(2);
  view.draw(2);
  view.restore = () => { view.pdf.getPage = real; };
});
await page.locator('[data-page="2"] .undrawn', { hasText: /could not be drawn.*made on purpose/ }).waitFor();
await look(page, 'a page that is not drawn');
await page.evaluate(() => {
  const view = document.querySelector('quartet-pdf');
  view.restore();
  view.release(2);
  return view.draw(2);
});
await page.locator('[data-page="2"] canvas').waitFor();

// Where the browser draws nothing of a document, its text is shown, and citations lead there.
const plain = await open(browser, { serviceWorkers: 'block' });
await plain.route('**/library/pdf.min.mjs', (route) => route.fulfill({ status: 404 }));
await show(plain, 'documents');
await plain.locator('quartet-documents input[type=file]').setInputFiles(pdf);
await plain.locator('.failure', { hasText: 'It is read all the same.' }).waitFor();
await plain.fill('#document-question', question);
await plain.keyboard.press('Enter');
await plain.locator('quartet-documents .citation').first().click();
await plain.locator('quartet-text .cited').waitFor();
await look(plain, 'a document that is not drawn');
await plain.close();
said('what cannot be drawn is said, and the text is shown instead');

await show(page, 'chat');
await page.locator('quartet-chat .lead', { hasText: 'This service has no language model for the rest.' }).waitFor();
await page.fill('#chat-message', 'Write a poem.');
await page.keyboard.press('Enter');
await page.locator('quartet-chat .failure code', { hasText: 'unavailable' }).waitFor();
assert.equal(await page.evaluate(() => localStorage.getItem('quartet.conversations')), null);
let asked = 0;
for (const language of LANGUAGES) {
  await page.locator('.tools select').selectOption(language);
  await page.waitForFunction((code) => document.documentElement.lang === code, language);
  if (language !== 'en') assert.doesNotMatch(await page.locator('quartet-chat .lead').innerText(), /What can be computed/);
  for (const message of await page.locator('quartet-chat .log .chip').allInnerTexts()) {
    const answer = await fetch(`${address}/api/v1/chat`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ message }) });
    const { data, error } = await answer.json();
    assert.ok(data?.origin === 'computation' && data.language === language, `${language}: ${message}: ${error ?? data.answer}`);
    asked += 1;
  }
}
assert.ok(asked >= 24, `${asked} questions`);
await page.locator('.tools select').selectOption('en');
said(`without a model the page says so in each language, and ${asked} questions that it proposes are computed`);
await page.fill('#chat-message', 'How many feet are in 3 miles?');
await page.keyboard.press('Enter');
assert.match(await page.locator('.computation strong').innerText(), /15,?840/);
await runs(page, 'chat');
await page.getByRole('button', { name: 'Read aloud' }).click();
await page.waitForFunction(() => document.querySelector('quartet-chat').reading === null);
await page.reload();
await page.locator('.computation').waitFor();
assert.deepEqual(await page.evaluate(() => JSON.parse(localStorage['quartet.conversations']).length), 1);
await look(page, 'chat');
said('chat computed, read it aloud and kept it over a reload');

await show(page, 'status');
await page.locator('.plot').first().waitFor();
assert.equal(await page.locator('.component').count(), 4);
assert.equal(await page.locator('.component dt', { hasText: 'Since' }).count(), 4);
await page.getByText('Language model: none').waitFor();
await look(page, 'status');
said('the status has plots, the language model and four versions, each with its time');

// A service that asks for a key: the dialog comes by itself, and the key goes with the next request.
// Nothing may come between the service and the test that stands in for it.
const guarded = await open(browser, { serviceWorkers: 'block' });
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

// The first place that Tab leads to is the way past the head of the page.
await guarded.reload();
await guarded.locator('.voice').first().waitFor();
await guarded.evaluate(() => document.activeElement.blur());
await guarded.keyboard.press('Tab');
assert.equal(await guarded.evaluate(() => document.activeElement.className), 'skip');
await guarded.keyboard.press('Enter');
assert.equal(await guarded.evaluate(() => document.activeElement.id), 'main');
said('the head of the page can be skipped');

await finish(browser);
