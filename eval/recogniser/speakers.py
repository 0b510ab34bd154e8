"""The speakers: a running Quartet service, and the C program `espeak-ng`. Both return a WAV file."""

import json
import subprocess
import urllib.request

import pyopenjtalk
from pypinyin import Style, lazy_pinyin

# The names of languages in `espeak-ng`, where they differ: the same varieties that Quartet speaks.
ESPEAK_VOICES = {"zh": "cmn-latn-pinyin", "pt": "pt-br"}


def quartet(service: str, language: str, voice: str, engine: str, text: str) -> bytes:
    """Speech of the service at the address `service`."""
    request = urllib.request.Request(
        f"{service}/api/v1/tts/stream",
        json.dumps({"text": text, "language": language, "voice": voice, "engine": engine}).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=300) as response:
        return response.read()


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
