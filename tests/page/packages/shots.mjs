// The pictures of docs/screenshots: how each is taken, and in which fonts.
import { capture, open, pdf, picture, question, show } from './common.mjs';

/** A window in which a part is shown. */
async function shown(browser, part, { scheme = 'light', language = 'en', width = 1100, height = 760 } = {}) {
  const page = await open(browser, { viewport: { width, height }, colorScheme: scheme }, language);
  await show(page, part);
  return page;
}

const spoken = (options) => async (browser) => {
  const page = await shown(browser, 'speech', options);
  await page.locator('.voice').first().waitFor();
  await page.locator('.controls select').nth(1).selectOption('fast');
  await page.locator('quartet-speech .row .primary').click();
  await page.waitForFunction(() => document.querySelector('quartet-speech').speech?.state === 'done');
  return page;
};

async function computed(browser) {
  const page = await shown(browser, 'chat', { scheme: 'dark' });
  for (const message of ['How many feet are in 3 miles?', 'What is 15% of 80?']) {
    const answers = await page.locator('.computation').count();
    await page.fill('#chat-message', message);
    await page.keyboard.press('Enter');
    await page.locator('.computation').nth(answers).waitFor();
  }
  await page.waitForFunction(() => !document.querySelector('quartet-chat').busy);
  return page;
}

async function found(browser) {
  const page = await shown(browser, 'pictures', { scheme: 'dark', height: 900 });
  await page.locator('quartet-pictures input[type=file]').setInputFiles(picture);
  await page.locator('quartet-pictures .answer').waitFor();
  await page.fill('#picture-question', 'Where is the cup?');
  await page.keyboard.press('Enter');
  await page.locator('quartet-pictures .said').click();
  return page;
}

async function cited(browser) {
  const page = await shown(browser, 'documents', { height: 900 });
  await page.locator('quartet-documents input[type=file]').setInputFiles(pdf);
  await page.fill('#document-question', question);
  await page.keyboard.press('Enter');
  await page.locator('quartet-documents .citation').first().click();
  await page.waitForFunction(() => CSS.highlights.get('passage')?.size === 1);
  return page;
}

async function watched(browser) {
  const page = await shown(browser, 'status', { scheme: 'dark' });
  await page.locator('.plot').first().waitFor();
  await page.waitForTimeout(6000);
  return page;
}

/** What looks the same at any time, and whatever is read: light, dark, from right to left, small. */
export const LASTING = {
  speech: spoken({}),
  'chat-dark': computed,
  'speech-arabic': spoken({ language: 'ar' }),
  'speech-small': spoken({ language: 'de', width: 320, height: 640 }),
};

/** What depends on the files that are shown, and on the time. */
export const PASSING = { 'pictures-dark': found, documents: cited, 'status-dark': watched };

/** A picture of a page, in PNG. */
export async function seen(page) {
  await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
  await page.waitForTimeout(500);
  return capture(page);
}

/** Takes a picture of a page, and closes it. */
export async function taken(page) {
  const png = await seen(page);
  await page.context().close();
  return png;
}

/** Widths in pixels of some text, by which other fonts are told. */
export async function fonts(browser) {
  const page = await shown(browser, 'speech');
  const widths = await page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d');
    const style = getComputedStyle(document.documentElement);
    return ['--sans', '--mono'].flatMap((family) => ['Good morning, 1234', 'صباح الخير'].map((text) => {
      context.font = `100px ${style.getPropertyValue(family)}`;
      return Math.round(context.measureText(text).width);
    }));
  });
  await page.context().close();
  return widths;
}
