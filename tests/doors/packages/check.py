"""Asks a service as programs do that use the package `openai`. The address and the key are in the environment."""

import base64
import struct
import zlib

import openai

client = openai.OpenAI(max_retries=0)

models = [model.id for model in client.models.list()]
assert "quartet" in models and "quartet-search" in models, models
assert client.models.retrieve("quartet").owned_by == "quartet"

question = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "What is 12 times 12?"},
]
answer = client.chat.completions.create(model="quartet", messages=question, temperature=0)
assert "144" in answer.choices[0].message.content, answer
assert answer.choices[0].finish_reason == "stop" and answer.usage.total_tokens == 0, answer

chunks = list(
    client.chat.completions.create(
        model="quartet", messages=question, stream=True, stream_options={"include_usage": True}
    )
)
text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
assert "144" in text, text
assert chunks[-1].usage is not None and not chunks[-1].choices, chunks[-1]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


pixels = (b"\0" + b"\x20\x40\xe0" * 80) * 60
picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 80, 60, 8, 2, 0, 0, 0))
picture += chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
url = "data:image/png;base64," + base64.b64encode(picture).decode()
parts = [
    {"type": "text", "text": "What colours are in the picture?"},
    {"type": "image_url", "image_url": {"url": url}},
]
answer = client.chat.completions.create(model="quartet", messages=[{"role": "user", "content": parts}])
assert "blue" in answer.choices[0].message.content, answer

response = client.responses.create(model="quartet", instructions="Be brief.", input="What is 12 times 12?")
assert "144" in response.output_text and response.status == "completed", response
turns = [
    {"role": "user", "content": [{"type": "input_text", "text": "What is 12 times 12?"}]},
    *response.output,
    {"role": "user", "content": "What is 12 times 13?"},
]
with client.responses.stream(model="quartet", input=turns) as stream:
    kinds = [event.type for event in stream]
    assert "156" in stream.get_final_response().output_text, kinds
assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds
assert "response.output_text.delta" in kinds, kinds
picture = [{"role": "user", "content": [{"type": "input_image", "image_url": url}, parts[0] | {"type": "input_text"}]}]
assert "blue" in client.responses.create(model="quartet", input=picture).output_text

# The package asks for Base64 by itself, and gives numbers.
texts = ["Where does the heron live?", "Der Reiher lebt am Fluss.", "The bank raised its rates."]
vectors = client.embeddings.create(model="text-embedding-3-small", input=texts)
assert len(vectors.data) == 3 and len(vectors.data[0].embedding) == 384 and vectors.usage.prompt_tokens > 20
asked, near, far = (vector.embedding for vector in vectors.data)
product = lambda one, two: sum(a * b for a, b in zip(one, two))
assert abs(product(asked, asked) - 1) < 1e-3
assert product(asked, near) > product(asked, far) + 0.02, (product(asked, near), product(asked, far))
plain = client.embeddings.create(model="x", input=texts[0], encoding_format="float")
assert max(abs(a - b) for a, b in zip(plain.data[0].embedding, asked)) < 1e-3

speech = client.audio.speech.create(model="tts-1", voice="alloy", input="Good morning.")
audio = speech.read()
assert audio[:1] == b"\xff" and len(audio) > 4000, audio[:8]
with client.audio.speech.with_streaming_response.create(
    model="tts-1", voice="nova", input="Good morning.", response_format="opus"
) as response:
    assert response.headers["content-type"] == "audio/ogg"
    assert b"".join(response.iter_bytes())[:4] == b"OggS"


def fails(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


error = fails(
    openai.NotFoundError, lambda: client.chat.completions.create(model="gpt-4o", messages=question)
)
assert error.code == "model_not_found" and error.param == "model", error
error = fails(
    openai.BadRequestError,
    lambda: client.audio.speech.create(model="tts-1", voice="alloy", input="x", response_format="aac"),
)
assert error.param == "response_format", error
error = fails(
    openai.BadRequestError, lambda: client.responses.create(model="quartet", input="x", previous_response_id="resp_1")
)
assert error.param == "previous_response_id", error
error = fails(openai.BadRequestError, lambda: client.embeddings.create(model="x", input="x", dimensions=256))
assert error.param == "dimensions", error
question[1]["content"] = "Who was Goethe?"
stream = client.chat.completions.create(model="quartet", messages=question, stream=True)
fails(openai.APIError, lambda: list(stream))

print("openai", openai.__version__, "all is well")
