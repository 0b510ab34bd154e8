// Takes the pictures of docs/screenshots, of the running service at QUARTET_ADDRESS, into the folder QUARTET_LOOKS. A person runs it,
// with a photograph and a document that may be shown; docs/page.md has the command.
import path from 'node:path';
import { finish, launch, open, pdf, picture, question, show } from './common.mjs';

const browser = await launch();

/** A window in which a part is shown. */
async function shown(part, { scheme = 'light', language = 'en', width = 1100, height = 760 } = {}) {
  const page = await open(browser, { viewport: { width, height }, colorScheme: scheme }, language);
  await show(page, part);
  return page;
}

async function keep(page, name) {
  await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
  await page.waitForTimeout(500);
  await page.screenshot({ path: path.join(process.env.QUARTET_LOOKS, `${name}.png`) });
  await page.context().close();
}

async function spoken(options, text) {
  const page = await shown('speech', options);
  await page.locator('.voice').first().waitFor();
  if (text) await page.fill('quartet-speech textarea', text);
  await page.locator('.controls select').nth(1).selectOption('fast');
  await page.locator('quartet-speech .row .primary').click();
  await page.waitForFunction(() => document.querySelector('quartet-speech').speech?.state === 'done');
  return page;
}

await keep(await spoken({}), 'speech');
await keep(await spoken({ language: 'ar' }), 'speech-arabic');
await keep(await spoken({ language: 'de', width: 320, height: 640 }), 'speech-small');

let page = await shown('pictures', { scheme: 'dark', height: 900 });
await page.locator('quartet-pictures input[type=file]').setInputFiles(picture);
await page.locator('quartet-pictures .answer').waitFor();
await page.fill('#picture-question', 'Where is the cup?');
await page.keyboard.press('Enter');
await page.locator('quartet-pictures .said').click();
await keep(page, 'pictures-dark');

page = await shown('documents', { height: 900 });
await page.locator('quartet-documents input[type=file]').setInputFiles(pdf);
await page.fill('#document-question', question);
await page.keyboard.press('Enter');
await page.locator('quartet-documents .citation').first().click();
await page.waitForFunction(() => CSS.highlights.get('passage')?.size === 1);
await keep(page, 'documents');

page = await shown('chat');
for (const message of ['How many feet are in 3 miles?', 'What is 15% of 80?']) {
  const answers = await page.locator('.computation').count();
  await page.fill('#chat-message', message);
  await page.keyboard.press('Enter');
  await page.locator('.computation').nth(answers).waitFor();
}
await keep(page, 'chat');

page = await shown('status', { scheme: 'dark' });
await page.locator('.plot').first().waitFor();
await page.waitForTimeout(6000);
await keep(page, 'status-dark');
await finish(browser);
