"""The sentences that are spoken: paragraphs of the Universal Declaration of Human Rights, chosen by their length alone."""

from pathlib import Path

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "declaration"

# About 5 to 20 seconds of speech, in characters with spaces. An ideograph or a Hangul syllable takes longer than a letter.
LENGTHS = {"ja": (34, 110), "ko": (34, 110), "zh": (22, 75)}
LETTER_LENGTHS = (70, 230)


def chosen(language: str, count: int) -> list[str]:
    """The first `count` paragraphs of a suitable length.

    No paragraph of the text has a digit in it, so that no number can be right in two spellings.
    """
    shortest, longest = LENGTHS.get(language, LETTER_LENGTHS)
    text = (FOLDER / f"{language}.txt").read_text(encoding="utf-8")
    paragraphs = [" ".join(block.split()) for block in text.split("\n\n")]
    return [paragraph for paragraph in paragraphs if shortest <= len(paragraph) <= longest][:count]
