"""Loudness of speech by `ffmpeg`, as EBU R 128 measures it: integrated, in LUFS."""

import re
import subprocess

SUMMARY = re.compile(r"I:\s+(-?[0-9.]+) LUFS")


def integrated(wavs: list[bytes]) -> float:
    """The loudness of WAV files on average, each measured by itself."""
    return sum(of(wav) for wav in wavs) / len(wavs)


def of(wav: bytes) -> float:
    """The loudness of a WAV file."""
    command = ["ffmpeg", "-hide_banner", "-nostats", "-i", "-", "-filter:a", "ebur128", "-f", "null", "-"]
    said = subprocess.run(command, input=wav, stderr=subprocess.PIPE, check=True).stderr.decode()
    # The last one is the summary's; those before it are of the time so far.
    return float(SUMMARY.findall(said)[-1])
