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
question[1]["content"] = "Who was Goethe?"
stream = client.chat.completions.create(model="quartet", messages=question, stream=True)
fails(openai.APIError, lambda: list(stream))

print("openai", openai.__version__, "all is well")
