"""Has the language model call functions, as programs do that use the package `openai`."""

import json

import openai

client = openai.OpenAI(max_retries=0, timeout=300)
model = "quartet"
tools = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Get the current weather of a city.",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "Name of the city, such as Berlin"},
                    "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                },
                "required": ["city", "unit"],
                "additionalProperties": False,
            },
            "strict": True,
        },
    },
    {
        "type": "function",
        "function": {
            "name": "send_email",
            "description": "Send an e-mail to somebody.",
            "parameters": {
                "type": "object",
                "properties": {"to": {"type": "string"}, "text": {"type": "string"}},
                "required": ["to", "text"],
            },
        },
    },
]


def create(**given):
    """An answer that came to its end. On a slow machine one may run out of time, and the next goes on from what was computed for it."""
    for _ in range(4):
        answer = client.chat.completions.create(model=model, **given)
        if answer.choices[0].finish_reason != "length":
            break
    return answer


messages = [{"role": "user", "content": "What is the weather in Paris in celsius?"}]

# In pieces first: such an answer may take its time, and what comes after it goes on from what was computed for it.
with client.chat.completions.stream(model=model, messages=messages, tools=tools) as stream:
    kinds = {event.type for event in stream}
    [call] = stream.get_final_completion().choices[0].message.tool_calls
assert "tool_calls.function.arguments.done" in kinds, kinds
assert json.loads(call.function.arguments)["city"] == "Paris", call

# A function is called, and its result answered in words.
first = create(messages=messages, tools=tools)
choice = first.choices[0]
assert choice.finish_reason == "tool_calls", first
[call] = choice.message.tool_calls
assert call.function.name == "get_weather", call
assert json.loads(call.function.arguments) == {"city": "Paris", "unit": "celsius"}, call
assert first.usage.completion_tokens > 5 and choice.message.content is None, first
result = {"role": "tool", "tool_call_id": call.id, "content": json.dumps({"temperature": 17, "sky": "overcast"})}
# The message goes back as it came.
second = create(messages=[*messages, choice.message, result], tools=tools)
# A small model may ask for the same again.
if second.choices[0].finish_reason == "tool_calls":
    again = second.choices[0].message
    results = [{**result, "tool_call_id": call.id} for call in again.tool_calls]
    second = create(messages=[*messages, choice.message, result, again, *results], tools=tools)
assert second.choices[0].finish_reason == "stop", second
assert "17" in second.choices[0].message.content, second

# A choice that leaves the model none.
forced = {"type": "function", "function": {"name": "send_email"}}
question = [{"role": "user", "content": "Tell bob@example.org that lunch is at noon."}]
answer = create(messages=question, tools=tools, tool_choice=forced)
arguments = json.loads(answer.choices[0].message.tool_calls[0].function.arguments)
assert arguments["to"] == "bob@example.org" and "noon" in arguments["text"], arguments
required = create(messages=messages, tools=tools, tool_choice="required")
assert required.choices[0].message.tool_calls, required
none = create(messages=messages, tools=tools, tool_choice="none")
assert none.choices[0].message.tool_calls is None and none.choices[0].message.content, none

# The newer form.
flat = [{"type": "function", **tool["function"]} for tool in tools]
for _ in range(4):
    response = client.responses.create(model=model, input=messages, tools=flat)
    if response.status == "completed":
        break
[call] = response.output
assert call.type == "function_call" and json.loads(call.arguments)["city"] == "Paris", response
turns = [*messages, call, {"type": "function_call_output", "call_id": call.call_id, "output": result["content"]}]
# Without the other function, by which a small model may rather send the result to somebody.
with client.responses.stream(model=model, input=turns, tools=flat[:1]) as stream:
    for event in stream:
        pass
    assert "17" in stream.get_final_response().output_text, stream.get_final_response()

# An answer goes on from where it ended, in both forms, although there are functions.
rhyme = [{"role": "user", "content": "Write the first verse of the oldest of love poems."}]
rhyme += [{"role": "assistant", "content": "Roses are red,\nviolets are"}]
rest = create(messages=rhyme, tools=tools, max_tokens=20).choices[0].message
assert rest.tool_calls is None and rest.content.startswith(" blue"), rest
rest = client.responses.create(model=model, input=rhyme, max_output_tokens=20)
assert rest.output_text.startswith(" blue"), rest

# What a function takes and cannot be kept to is refused by its name.
tools[0]["function"]["parameters"] = {"type": "object", "properties": {"city": {"not": {"type": "string"}}}, "required": ["city"]}
try:
    client.chat.completions.create(
        model=model, messages=messages, tools=tools, tool_choice={"type": "function", "function": {"name": "get_weather"}}
    )
    raise AssertionError("it was kept to")
except openai.BadRequestError as error:
    assert error.param == "tools[0].function.parameters" and "not" in error.message, error

print("openai", openai.__version__, "all is well")
