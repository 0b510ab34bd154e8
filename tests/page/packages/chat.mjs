// Has chat at work with a language model that falls silent, and then, at QUARTET_SEARCHING, with a search engine and no model. Says
// what it did; the last line says that all is well.
import assert from 'node:assert/strict';
import { address, finish, launch, look, open, said, show } from './common.mjs';

const { QUARTET_SEARCHING: searching } = process.env;
const browser = await launch();
const page = await open(browser);
await show(page, 'chat');
const answer = page.locator('quartet-chat .answer').last();
const ask = async (on, message) => {
  await on.fill('#chat-message', message);
  await on.keyboard.press('Enter');
};

await ask(page, 'Tell me about lighthouses, please.');
await answer.locator('.prose', { hasText: 'A lighthouse is' }).waitFor();
await page.getByRole('button', { name: 'Stop', exact: true }).click();
await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
assert.match(await answer.innerText(), /A lighthouse is[^]*Read aloud[^]*stopped/);
assert.equal(await page.locator('quartet-chat .failure').count(), 0);
await look(page, 'a stopped answer');
said('an answer was stopped, and what had come stayed');

await page.reload();
assert.match(await answer.innerText(), /A lighthouse is[^]*stopped/);
await page.getByRole('button', { name: 'Continue', exact: true }).click();
await answer.locator('.prose', { hasText: 'A lighthouse is a tower with a light.' }).waitFor();
await answer.locator('p', { hasText: 'some-model' }).waitFor();
assert.equal(await page.getByRole('button', { name: 'Continue', exact: true }).count(), 0);
assert.equal(await page.locator('quartet-chat .answer').count(), 1);
said('it went on in its place, after a reload');

await ask(page, 'And what is a buoy?');
await answer.locator('.prose', { hasText: 'A buoy floats.' }).waitFor();
await answer.locator('p', { hasText: 'some-model' }).waitFor();
assert.equal(await page.locator('quartet-chat .answer').count(), 2);
said('it was kept over a reload, and the conversation went on');

// The page of another service, which may ask nobody but that one.
const other = await open(browser, {}, 'en', searching);
await show(other, 'chat', searching);
await other.getByRole('switch', { name: 'Search the web' }).check();
await ask(other, 'Who shall be held in slavery or servitude?');
const found = other.locator('quartet-chat .answer').last();
const cite = found.locator('.prose a.cite').first();
await cite.waitFor();
const number = (await cite.innerText()).slice(1, -1);
const source = found.locator(`.sources li[value="${number}"]`);
assert.equal(await cite.getAttribute('href'), await source.locator('a').getAttribute('href'));
assert.match(await found.locator('.prose').innerText(), /No one shall be held in slavery/);
assert.match(await source.innerText(), /Declaration, part \d[^]*2024-02-29/);
for (const link of await found.locator('a').all()) assert.match(await link.getAttribute('rel'), /noopener noreferrer/);
await look(other, 'sources by their numbers');
said(`an answer of the web cites its source by number, ${await cite.innerText()}, which leads where the list does`);

await finish(browser);
