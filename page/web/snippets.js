/** A request as it is sent from a shell, from Python and from JavaScript. The key is never in it: it is read from QUARTET_KEY, and
 * the token of the admin interface from QUARTET_TOKEN. */

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
const variable = (call, withKey) => (call.token ? 'QUARTET_TOKEN' : withKey && 'QUARTET_KEY');
const fileName = (value) => (value instanceof File ? value.name || 'file' : null);

/** A file's name as curl takes it in a form, where some signs have a meaning. */
const formFile = (name) => (/[;,"\\]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name);

/** A value in Python's words. Its texts are written as in JSON. */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}: ${literal(field)}`).join(', ')}}`;
}

/** @param {import('./api.js').Call} call */
export function curl(call, withKey) {
  const lines = [`curl -s${call.accept ? 'N' : ''} ${location.origin}${call.path}`];
  const secret = variable(call, withKey);
  // curl sends GET by itself, and POST with a body.
  const plain = call.json || call.form || call.file ? 'POST' : 'GET';
  if (call.method !== plain) lines.push(`-X ${call.method}`);
  if (secret) lines.push(`-H "authorization: Bearer $${secret}"`);
  if (call.accept) lines.push(`-H ${quoted(`accept: ${call.accept}`)}`);
  for (const [name, value] of Object.entries(call.headers ?? {})) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (call.json) lines.push(`--json ${quoted(JSON.stringify(call.json))}`);
  for (const [name, value] of Object.entries(call.form ?? {})) {
    const file = fileName(value);
    lines.push(`-F ${quoted(file ? `${name}=@${formFile(file)}` : `${name}=${value}`)}`);
  }
  if (call.file) lines.push(`--data-binary ${quoted(`@${fileName(call.file)}`)}`);
  if (/stream$|speech$/.test(call.path)) lines.push('-o speech');
  return lines.join(' \\\n  ');
}

/** @param {import('./api.js').Call} call */
export function python(call, withKey) {
  const secret = variable(call, withKey);
  const lines = [secret ? 'import os\nimport requests\n' : 'import requests\n', 'answer = requests.request('];
  lines.push(`    ${JSON.stringify(call.method)}, ${JSON.stringify(location.origin + call.path)},`);
  const headers = [];
  if (secret) headers.push(`"authorization": "Bearer " + os.environ["${secret}"]`);
  if (call.accept) headers.push(`"accept": ${JSON.stringify(call.accept)}`);
  for (const [name, value] of Object.entries(call.headers ?? {})) headers.push(`"${name}": ${JSON.stringify(value)}`);
  if (headers.length) lines.push(`    headers={${headers.join(', ')}},`);
  if (call.json) lines.push(`    json=${literal(call.json)},`);
  const fields = Object.entries(call.form ?? {});
  const files = fields.filter(([, value]) => fileName(value));
  const values = fields.filter(([, value]) => !fileName(value));
  if (files.length) lines.push(`    files={${files.map(([name, file]) => `"${name}": open(${JSON.stringify(fileName(file))}, "rb")`).join(', ')}},`);
  if (values.length) lines.push(`    data=${JSON.stringify(Object.fromEntries(values))},`);
  if (call.file) lines.push(`    data=open(${JSON.stringify(fileName(call.file))}, "rb"),`);
  lines.push(')');
  lines.push(/stream$|speech$/.test(call.path) ? 'open("speech", "wb").write(answer.content)' : call.accept ? 'print(answer.text)' : 'print(answer.json())');
  return lines.join('\n');
}

/** @param {import('./api.js').Call} call */
export function javascript(call, withKey) {
  const lines = [];
  const secret = variable(call, withKey);
  if (call.file) lines.push("import { openAsBlob } from 'node:fs';", '', `const body = await openAsBlob(${JSON.stringify(fileName(call.file))});`);
  if (call.form) {
    lines.push("import { openAsBlob } from 'node:fs';", '', 'const body = new FormData();');
    for (const [name, value] of Object.entries(call.form)) {
      const file = fileName(value);
      lines.push(file ? `body.append('${name}', await openAsBlob(${JSON.stringify(file)}), ${JSON.stringify(file)});` : `body.append('${name}', ${JSON.stringify(value)});`);
    }
  }
  lines.push(`const answer = await fetch(${JSON.stringify(location.origin + call.path)}, {`, `  method: '${call.method}',`);
  const headers = [];
  if (secret) headers.push(`authorization: \`Bearer \${process.env.${secret}}\``);
  if (call.accept) headers.push(`accept: '${call.accept}'`);
  for (const [name, value] of Object.entries(call.headers ?? {})) headers.push(`${name}: '${value}'`);
  if (call.json) headers.push("'content-type': 'application/json'");
  if (headers.length) lines.push(`  headers: { ${headers.join(', ')} },`);
  if (call.json) lines.push(`  body: JSON.stringify(${JSON.stringify(call.json)}),`);
  if (call.form || call.file) lines.push('  body,');
  lines.push('});');
  lines.push(/stream$|speech$/.test(call.path) ? 'const audio = await answer.arrayBuffer();' : call.accept ? 'console.log(await answer.text());' : 'console.log(await answer.json());');
  return lines.join('\n');
}
