// Compares the page with its pictures in docs/screenshots, the folder QUARTET_PICTURES: in light, in dark, from right to left and
// 320 pixels wide. Pictures that differ go to the folder QUARTET_LOOKS, with what differs in red. In other fonts than those of
// the pictures there is nothing to compare, and the last line says so.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { finish, launch, problems, said } from './common.mjs';
import { fonts, LASTING, seen, taken } from './shots.mjs';

/** Share of the pixels that may differ: smoothed edges of letters in another version of the browser. A line of text that is
 * elsewhere is more. */
const MOST = 0.005;

const { QUARTET_PICTURES: pictures, QUARTET_LOOKS: looks } = process.env;
const kept = (name) => PNG.sync.read(readFileSync(path.join(pictures, `${name}.png`)));

/** Share of the pixels in which two pictures differ, 1 for other sizes; and a picture of these. */
function difference(one, other) {
  const { width, height } = one;
  if (width !== other.width || height !== other.height) return { share: 1, shown: one };
  const shown = new PNG({ width, height });
  return { share: pixelmatch(one.data, other.data, shown.data, width, height) / (width * height), shown };
}

const browser = await launch();
const [now, then] = [await fonts(browser), JSON.parse(readFileSync(path.join(pictures, 'fonts.json'), 'utf8'))];
if (String(now) !== String(then)) {
  await browser.close();
  console.log(`not run: texts are ${now} pixels wide, and in the pictures ${then}`);
  process.exit();
}

for (const [name, shot] of Object.entries(LASTING)) {
  const png = await taken(await shot(browser));
  const { share, shown } = difference(PNG.sync.read(png), kept(name));
  said(`${name} differs in ${(100 * share).toFixed(2)} % of its pixels`);
  if (share <= MOST) continue;
  writeFileSync(path.join(looks, `${name}-now.png`), png);
  writeFileSync(path.join(looks, `${name}-differs.png`), PNG.sync.write(shown));
  problems.push(`${name} differs from its picture in ${(100 * share).toFixed(2)} % of its pixels; both are in ${looks}`);
}

// What is looked for can be found.
const page = await LASTING.speech(browser);
for (const style of ['.lead { margin-block-end: 2rem; }', ':root { --accent: #7a2e2e; }', '.primary { border-radius: 0; padding: 1rem; }']) {
  await page.evaluate((text) => {
    const made = new CSSStyleSheet();
    made.replaceSync(text);
    document.adoptedStyleSheets.push(made);
  }, style);
  const { share } = difference(PNG.sync.read(await seen(page)), kept('speech'));
  await page.evaluate(() => { document.adoptedStyleSheets.pop(); });
  assert.ok(share > MOST, `${style} goes unnoticed: ${share}`);
}
await page.context().close();
said('changes that are made on purpose are noticed');
await finish(browser);
