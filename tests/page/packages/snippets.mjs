// Runs the request that a card shows, as a person does who copies it: in a shell, in JavaScript, and in Python where that has the
// package that people ask by.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const hasRequests = run('python3', ['-c', 'import requests']).then(() => true, () => false);

/** The end of the address of an operation that answers with sound, as each of the programs writes it. */
const SOUND = /\/(stream|speech)["' \\,{]*$/m;

const PROGRAMS = {
  curl: (text) => ['sh', '-c', text],
  // What it answers with is kept in a variable, for whoever copies it to go on with.
  JavaScript: (text) => ['node', '--input-type=module', '--eval', `${text}\n${SOUND.test(text) ? 'console.log(audio.byteLength);' : ''}`],
  // Without the package only its grammar is judged.
  Python: async (text) => (await hasRequests ? ['python3', '-c', text] : ['python3', '-c', `import ast\nast.parse(${JSON.stringify(text)})`]),
};

/** Texts and names that have signs with a meaning are the same in each form of a request, which its own program reads. */
export async function forms(page) {
  const message = `it's "[true,null]", \\ $HOME and {"a":false}`;
  const name = 'a "b"; c,d.txt';
  const [shell, json, python] = await page.evaluate(async ([text, fileName]) => {
    const module = await import(document.querySelector('script[type=module]').src.replace('app.js', 'snippets.js'));
    const post = { method: 'POST', path: '/', json: { message: text, no: false, none: null, list: [1, 'true'] } };
    const form = { method: 'POST', path: '/', form: { file: new File(['four'], fileName) } };
    return [module.curl(form, false), module.curl(post, false), module.python(post, false)];
  }, [message, name]);
  const sent = { message, no: false, none: null, list: [1, 'true'] };
  const field = python.split('\n').find((line) => line.trim().startsWith('json=')).trim().slice('json='.length, -1);
  const { stdout: read } = await run('python3', ['-c', `import json\nprint(json.dumps(${field}))`]);
  assert.deepEqual(JSON.parse(read), sent);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quartet-snippets-'));
  const taker = http.createServer(async (request, answer) => {
    let body = '';
    for await (const piece of request) body += piece;
    answer.end(body);
  });
  await new Promise((resolve) => { taker.listen(0, '127.0.0.1', resolve); });
  try {
    fs.writeFileSync(path.join(folder, name), 'four');
    const address = `http://127.0.0.1:${taker.address().port}`;
    const ask = async (text) => (await run('sh', ['-c', text.replace(/http:\/\/[^/]+/, address)], { cwd: folder })).stdout;
    assert.deepEqual(JSON.parse(await ask(json)), sent);
    assert.match(await ask(shell), /\r\n\r\nfour\r\n/);
  } finally {
    taker.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** Runs what the card of a part shows; the file that it names lies beside it then. */
export async function runs(page, part, file) {
  const card = page.locator(`quartet-${part} quartet-request`);
  if (!await card.locator('details').evaluate((details) => details.open)) await card.locator('summary').click();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quartet-snippets-'));
  try {
    if (file) fs.copyFileSync(file, path.join(folder, path.basename(file)));
    for (const [form, program] of Object.entries(PROGRAMS)) {
      await card.getByRole('button', { name: form, exact: true }).click();
      const text = await card.locator('pre').innerText();
      const [name, ...rest] = await program(text);
      const { stdout } = await run(name, rest, { cwd: folder, maxBuffer: 64 << 20 });
      if (form === 'Python' && !await hasRequests) continue;
      const speech = path.join(folder, 'speech');
      const answered = SOUND.test(text)
        ? (form === 'JavaScript' ? Number(stdout) : fs.statSync(speech).size) > 1000
        : /\bsuccess["']?: ?true|^event: done/mi.test(stdout);
      fs.rmSync(speech, { force: true });
      assert.ok(answered, `${part}, ${form}: ${text}\n${stdout.slice(0, 500)}`);
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
