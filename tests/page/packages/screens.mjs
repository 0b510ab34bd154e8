// Takes the pictures of docs/screenshots, of the running service at QUARTET_ADDRESS, into the folder QUARTET_LOOKS. A person runs it,
// with a photograph and a document that may be shown; docs/page.md has the command.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { finish, launch } from './common.mjs';
import { fonts, LASTING, PASSING, taken } from './shots.mjs';

const folder = process.env.QUARTET_LOOKS;
const browser = await launch();
for (const [name, shot] of Object.entries({ ...LASTING, ...PASSING })) {
  writeFileSync(path.join(folder, `${name}.png`), await taken(await shot(browser)));
}
writeFileSync(path.join(folder, 'fonts.json'), `${JSON.stringify(await fonts(browser))}\n`);
await finish(browser);
