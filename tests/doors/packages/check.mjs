// Asks a service as programs do that use the package `openai`. The address and the key are in the environment.

import assert from "node:assert/strict";
import OpenAI from "openai";

const client = new OpenAI({ maxRetries: 0 });

const models = [];
for await (const model of client.models.list()) models.push(model.id);
assert.deepEqual(models, ["quartet", "quartet-search"]);
assert.equal((await client.models.retrieve("quartet")).owned_by, "quartet");

const messages = [
  { role: "developer", content: "Be brief." },
  { role: "user", content: "What is 12 times 12?" },
];
const answer = await client.chat.completions.create({ model: "quartet", messages });
assert.match(answer.choices[0].message.content, /144/);
assert.equal(answer.choices[0].finish_reason, "stop");

const stream = await client.chat.completions.create({
  model: "quartet",
  messages,
  stream: true,
  stream_options: { include_usage: true },
});
let text = "";
let usage = null;
for await (const chunk of stream) {
  text += chunk.choices[0]?.delta.content ?? "";
  usage = chunk.usage ?? usage;
}
assert.match(text, /144/);
assert.equal(usage.total_tokens, 0);

// The helper that puts a stream together again.
const whole = await client.chat.completions.stream({ model: "quartet", messages }).finalContent();
assert.match(whole, /144/);

const speech = await client.audio.speech.create({ model: "tts-1", voice: "alloy", input: "Good morning." });
assert.equal(speech.headers.get("content-type"), "audio/mpeg");
assert.equal(new Uint8Array(await speech.arrayBuffer())[0], 0xff);

await assert.rejects(
  client.chat.completions.create({ model: "gpt-4o", messages }),
  (error) => error instanceof OpenAI.NotFoundError && error.code === "model_not_found" && error.param === "model",
);
await assert.rejects(
  client.chat.completions.create({ model: "quartet", messages, n: 2 }),
  (error) => error instanceof OpenAI.BadRequestError && error.param === "n",
);

console.log("openai all is well");
