"""The speakers: a running Quartet service, and the C program `espeak-ng`. Both return a WAV file."""

import io
import json
import subprocess
import tempfile
import urllib.request
import wave

import pyopenjtalk
from pypinyin import Style, lazy_pinyin

# The names of languages in `espeak-ng`, where they differ: the same varieties that Quartet speaks.
ESPEAK_VOICES = {"zh": "cmn-latn-pinyin", "pt": "pt-br"}


SAMPLE_RATE = 24_000


def quartet(service: str, language: str, voice: str, engine: str, text: str, audio_format: str = "wav") -> bytes:
    """Speech of the service at the address `service`, as a file of a format."""
    fields = {"text": text, "language": language, "voice": voice, "engine": engine, "format": audio_format}
    request = urllib.request.Request(
        f"{service}/api/v1/tts/stream", json.dumps(fields).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=300) as response:
        return response.read()


def decoded(file: bytes, audio_format: str) -> bytes:
    """A WAV file of what `ffmpeg` hears in a file: the same bytes for the same samples, whatever the format."""
    raw = ["-f", "s16le", "-ar", str(SAMPLE_RATE), "-ac", "1"]
    # PCM has no header to go by.
    known = raw if audio_format == "pcm" else []
    # From a pipe, whose size it does not know, ffmpeg doubts the counts of MP3, and leaves the padding at its end.
    with tempfile.NamedTemporaryFile() as saved:
        saved.write(file)
        saved.flush()
        command = ["ffmpeg", "-v", "error", "-xerror", *known, "-i", saved.name, *raw, "-"]
        samples = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    wav = io.BytesIO()
    with wave.open(wav, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(SAMPLE_RATE)
        writer.writeframes(samples)
    return wav.getvalue()


def espeak(language: str, text: str) -> bytes:
    """Speech of the C program with its own speed, pitch and voice.

    It cannot read kanji, and Debian's version 1.51 reads most ideographs of Chinese as English. It is given kana and
    pinyin, so that there is speech to compare with; Quartet has to read the text by itself.
    """
    if language == "ja":
        text = pyopenjtalk.g2p(text, kana=True)
    elif language == "zh":
        text = " ".join(lazy_pinyin(text, style=Style.TONE3, neutral_tone_with_five=True))
    command = ["espeak-ng", "-v", ESPEAK_VOICES.get(language, language), "--stdin", "--stdout"]
    return subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


def espeak_version() -> str:
    """The line with which the C program names itself, without the place of its data."""
    printed = subprocess.run(["espeak-ng", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return printed.split("  ")[0].strip()
