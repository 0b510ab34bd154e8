"""Has `openapi-python-client` make a client from the service's description, and uses it as a program would."""

import base64
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from io import BytesIO
from pathlib import Path

address = os.environ["QUARTET_ADDRESS"]
folder = Path(tempfile.mkdtemp())
config = folder / "config.yml"
# It knows no media types of audio, and takes what it is told instead. Its hooks only make the code pretty.
config.write_text("content_type_overrides:\n  audio/wav: application/octet-stream\npost_hooks: []\n")
command = ["generate", "--url", f"{address}/openapi.json", "--meta", "none", "--fail-on-warning"]
command += ["--config", str(config), "--output-path", str(folder / "quartet")]
subprocess.run([sys.executable, "-m", "openapi_python_client", *command], check=True)
sys.path.insert(0, str(folder))

from quartet import Client
from quartet.api.chat import chat
from quartet.api.image import describe_picture
from quartet.api.jobs import get_job
from quartet.api.pdf import read_document
from quartet.api.tts import generate_speech, stream_speech
from quartet.models import ChatRequest, DescribePictureBody, Engine, FailureBody, Language, ReadDocumentBody
from quartet.models import SpeechRequest, TextFormat, Voice
from quartet.types import File

client = Client(base_url=address)


def samples(wav):
    """The samples of a WAV file."""
    assert wav[:4] == b"RIFF" and wav[8:16] == b"WAVEfmt ", wav[:16]
    at = 12
    while wav[at : at + 4] != b"data":
        at += 8 + int.from_bytes(wav[at + 4 : at + 8], "little")
    (length,) = struct.unpack_from("<I", wav, at + 4)
    assert len(wav) == at + 8 + length, (len(wav), at, length)
    return length // 2


request = SpeechRequest(text="Good morning.", voice=Voice.KORE, engine=Engine.FAST)
speech = generate_speech.sync(client=client, body=request).data
whole = base64.b64decode(speech.audio_base_64)
assert len(whole) == speech.audio_size and speech.language == "English", speech
assert 12_000 < samples(whole) < 48_000, samples(whole)
streamed = stream_speech.sync(client=client, body=request).payload.read()
assert streamed == whole, (len(streamed), len(whole))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 80, 60, 8, 2, 0, 0, 0))
picture += chunk(b"IDAT", zlib.compress((b"\0" + b"\x20\x40\xe0" * 80) * 60)) + chunk(b"IEND", b"")
file = File(payload=BytesIO(picture), file_name="blue.png", mime_type="image/png")
seen = describe_picture.sync(client=client, body=DescribePictureBody(image=file, language=Language.DE)).data
assert (seen.picture.width, seen.picture.height, seen.picture.format_) == (80, 60, "PNG"), seen
assert "blue" in seen.colours[0].name and "blau" in seen.description.lower(), seen

document = File(payload=BytesIO(Path(os.environ["QUARTET_DOCUMENT"]).read_bytes()), file_name="mill.pdf")
read = read_document.sync(client=client, body=ReadDocumentBody(pdf=document, format_=TextFormat.MARKDOWN)).data
assert "Thomas Reed" in read.text and len(read.pages) == 2 and "<!-- page 2 -->" in read.markdown, read

answer = chat.sync(client=client, body=ChatRequest(message="What is 12 times 12?")).data
assert "144" in answer.answer and answer.origin == "computation", answer

job = generate_speech.sync(client=client, body=request, prefer="respond-async").data
while (state := get_job.sync(job.job_id, client=client, wait=25).data.state) in ["queued", "running"]:
    pass
assert state == "done", state

failed = generate_speech.sync_detailed(client=client, body=SpeechRequest(text="..."))
assert failed.status_code == 400 and isinstance(failed.parsed, FailureBody), failed
assert failed.parsed.code == "nothing_to_speak" and "`text`" in failed.parsed.error, failed

print("all is well")
