// Calls the tools as programs do that use the package `@modelcontextprotocol/sdk`, which begins with a handshake. It compares
// each result with the schema that the tool has for it.

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const client = new Client({ name: "quartet-doors", version: "1.0.0" });
const transport = new StreamableHTTPClientTransport(new URL(`${process.env.QUARTET_ADDRESS}/mcp`));
await client.connect(transport);
assert.equal(transport.sessionId, undefined);
assert.equal(client.getServerVersion().name, "quartet");
await client.ping();
const { tools } = await client.listTools();
assert.equal(tools.length, 10);

const steps = [];
const spoken = await client.callTool(
  { name: "speak", arguments: { text: "Good morning. ".repeat(8), engine: "fast" } },
  undefined,
  { onprogress: (progress) => steps.push(progress) },
);
assert.equal(spoken.content[0].type, "audio");
assert.equal(Buffer.from(spoken.content[0].data, "base64")[0], 0xff);
assert.ok(steps.length > 2 && steps.every((step) => step.progress <= step.total + 0.1), JSON.stringify(steps));

const computed = await client.callTool({ name: "compute", arguments: { question: "What is 12 times 12?" } });
assert.match(computed.content[0].text, /144/);
assert.equal(computed.structuredContent.origin, "computation");

const failed = await client.callTool({ name: "speak", arguments: { text: "a", voice: "Puck" } });
assert.ok(failed.isError && failed.content[0].text.includes("Kore"), JSON.stringify(failed));
await assert.rejects(client.callTool({ name: "sing", arguments: {} }), (error) => error.code === -32602);
await client.close();

console.log("mcp all is well");
