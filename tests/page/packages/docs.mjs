// Looks at the operations in the viewer as a person does, in the browser that QUARTET_BROWSER names, and tries some. Says what
// it did; the last line says that all is well.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const { QUARTET_ADDRESS: address, QUARTET_BROWSER: executablePath } = process.env;
const problems = [];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage();
page.setDefaultTimeout(20_000);
page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
page.on('request', (request) => /^(blob|data):/.test(request.url()) || request.url().startsWith(`${address}/`) || problems.push(`asks ${request.url()}`));

const described = await (await fetch(`${address}/openapi.json`)).json();
const operations = Object.values(described.paths).flatMap((path) => Object.keys(path).filter((method) => /^(get|put|post|delete)$/.test(method)));
await page.goto(`${address}/docs`);
await page.locator('.opblock').first().waitFor();
assert.equal(await page.locator('.opblock').count(), operations.length);
console.log(`${operations.length} operations are shown`);

async function tried(id, fill) {
  const block = page.locator(`.opblock[id$="-${id}"]`);
  await block.locator('.opblock-summary-control').click();
  await fill?.(block);
  await block.getByRole('button', { name: 'Execute' }).click();
  await block.locator('.live-responses-table tr.response .response-col_status').waitFor();
  assert.match(await block.locator('.live-responses-table tr.response .response-col_status').innerText(), /^200/);
  return block.locator('.live-responses-table').innerText();
}

assert.match(await tried('listVoices'), /Kore/);
const answer = await tried('chat', (block) => block.locator('textarea').first().fill('{"message": "17 * 23"}'));
assert.match(answer, /17 × 23 = 391/);
console.log('a list and a question were tried');

await browser.close();
assert.deepEqual(problems, []);
console.log('all is well');
