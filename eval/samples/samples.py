"""Has a running service speak a text with each voice and engine in each language, and makes a page to listen to.

The page has a sound and a spectrogram for each, with the pitch and other figures as Praat measures them. It loads nothing
from elsewhere: the folder can be copied to any place.
"""

import argparse
import html
import io
import json
import statistics
import sys
import time
import urllib.error
import urllib.request
import wave
from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import parselmouth

TEXTS = Path(__file__).parents[2] / "tests" / "data" / "declaration"
LANGUAGES = {
    "en": "English", "hi": "Hindi", "es": "Spanish", "fr": "French", "de": "German", "it": "Italian", "pt": "Portuguese",
    "ru": "Russian", "ja": "Japanese", "zh": "Chinese", "ko": "Korean", "ar": "Arabic",
}
VOICES = ("Kore", "Phoebe", "Charon", "Fenrir", "Aoede")
ENGINES = ("natural", "fast")
# Longest paragraph in characters: about ten seconds.
LENGTHS = {"ja": 60, "ko": 80, "zh": 45}
LENGTH = 170
# Loudness range of the pictures, in decibels below the loudest point, and the highest frequency in them, in hertz.
RANGE, HIGHEST = 60, 8_000
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .4rem .6rem; text-align: start; vertical-align: middle; }
tr { border-top: 1px solid #ccc; } img { width: 22rem; height: auto; } td.figure { white-space: nowrap; }
"""


def main() -> None:
    arguments = parsed()
    arguments.out.mkdir(parents=True, exist_ok=True)
    sections = []
    for language in arguments.languages:
        text = chosen(language)
        rows = []
        for engine in arguments.engines:
            for voice in arguments.voices:
                made = sample(arguments, language, engine, voice, text)
                if made is None:
                    continue
                rows.append(made)
                print(f"{language} {engine} {voice}", file=sys.stderr)
        sections.append(section(language, text, rows))
    page = arguments.out / "index.html"
    page.write_text(document(sections), encoding="utf-8")
    print(page)


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--service", required=True, metavar="URL", help="the service, for example http://127.0.0.1:8080")
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="for the page, its sounds and pictures")
    parser.add_argument("--engines", nargs="+", default=ENGINES, choices=ENGINES, help="who speaks (default both)")
    parser.add_argument("--voices", nargs="+", default=VOICES, choices=VOICES, help="default: all five")
    parser.add_argument("languages", nargs="*", default=tuple(LANGUAGES), metavar="LANGUAGE", help="codes (default: all twelve)")
    arguments = parser.parse_args()
    if unknown := set(arguments.languages) - set(LANGUAGES):
        parser.error(f"no such language: {', '.join(sorted(unknown))}")
    return arguments


def chosen(language: str) -> str:
    """The first paragraph of the Universal Declaration of Human Rights that is no heading and not too long."""
    longest = LENGTHS.get(language, LENGTH)
    blocks = (TEXTS / f"{language}.txt").read_text(encoding="utf-8").split("\n\n")
    paragraphs = [" ".join(block.split()) for block in blocks]
    return next(text for text in paragraphs if longest / 3 <= len(text) <= longest)


def sample(arguments, language: str, engine: str, voice: str, text: str) -> dict | None:
    """One sound with its picture and figures; none where the engine does not speak the language."""
    asked = {"text": text, "language": language, "voice": voice, "engine": engine}
    request = urllib.request.Request(
        f"{arguments.service}/api/v1/tts/stream", json.dumps(asked).encode(), {"content-type": "application/json"}
    )
    begun = time.monotonic()
    try:
        with urllib.request.urlopen(request, timeout=300) as response:
            wav = response.read()
    except urllib.error.HTTPError as error:
        reason = json.loads(error.read()).get("error", "")
        if error.code == 400:
            print(f"{language} {engine} {voice}: {reason}", file=sys.stderr)
            return None
        raise SystemExit(f"{language} {engine} {voice}: {error.code} {reason}") from error
    took = time.monotonic() - begun
    name = f"{language}-{engine}-{voice.lower()}"
    (arguments.out / f"{name}.wav").write_bytes(wav)
    with io.BytesIO(wav) as file:
        samples, rate = decoded(file)
    sound = parselmouth.Sound(samples, rate)
    draw(sound, arguments.out / f"{name}.png")
    return {"name": name, "engine": engine, "voice": voice, "took": took, **figures(sound)}


def decoded(file: io.BytesIO) -> tuple[np.ndarray, int]:
    """Samples from -1 to 1, and their rate."""
    with wave.open(file) as wav:
        data = np.frombuffer(wav.readframes(wav.getnframes()), dtype="<i2")
        return data / 32_768, wav.getframerate()


def figures(sound: parselmouth.Sound) -> dict:
    """Duration in seconds, median and spread of the pitch in hertz, and the centre of gravity of the spectrum in hertz."""
    pitch = sound.to_pitch().selected_array["frequency"]
    voiced = pitch[pitch > 0]
    quarters = statistics.quantiles(voiced, n=4) if len(voiced) > 1 else (0, 0, 0)
    return {
        "seconds": sound.duration,
        "pitch": quarters[1],
        "spread": quarters[2] - quarters[0],
        "centre": sound.to_spectrum().get_center_of_gravity(),
    }


def draw(sound: parselmouth.Sound, file: Path) -> None:
    """A spectrogram with the pitch over it."""
    spectrogram = sound.to_spectrogram(window_length=0.01, maximum_frequency=HIGHEST)
    level = 10 * np.log10(np.maximum(spectrogram.values, 1e-12))
    pitch = sound.to_pitch()
    values = pitch.selected_array["frequency"]
    values[values == 0] = np.nan
    figure, axes = plt.subplots(figsize=(7, 2.2), dpi=100)
    axes.pcolormesh(
        spectrogram.x_grid(), spectrogram.y_grid(), level, vmin=level.max() - RANGE, cmap="gray_r", rasterized=True
    )
    axes.set(xlabel="s", ylabel="Hz", ylim=(0, HIGHEST))
    tone = axes.twinx()
    tone.plot(pitch.xs(), values, ".", color="#c03", markersize=2)
    tone.set(ylim=(0, 500), ylabel="pitch, Hz")
    figure.tight_layout()
    figure.savefig(file)
    plt.close(figure)


def section(language: str, text: str, rows: list[dict]) -> str:
    """The part of the page for a language."""
    lines = [
        f"<tr><td>{row['engine']}</td><td>{row['voice']}</td>"
        f'<td><audio controls preload="none" src="{row["name"]}.wav"></audio></td>'
        f'<td><img loading="lazy" alt="Spectrogram of {row["voice"]}" src="{row["name"]}.png"></td>'
        f'<td class="figure">{row["seconds"]:.1f} s, made in {row["took"]:.1f} s<br>'
        f"pitch {row['pitch']:.0f} Hz, half of it within {row['spread']:.0f} Hz<br>"
        f"centre {row['centre']:.0f} Hz</td></tr>"
        for row in rows
    ]
    direction = "rtl" if language == "ar" else "ltr"
    return (
        f'<h2 id="{language}">{LANGUAGES[language]}</h2><p lang="{language}" dir="{direction}">{html.escape(text)}</p>'
        f"<table><tr><th>Engine</th><th>Voice</th><th>Sound</th><th>Spectrogram</th><th>Figures</th></tr>"
        f"{''.join(lines)}</table>"
    )


def document(sections: list[str]) -> str:
    """The whole page."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Samples of speech</title><style>{STYLE}</style><h1>Samples of speech</h1>"
        "<p>A paragraph of the Universal Declaration of Human Rights in each language. The dots in the pictures are the "
        f"pitch.</p>{''.join(sections)}</html>\n"
    )


if __name__ == "__main__":
    main()
