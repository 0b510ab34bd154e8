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

const response = await client.responses.create({ model: "quartet", input: "What is 12 times 12?" });
assert.match(response.output_text, /144/);
const events = [];
for await (const event of client.responses.stream({ model: "quartet", input: messages })) events.push(event.type);
assert.equal(events[0], "response.created");
assert.equal(events.at(-1), "response.completed");

const vectors = await client.embeddings.create({ model: "text-embedding-3-small", input: ["heron", "stork"] });
assert.equal(vectors.data.length, 2);
assert.equal(vectors.data[0].embedding.length, 384);

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

await assert.rejects(
  client.responses.create({ model: "quartet", input: "x", store: true }),
  (error) => error instanceof OpenAI.BadRequestError && error.param === "store",
);

console.log("openai all is well");
