// Looks at every part of the page, filled, in light, in dark, from right to left and 320 pixels wide, for what a person would
// call a fault, in the browser that QUARTET_BROWSER names; pictures of all go to the folder QUARTET_LOOKS. Says what it did;
// the last line says that all is well.
import assert from 'node:assert/strict';
import path from 'node:path';
import * as faults from './faults.mjs';
import { capture, finish, launch, look, open, pdf, picture, problems, question, said, show } from './common.mjs';

const PARTS = ['speech', 'pictures', 'documents', 'chat', 'status'];
const WIDE = { width: 1280, height: 900 };
const SMALL = { width: 320, height: 640 };
const LOOKS = {
  light: { scheme: 'light', language: 'en', size: WIDE },
  dark: { scheme: 'dark', language: 'en', size: WIDE },
  'right-to-left': { scheme: 'light', language: 'ar', size: WIDE },
  small: { scheme: 'light', language: 'de', size: SMALL },
};
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'ru', 'ja', 'ko', 'zh', 'hi', 'ar'];

const browser = await launch();
const page = await open(browser, { viewport: WIDE });

/** Goes to a part, which keeps what it was filled with. */
async function turn(part) {
  await page.evaluate((hash) => { location.hash = hash; }, `#/${part}`);
  await page.locator(`quartet-${part} h1`).waitFor();
}

async function choose(language) {
  await page.locator('.tools select').selectOption(language);
  await page.waitForFunction((code) => document.documentElement.lang === code, language);
}

async function broken(name) {
  for (const [what, check] of [['', faults.faults], ['', faults.covered], ['it moves: ', faults.moving]]) {
    for (const fault of await page.evaluate(check)) problems.push(`${name}: ${what}${fault}`);
  }
}

await show(page, 'speech');
await page.locator('.voice').first().waitFor();
await page.locator('.controls select').nth(1).selectOption('fast');
await page.locator('quartet-speech .row .primary').click();
await page.waitForFunction(() => document.querySelector('quartet-speech').speech?.state === 'done');
await page.locator('quartet-request summary').first().click();
await turn('pictures');
await page.locator('quartet-pictures input[type=file]').setInputFiles(picture);
await page.locator('quartet-pictures .answer').waitFor();
await page.fill('#picture-question', 'How many people are there?');
await page.keyboard.press('Enter');
await page.locator('quartet-pictures .said').click();
await turn('documents');
await page.locator('quartet-documents input[type=file]').setInputFiles(pdf);
await page.fill('#document-question', question);
await page.keyboard.press('Enter');
await page.locator('quartet-documents .citation').first().click();
await page.waitForFunction(() => CSS.highlights.get('passage')?.size === 1);
await turn('chat');
await page.fill('#chat-message', 'How many feet are in 3 miles?');
await page.keyboard.press('Enter');
await page.locator('.computation').waitFor();
await page.locator('.history summary').click();
await turn('status');
await page.locator('.plot').first().waitFor();
said('every part is filled');

// What is looked for can be found.
await turn('speech');
for (const [style, fault] of [
  ['.brand { position: absolute; inset-inline-start: 300px; }', /lie over each other|covered/],
  ['main { inline-size: 1400px; max-inline-size: none; }', /pixels wide/],
  ['.chip { overflow: hidden; inline-size: 1.5rem; }', /is cut off|cuts it off/],
  ['.lead { white-space: nowrap; inline-size: 90px; }', /runs out of/],
  ['* { transition: color 1s; }', /it moves/],
]) {
  const known = problems.length;
  const sheet = await page.evaluateHandle((text) => {
    const made = new CSSStyleSheet();
    made.replaceSync(text);
    document.adoptedStyleSheets.push(made);
    return made;
  }, style);
  await broken('on purpose');
  await page.evaluate((made) => { document.adoptedStyleSheets.splice(document.adoptedStyleSheets.indexOf(made), 1); }, sheet);
  const made = problems.splice(known);
  assert.ok(made.some((problem) => fault.test(problem)), `${style} goes unnoticed: ${made.join('\n')}`);
}
said('faults that are made on purpose are noticed');

let mirrored = 0;
for (const [name, { scheme, language, size }] of Object.entries(LOOKS)) {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.setViewportSize(size);
  await choose(language);
  for (const part of PARTS) {
    await turn(part);
    // Pages of a document are drawn anew for another width.
    await page.waitForTimeout(400);
    // The passage is lit up still, whatever was shown meanwhile.
    if (part === 'documents') await page.waitForFunction(() => [...(CSS.highlights.get('passage') ?? [])].some((range) => !range.collapsed));
    await broken(`${part}, ${name}`);
    await look(page, `${part}, ${name}`);
    if (language === 'ar') {
      const { found, measured } = await page.evaluate(faults.unmirrored);
      problems.push(...found.map((fault) => `${part}, ${name}: ${fault}`));
      mirrored += measured;
    }
    await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
    await capture(page, { path: path.join(process.env.QUARTET_LOOKS, `${name}-${part}.png`), fullPage: true });
  }
}
assert.ok(mirrored > 100, `${mirrored} places were compared`);
said(`four looks at each part; ${mirrored} places are mirrored from right to left`);

for (const language of LANGUAGES) {
  await choose(language);
  for (const part of PARTS) {
    await turn(part);
    await broken(`${part}, small, ${language}`);
  }
}
said('all languages find room in 320 pixels');

await page.setViewportSize(WIDE);
await choose('en');
let keys = 0;
for (const part of PARTS) {
  await turn(part);
  await page.evaluate(faults.begin);
  for (let times = 0; times < 400; times += 1) {
    await page.keyboard.press('Tab');
    keys += 1;
    if (!await page.evaluate(faults.reached)) break;
  }
  problems.push(...(await page.evaluate(faults.ended)).map((fault) => `${part}: ${fault}`));
}
said(`the keyboard reaches every control, by ${keys} times Tab`);

await page.emulateMedia({ reducedMotion: 'no-preference' });
assert.ok((await page.evaluate(faults.moving)).length > 0, 'nothing moves for anybody');
await finish(browser);
