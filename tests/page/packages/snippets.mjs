// Runs the request that a card shows, as a person does who copies it: in a shell, in JavaScript, and in Python where that has the
// package that people ask by.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
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
