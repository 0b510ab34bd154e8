// Has the language model call functions and fill in forms, as programs do that use the package `ai`.

import assert from "node:assert/strict";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateObject, generateText, isStepCount, Output, streamText, tool } from "ai";
import { z } from "zod";

const baseURL = process.env.OPENAI_BASE_URL;
const openai = createOpenAI({ baseURL, apiKey: "anything" });
const compatible = createOpenAICompatible({ name: "quartet", baseURL, supportsStructuredOutputs: true });

let asked = [];
const tools = {
  get_weather: tool({
    description: "Get the current weather of a city.",
    inputSchema: z.object({ city: z.string().describe("Name of the city, such as Berlin") }),
    execute: async (given) => {
      asked.push(given);
      return { temperature: 17, sky: "overcast" };
    },
  }),
};
const schema = z.object({ name: z.string(), country: z.string() });

// `/responses`, and `/chat/completions`.
for (const model of [openai("quartet"), compatible("quartet")]) {
  const name = model.provider;
  const given = { model, maxRetries: 0 };

  // The functions are called by the package, which sends what they return until there is an answer in words. In pieces first:
  // such an answer may take its time, and what comes after it goes on from what was computed for it.
  const prompt = "What is the weather in Paris?";
  asked = [];
  let failure = null;
  const onError = ({ error }) => (failure = error);
  const stream = streamText({ ...given, prompt, tools, stopWhen: isStepCount(3), onError });
  let text = "";
  for await (const piece of stream.textStream) text += piece;
  assert.equal(failure, null, name);
  assert.deepEqual(asked, [{ city: "Paris" }], name);
  assert.match(text, /17/, name);

  asked = [];
  const called = await generateText({ ...given, prompt, tools, stopWhen: isStepCount(3) });
  assert.deepEqual(asked, [{ city: "Paris" }], name);
  assert.match(called.text, /17/, name);
  assert.equal(called.steps[0].finishReason, "tool-calls", name);

  const form = "Name the capital of France, and its country.";
  const filled = streamText({ ...given, prompt: form, output: Output.object({ schema }), onError });
  const states = [];
  for await (const state of filled.partialOutputStream) states.push(state);
  assert.deepEqual(states.at(-1), { name: "Paris", country: "France" }, name);
  assert.equal(failure, null, name);
  const { object, usage } = await generateObject({ ...given, schema, prompt: form });
  assert.deepEqual(object, states.at(-1), name);
  assert.ok(usage.outputTokens > 0, name);
}

console.log("ai all is well");
