// Uses every part of the page in the Firefox that QUARTET_BROWSER names. Says what it did; the last line says that all is well.
import assert from 'node:assert/strict';
import puppeteer from 'puppeteer-core';

const { QUARTET_ADDRESS: address, QUARTET_BROWSER: executablePath, QUARTET_PDF: pdf, QUARTET_PICTURE: picture } = process.env;
const problems = [];
/** Longest wait, in milliseconds. */
const WAIT = 40_000;
const browser = await puppeteer.launch({
  browser: 'firefox', executablePath, headless: true,
  // A viewport of Puppeteer's own needs commands that Firefox with long-term support does not have.
  defaultViewport: null, args: ['--width=1280', '--height=900'],
  // A made camera stands in for a real one, and nobody is asked.
  extraPrefsFirefox: { 'media.autoplay.default': 0, 'media.navigator.streams.fake': true, 'media.navigator.permission.disabled': true },
});
const page = await browser.newPage();
page.setDefaultTimeout(WAIT);
page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));

const show = async (part) => {
  await page.goto(`${address}/#/${part}`);
  await page.waitForSelector(`quartet-${part} h1`);
};
const press = (part, label) => page.evaluate((within, text) => {
  [...document.querySelectorAll(`quartet-${within} button`)].find((button) => button.textContent.includes(text)).click();
}, part, label);
/** Waits until a condition holds. Puppeteer's own way makes functions of text, which the page's policy forbids in Firefox. */
const until = async (condition) => {
  for (const end = Date.now() + WAIT; !await page.evaluate(condition);) {
    assert.ok(Date.now() < end, `waited in vain for ${condition}: ${problems}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

await page.goto(address);
await page.evaluate(() => localStorage.setItem('quartet.language', 'en'));
await show('speech');
await page.waitForSelector('.voice');
await press('speech', 'Speak');
// Without a device for sound Firefox plays nothing: what comes is there to be saved.
await until(() => document.querySelector('quartet-speech').speech?.whole);
const { came, words } = await page.evaluate(() => document.querySelector('quartet-speech').speech);
assert.ok(came > 24_000 && words.length > 3, `${came} samples, ${words.length} words`);
assert.ok(words.every(({ word, start, end }) => word && start < end && end <= came), JSON.stringify(words));
console.log(`${words.length} words came in ${came} samples`);

await show('pictures');
await (await page.$('quartet-pictures input[type=file]')).uploadFile(picture);
await page.waitForSelector('quartet-pictures .answer');
await page.type('#picture-question', 'How many people are there?');
await page.keyboard.press('Enter');
await page.waitForSelector('quartet-pictures .said');
await page.click('quartet-pictures .said');
await page.waitForSelector('quartet-pictures .lit');
await press('pictures', 'Camera');
await until(() => document.querySelector('quartet-camera video')?.videoWidth > 0);
await press('pictures', 'Take picture');
await until(() => !document.querySelector('quartet-camera'));
await page.waitForSelector('quartet-pictures .answer');
console.log('a picture was described and asked, another taken by the camera');

await show('documents');
await (await page.$('quartet-documents input[type=file]')).uploadFile(pdf);
await page.waitForSelector('#document-question');
await page.type('#document-question', process.env.QUARTET_QUESTION);
await page.keyboard.press('Enter');
await page.waitForSelector('quartet-documents .citation');
await page.click('quartet-documents .citation');
await until(() => CSS.highlights.get('passage')?.size === 1);
console.log('a document was asked, and its passage lit up');

await show('chat');
await page.type('#chat-message', 'How many feet are in 3 miles?');
await page.keyboard.press('Enter');
await until(() => /15,?840/.test(document.querySelector('quartet-chat').innerText));
await show('status');
await until(() => document.querySelectorAll('quartet-status svg').length > 0);
console.log('a question was computed, and the state shown');

await browser.close();
assert.deepEqual(problems, []);
console.log('all is well');
