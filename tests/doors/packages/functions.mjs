// Has the language model call functions, as programs do that use the package `openai`.

import assert from "node:assert/strict";
import OpenAI from "openai";

const client = new OpenAI({ maxRetries: 0, timeout: 300_000 });
const asked = [];
const tool = {
  type: "function",
  function: {
    name: "get_weather",
    description: "Get the current weather of a city.",
    parse: JSON.parse,
    function: (given) => {
      asked.push(given);
      return { temperature: 17, sky: "overcast" };
    },
    parameters: {
      type: "object",
      properties: { city: { type: "string", description: "Name of the city, such as Berlin" } },
      required: ["city"],
    },
  },
};
const messages = [{ role: "user", content: "What is the weather in Paris?" }];

// The helper that calls functions and sends their results, until there is an answer in words.
// In pieces first: such an answer may take its time, and what comes after it goes on from what was computed for it.
const streamed = client.chat.completions.runTools({ model: "quartet", messages, tools: [tool], stream: true });
assert.match(await streamed.finalContent(), /17/);
assert.deepEqual(asked, [{ city: "Paris" }]);

const runner = client.chat.completions.runTools({ model: "quartet", messages, tools: [tool] });
assert.match(await runner.finalContent(), /17/);
assert.deepEqual(asked[1], { city: "Paris" });

const { parameters, name, description } = tool.function;
const flat = { type: "function", name, description, parameters, strict: true };
const events = [];
const stream = client.responses.stream({ model: "quartet", input: messages, tools: [flat] });
for await (const event of stream) events.push(event.type);
assert.ok(events.includes("response.function_call_arguments.done"), events.join());
const [call] = (await stream.finalResponse()).output;
assert.deepEqual([call.type, JSON.parse(call.arguments)], ["function_call", { city: "Paris" }]);

console.log("openai all is well");
