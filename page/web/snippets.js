/** A request as it is sent from a shell, from Python and from JavaScript. The key is never in it: it is read from QUARTET_KEY. */

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
const fileName = (value) => (value instanceof File ? value.name || 'file' : null);

/** @param {import('./api.js').Call} call */
export function curl(call, withKey) {
  const lines = [`curl -s${call.accept ? 'N' : ''} ${location.origin}${call.path}`];
  if (withKey) lines.push(`-H "authorization: Bearer $QUARTET_KEY"`);
  if (call.accept) lines.push(`-H ${quoted(`accept: ${call.accept}`)}`);
  if (call.json) lines.push(`--json ${quoted(JSON.stringify(call.json))}`);
  for (const [name, value] of Object.entries(call.form ?? {})) {
    const file = fileName(value);
    lines.push(`-F ${quoted(file ? `${name}=@${file}` : `${name}=${value}`)}`);
  }
  if (/stream$|speech$/.test(call.path)) lines.push('-o speech');
  return lines.join(' \\\n  ');
}

/** @param {import('./api.js').Call} call */
export function python(call, withKey) {
  const lines = [withKey ? 'import os\nimport requests\n' : 'import requests\n', 'answer = requests.request('];
  lines.push(`    ${JSON.stringify(call.method)}, ${JSON.stringify(location.origin + call.path)},`);
  const headers = [];
  if (withKey) headers.push(`"authorization": "Bearer " + os.environ["QUARTET_KEY"]`);
  if (call.accept) headers.push(`"accept": ${JSON.stringify(call.accept)}`);
  if (headers.length) lines.push(`    headers={${headers.join(', ')}},`);
  if (call.json) {
    const literal = JSON.stringify(call.json).replace(/(?<=[:[,])(true|false|null)(?=[,}\]])/g,
      (word) => ({ true: 'True', false: 'False', null: 'None' })[word]);
    lines.push(`    json=${literal},`);
  }
  const fields = Object.entries(call.form ?? {});
  const files = fields.filter(([, value]) => fileName(value));
  const values = fields.filter(([, value]) => !fileName(value));
  if (files.length) lines.push(`    files={${files.map(([name, file]) => `"${name}": open(${JSON.stringify(fileName(file))}, "rb")`).join(', ')}},`);
  if (values.length) lines.push(`    data=${JSON.stringify(Object.fromEntries(values))},`);
  lines.push(')');
  lines.push(/stream$|speech$/.test(call.path) ? 'open("speech", "wb").write(answer.content)' : call.accept ? 'print(answer.text)' : 'print(answer.json())');
  return lines.join('\n');
}

/** @param {import('./api.js').Call} call */
export function javascript(call, withKey) {
  const lines = [];
  if (call.form) {
    lines.push("import { openAsBlob } from 'node:fs';", '', 'const body = new FormData();');
    for (const [name, value] of Object.entries(call.form)) {
      const file = fileName(value);
      lines.push(file ? `body.append('${name}', await openAsBlob(${JSON.stringify(file)}), ${JSON.stringify(file)});` : `body.append('${name}', ${JSON.stringify(value)});`);
    }
  }
  lines.push(`const answer = await fetch(${JSON.stringify(location.origin + call.path)}, {`, `  method: '${call.method}',`);
  const headers = [];
  if (withKey) headers.push("authorization: `Bearer ${process.env.QUARTET_KEY}`");
  if (call.accept) headers.push(`accept: '${call.accept}'`);
  if (call.json) headers.push("'content-type': 'application/json'");
  if (headers.length) lines.push(`  headers: { ${headers.join(', ')} },`);
  if (call.json) lines.push(`  body: JSON.stringify(${JSON.stringify(call.json)}),`);
  if (call.form) lines.push('  body,');
  lines.push('});');
  lines.push(/stream$|speech$/.test(call.path) ? 'const audio = await answer.arrayBuffer();' : call.accept ? 'console.log(await answer.text());' : 'console.log(await answer.json());');
  return lines.join('\n');
}
