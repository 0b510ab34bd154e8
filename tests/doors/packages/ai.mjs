// Asks a service as programs do that use the package `ai`, by its provider for OpenAI and by the one for whatever speaks the
// same. The address and the key are in the environment.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, embed, embedMany, generateSpeech, generateText, streamText } from "ai";

const baseURL = process.env.OPENAI_BASE_URL;
const openai = createOpenAI({ baseURL, apiKey: "anything" });
const compatible = createOpenAICompatible({
  name: "quartet",
  baseURL,
  apiKey: "anything",
  includeUsage: true,
  supportsStructuredOutputs: true,
});
const given = { maxRetries: 0 };
const question = "What is 12 times 12?";
const document = await readFile(process.env.QUARTET_DOCUMENT);

// OpenAI's provider takes `/responses` by itself and `/chat/completions` when it is told to.
for (const model of [openai("quartet"), openai.chat("quartet"), compatible("quartet")]) {
  const name = `${model.provider} ${model.modelId}`;
  const answer = await generateText({ model, instructions: "Be brief.", prompt: question, ...given });
  assert.match(answer.text, /144/, name);
  assert.equal(answer.finishReason, "stop", name);
  assert.equal(answer.usage.totalTokens, 0, name);
  assert.deepEqual(answer.warnings ?? [], [], name);

  const messages = [
    { role: "user", content: question },
    { role: "assistant", content: "144" },
    { role: "user", content: "What is 12 times 13?" },
  ];
  let failure = null;
  const stream = streamText({ model, messages, ...given, onError: ({ error }) => (failure = error) });
  let text = "";
  for await (const piece of stream.textStream) text += piece;
  assert.equal(failure, null, name);
  assert.match(text, /156/, name);
  assert.equal(await stream.finishReason, "stop", name);
  assert.equal((await stream.usage).totalTokens, 0, name);

  const asked = [
    { type: "text", text: "When was the mill built?" },
    { type: "file", mediaType: "application/pdf", filename: "mill.pdf", data: document },
  ];
  const read = await generateText({ model, messages: [{ role: "user", content: asked }], ...given });
  assert.match(read.text, /1742/, name);
}

for (const model of [openai.embedding("text-embedding-3-small"), compatible.embeddingModel("multilingual-e5-small")]) {
  const { embedding } = await embed({ model, value: "heron", ...given });
  assert.equal(embedding.length, 384);
  const { embeddings, usage } = await embedMany({ model, values: ["heron", "stork"], ...given });
  assert.equal(embeddings.length, 2);
  assert.ok(embeddings[0].every((value, at) => Math.abs(value - embedding[at]) < 1e-4));
  assert.ok(usage.tokens > 2, usage.tokens);
}

for (const [outputFormat, mediaType, start] of [
  [undefined, "audio/mpeg", [0xff]],
  ["wav", "audio/wav", [...Buffer.from("RIFF")]],
  ["flac", "audio/flac", [...Buffer.from("fLaC")]],
]) {
  const model = openai.speech("tts-1");
  const { audio, warnings } = await generateSpeech({
    model,
    text: "Good morning.",
    voice: "Kore",
    outputFormat,
    ...given,
  });
  assert.deepEqual([...audio.uint8Array.slice(0, start.length)], start);
  assert.equal(audio.mediaType, mediaType);
  assert.deepEqual(warnings, []);
}

await assert.rejects(
  generateText({ model: compatible("gpt-4o"), prompt: question, ...given }),
  (error) => APICallError.isInstance(error) && error.statusCode === 404 && /quartet-search/.test(error.message),
);
await assert.rejects(
  embed({ model: compatible.embeddingModel("e5"), value: "heron ".repeat(1000), ...given }),
  (error) => APICallError.isInstance(error) && error.statusCode === 400 && !error.isRetryable,
);

console.log("ai all is well");
