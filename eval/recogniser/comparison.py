"""Error rates of transcripts: spellings that count as the same, units of comparison, edit distances.

What nobody can hear is taken away from both sides, the sentence and its transcript: letter case, punctuation, and the
choices of spelling that a language leaves open. README.md says in words what is compared.
"""

import random
import re
import unicodedata
from functools import cache

import pyopenjtalk
import zhconv
from pypinyin import Style, lazy_pinyin
from rapidfuzz.distance import Levenshtein

# Languages whose writing does not separate words.
WITHOUT_WORDS = ("ja", "zh")

# Hindi writes a nasal before a consonant of its own series as a letter or as a dot, and the moon dot as a dot.
HINDI_NASAL = re.compile("[ङञणनम]\u094d(?=[क-म])")
# A long vowel in kana: the bar, or the vowel's own letter.
LONG_O = re.compile("(?<=[オコソトノホモヨロゴゾドボポョヲ])ウ")
LONG_E = re.compile("(?<=[エケセテネヘメレゲゼデベペ])イ")


@cache
def normalised(language: str, text: str) -> str:
    """Words separated by single spaces, with nothing in them but letters, marks and digits."""
    text = unicodedata.normalize("NFKC", text).casefold()
    if language == "ar":
        # Vowel signs, and the hamza above and below its bearer, which most writers leave out.
        text = "".join(letter for letter in unicodedata.normalize("NFKD", text) if unicodedata.category(letter) != "Mn")
        text = text.replace("ى", "ي").replace("ة", "ه").replace("ـ", "")
    elif language == "hi":
        text = HINDI_NASAL.sub("ं", text.replace("\u093c", "").replace("ँ", "ं"))
    elif language == "ru":
        text = text.replace("ё", "е")
    elif language == "zh":
        text = zhconv.convert(text, "zh-cn")
    spaced = "".join(letter if unicodedata.category(letter)[0] in "LMN" else " " for letter in text)
    return " ".join(spaced.split())


def words(language: str, text: str) -> list[str]:
    """The words, in languages that separate them."""
    return normalised(language, text).split()


@cache
def characters(language: str, text: str) -> list[str]:
    """The characters without spaces: of Japanese the kana of its reading, of Chinese its syllables in pinyin with tones."""
    text = normalised(language, text)
    if language == "ja":
        reading = pyopenjtalk.g2p(text.replace(" ", ""), kana=True)
        return list(LONG_E.sub("ー", LONG_O.sub("ー", reading)))
    if language == "zh":
        return lazy_pinyin(text.replace(" ", ""), style=Style.TONE3, neutral_tone_with_five=True)
    return list(text.replace(" ", ""))


class Errors:
    """The errors in transcripts of some sentences: insertions, deletions and substitutions of units."""

    def __init__(self, units, language: str, pairs: list[tuple[str, str]]):
        self.lengths = [len(units(language, said)) for said, _ in pairs]
        distances = [Levenshtein.distance(units(language, said), units(language, heard)) for said, heard in pairs]
        # All wrong is the worst. A recogniser that repeats itself without end would otherwise outweigh everything.
        self.distances = [min(distance, length) for distance, length in zip(distances, self.lengths)]

    def rate(self) -> float:
        """Differences for each unit that was said, of all sentences together."""
        return sum(self.distances) / sum(self.lengths)

    def above(self, other: "Errors") -> tuple[float, float]:
        """The interval that holds, 19 times of 20, how much this rate is above that of `other` on the same sentences.

        By the bootstrap: the difference of the rates in 2000 random draws, with repetition, from the sentences.
        """
        chance = random.Random(1)
        count = range(len(self.lengths))
        draws = [chance.choices(count, k=len(count)) for _ in range(2000)]
        differences = sorted(
            sum(self.distances[at] - other.distances[at] for at in draw) / sum(self.lengths[at] for at in draw)
            for draw in draws
        )
        return differences[50], differences[-51]
