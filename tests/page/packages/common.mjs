// What the programs that use the page in Chromium have in common: a browser with a made camera, pages whose every error is a
// problem, axe, and the end.
import assert from 'node:assert/strict';
import axe from 'axe-core';
import { chromium } from 'playwright-core';

export const { QUARTET_ADDRESS: address, QUARTET_BROWSER: executablePath, QUARTET_PDF: pdf, QUARTET_PICTURE: picture, QUARTET_QUESTION: question } = process.env;

/** A made camera stands in for a real one, and nobody has to touch the page before it may sound. */
export const settings = {
  executablePath,
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
};

/** Everything that went wrong without stopping the program. */
export const problems = [];

const begun = performance.now();
let rules = 0;

/** Says what was done, and when. */
export const said = (text) => console.log(`${((performance.now() - begun) / 1000).toFixed(1)} s: ${text}`);

export const launch = () => chromium.launch(settings);

/** Takes errors of a page, and requests to anybody but `origin`, for problems. */
export function watch(page, origin = address) {
  page.setDefaultTimeout(40_000);
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  // What the service answers is the page's matter; what the browser keeps it from doing is not.
  page.on('console', (message) => message.type() === 'error' && !/status of 4\d\d/.test(message.text()) && problems.push(message.text()));
  page.on('request', (request) => /^(blob|data):/.test(request.url()) || request.url().startsWith(`${origin}/`) || problems.push(`asks ${request.url()}`));
  return page;
}

/** A page in a browser's window of its own. */
export async function open(browser, options = {}, language = 'en', origin = address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.addInitScript((code) => {
    // Empty pages keep nothing.
    if (origin.startsWith('http')) localStorage['quartet.language'] ??= code;
  }, language);
  return watch(page, origin);
}

/** Goes to a part of the page. */
export async function show(page, part, origin = address) {
  await page.goto(`${origin}/#/${part}`);
  await page.locator(`quartet-${part} h1`).waitFor();
}

/** Times that a picture is asked for, and the time between, in ms. */
const CAPTURES = 4;
const BETWEEN_CAPTURES = 500;

/** Takes a picture of a page. A Chromium that has only just started refuses the first one at times, and takes the same one when asked again. */
export async function capture(page, options) {
  for (let times = 1; ; times += 1) {
    try {
      return await page.screenshot(options);
    } catch (error) {
      if (times === CAPTURES || !error.message.includes('Unable to capture screenshot')) throw error;
      await page.waitForTimeout(BETWEEN_CAPTURES);
    }
  }
}

/** Has axe look at a page. */
export async function look(page, name) {
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }));
  rules += passes.length;
  for (const { id, nodes } of violations) problems.push(`axe, ${name}: ${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/** Ends a program: well, where there were no problems. */
export async function finish(...browsers) {
  for (const browser of browsers) await browser.close();
  assert.deepEqual(problems, []);
  if (rules) said(`axe found nothing, ${rules} rules passed`);
  console.log('all is well');
}
