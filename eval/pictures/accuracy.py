"""Accuracy of text recognition: character error rates beside Tesseract and RapidOCR on the same files."""

import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy
from PIL import Image
from rapidocr import RapidOCR

import pages
from collection import Picture
from service import Service

# Its classifier of upside-down lines is off: it turns upright lines over on clean pages, and then reads nothing.
UPRIGHT = {"Global.use_cls": False}
# Layout that Tesseract is told: one block where that is so (on its own it loses most of Chinese and Korean).
BLOCK, AUTOMATIC = "6", "3"
ENGINES = ("Quartet", "Tesseract", "RapidOCR")


def error(truth: str, read: str) -> float:
    """Insertions, deletions and substitutions by the characters of the truth; neither spaces nor width count."""
    truth, read = ("".join(unicodedata.normalize("NFKC", text).split()) for text in (truth, read))
    return distance(truth, read) / max(1, len(truth))


def distance(truth: str, read: str) -> int:
    """Levenshtein's distance, a row at a time."""
    codes = numpy.array([ord(character) for character in read])
    before = numpy.arange(len(read) + 1)
    for number, character in enumerate(truth, 1):
        row = numpy.concatenate(([number], numpy.minimum(before[1:] + 1, before[:-1] + (codes != ord(character)))))
        # An insertion costs one for each step: the least of what is before, minus its place, plus ours.
        steps = numpy.arange(len(row))
        before = numpy.minimum.accumulate(row - steps) + steps
    return int(before[-1])


def tesseract(path: Path, language: str, layout: str) -> str:
    """Text by Tesseract, with its better threshold."""
    command = ["tesseract", str(path), "-", "-l", language, "--psm", layout, "-c", "thresholding_method=2"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def rapidocr(engine: RapidOCR, path: Path) -> str:
    """Text by RapidOCR, in its order. The picture is decoded for it: its own way loses pictures with palettes."""
    light = numpy.asarray(Image.open(path).convert("RGB"))[..., ::-1]
    return "\n".join(engine(light).txts or ())


def read(service: Service, engine: RapidOCR, path: Path, language: str, layout: str, truth: str) -> dict:
    """The error of each engine, and what else Quartet says."""
    data = service.ask("extract-text", path)
    texts = data["text"], tesseract(path, language, layout), rapidocr(engine, path)
    result = {name: error(truth, text) for name, text in zip(ENGINES, texts, strict=True)}
    print(path.name, result, file=sys.stderr)
    return result | {"unread": len(data["unread"]), "lines": len(data["lines"]), "warning": data.get("warning", "")}


def rendered(service: Service, folder: Path) -> dict:
    """Pages of print in each language, clean and hard."""
    engine, results = RapidOCR(params=UPRIGHT), {}
    for language, (tesseract_language, _) in pages.LANGUAGES.items():
        clean, truth = pages.page(language)
        for kind, picture in (("clean", clean), ("hard", pages.hard(clean))):
            path = folder / f"{kind}-{language}.png"
            picture.save(path)
            results[f"{language} {kind}"] = read(service, engine, path, tesseract_language, BLOCK, truth)
    return results


def scans(service: Service, pictures: list[Picture]) -> dict:
    """Real pictures whose text is known."""
    engine = RapidOCR(params=UPRIGHT)
    return {
        picture.name: read(service, engine, picture.path, picture.language, AUTOMATIC, picture.text)
        for picture in pictures
        if picture.text
    }
