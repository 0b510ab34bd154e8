"""Pages of print, made of the Universal Declaration of Human Rights in `tests/data/declaration`."""

from pathlib import Path

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont, features

DECLARATION = Path(__file__).parents[2] / "tests" / "data" / "declaration"
FONTS = Path("/usr/share/fonts")
SIZE, LEADING, MARGIN, WIDTH, LINES = 26, 44, 100, 1240, 14
# Tesseract's name of each language, and the font that has its letters: a file, or a face of the collection.
LANGUAGES = {
    "en": ("eng", "NotoSans-Regular.ttf"),
    "es": ("spa", "NotoSans-Regular.ttf"),
    "fr": ("fra", "NotoSans-Regular.ttf"),
    "it": ("ita", "NotoSans-Regular.ttf"),
    "pt": ("por", "NotoSans-Regular.ttf"),
    "de": ("deu", "NotoSans-Regular.ttf"),
    "zh": ("chi_sim", 2),
    "ja": ("jpn", 0),
    "ru": ("rus", "NotoSans-Regular.ttf"),
    "ko": ("kor", 1),
    "hi": ("hin", "NotoSansDevanagari-Regular.ttf"),
    "ar": ("ara", "NotoNaskhArabic-Regular.ttf"),
}
WITHOUT_SPACES = ("zh", "ja")


def page(language: str) -> tuple[Image.Image, str]:
    """A clean page, and what it says."""
    if language in ("hi", "ar") and not features.check("raqm"):
        raise SystemExit("the letters of hi and ar cannot be joined: Pillow needs the library libfribidi (fribidi)")
    font = font_of(language)
    lines = wrapped((DECLARATION / f"{language}.txt").read_text().split("\n"), font, language)[:LINES]
    picture = Image.new("RGB", (WIDTH, 2 * MARGIN + LEADING * len(lines)), "white")
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        at = (MARGIN, MARGIN + number * LEADING)
        if language == "ar":
            draw.text((WIDTH - MARGIN, at[1]), line, "black", font, anchor="ra", direction="rtl")
        else:
            draw.text(at, line, "black", font)
    return picture, "\n".join(lines)


def hard(picture: Image.Image) -> Image.Image:
    """The page tilted by 2°, darkened to one side, noisy and a little blurred."""
    tilted = picture.rotate(2, expand=True, fillcolor="white", resample=Image.Resampling.BICUBIC)
    light = numpy.asarray(tilted).astype(float)
    light *= numpy.linspace(0.55, 1, light.shape[1])[None, :, None]
    light += numpy.random.default_rng(1).normal(0, 12, light.shape)
    return Image.fromarray(light.clip(0, 255).astype("uint8")).filter(ImageFilter.GaussianBlur(0.6))


def a4() -> Image.Image:
    """An A4 page at 300 dots an inch with 72 lines of text."""
    font = ImageFont.truetype(str(found("NotoSans-Regular.ttf")), 34)
    lines = wrapped((DECLARATION / "en.txt").read_text().split("\n"), font, "en", 2480 - 400)
    picture = Image.new("RGB", (2480, 3508), "white")
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate((lines * 2)[:72]):
        draw.text((200, 160 + number * 44), line, "black", font)
    return picture


def font_of(language: str) -> ImageFont.FreeTypeFont:
    """The font of a language."""
    font = LANGUAGES[language][1]
    if isinstance(font, int):
        return ImageFont.truetype(str(found("NotoSansCJK-Regular.ttc")), SIZE, index=font)
    return ImageFont.truetype(str(found(font)), SIZE)


def found(name: str) -> Path:
    """A font's file."""
    for path in FONTS.rglob(name):
        return path
    raise SystemExit(f"the font {name} is not there: it is in Debian's packages fonts-noto-core and fonts-noto-cjk")


def wrapped(paragraphs: list[str], font: ImageFont.FreeTypeFont, language: str, width: int = WIDTH - 2 * MARGIN) -> list[str]:
    """Lines no wider than the page."""
    gap = "" if language in WITHOUT_SPACES else " "
    lines = []
    for paragraph in paragraphs:
        line = ""
        for part in paragraph.strip() if not gap else paragraph.split():
            longer = f"{line}{gap}{part}" if line else part
            if line and font.getlength(longer) > width:
                lines.append(line)
                longer = part
            line = longer
        if line:
            lines.append(line)
    return lines
