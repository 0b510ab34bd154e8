"""Has the speech of a running service transcribed by a recogniser and prints error rates beside those of `espeak-ng`, or
of every format beside those of WAV.

It prints a Markdown table; README.md says what its numbers mean. Progress goes to the error output.
"""

import argparse
import sys
from pathlib import Path

import formats
import sentences
import speakers
from comparison import WITHOUT_WORDS, Errors, characters, words
from recogniser import Recogniser

LANGUAGES = ("en", "hi", "es", "fr", "de", "it", "pt", "ru", "ja", "zh", "ko", "ar")
DEFAULT_VOICE = "Kore"
OTHER_VOICES = ("Phoebe", "Charon", "Fenrir", "Aoede")
ESPEAK = "espeak-ng"


def main() -> None:
    """Speaks, listens, compares, prints."""
    arguments = parsed()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    recogniser = Recogniser(arguments.cache)
    if arguments.formats:
        compare_formats(arguments, recogniser)
        return
    transcripts = Transcripts(arguments.transcripts)

    def judge(language: str, speaker: str) -> list[tuple[str, str]]:
        """Each sentence of a language with what was heard of it."""
        pairs = []
        for said in sentences.chosen(language, arguments.sentences):
            if speaker == ESPEAK:
                wav = speakers.espeak(language, said)
            else:
                wav = speakers.quartet(arguments.service, language, speaker, arguments.engine, said)
            pairs.append((said, recogniser.transcript(wav, language)))
        transcripts.add(language, speaker, pairs)
        print(f"{language} {speaker}", file=sys.stderr)
        return pairs

    print(f"Whisper-base listens to Quartet and to {speakers.espeak_version()}.\n")
    print("| language | sentences | words, Quartet | words, espeak-ng | characters, Quartet | characters, espeak-ng "
          "| characters, Quartet above espeak-ng, 95 % |")
    print("|---|---|---|---|---|---|---|")
    spoken = {}
    for language in arguments.languages:
        ours, theirs = judge(language, DEFAULT_VOICE), judge(language, ESPEAK)
        spoken[language] = theirs
        print(row(language, ours, theirs), flush=True)

    print("\n| language | voice | words | characters | characters above espeak-ng, 95 % |")
    print("|---|---|---|---|---|")
    for language in arguments.languages if arguments.all_voices else arguments.languages[:1]:
        for voice in (DEFAULT_VOICE, *OTHER_VOICES):
            pairs = judge(language, voice)
            rates = " | ".join(rate(errors(units, language, pairs)) for units in (words, characters))
            print(f"| {language} | {voice} | {rates} | {difference(language, pairs, spoken[language])} |", flush=True)


def compare_formats(arguments: argparse.Namespace, recogniser: Recogniser) -> None:
    """Prints the table of formats."""
    texts = {language: sentences.chosen(language, arguments.sentences) for language in arguments.languages}
    print(f"Whisper-base listens to each format of {DEFAULT_VOICE}, engine {arguments.engine}, as ffmpeg decodes it.\n")
    for line in formats.table(arguments.service, arguments.engine, DEFAULT_VOICE, texts, recogniser):
        print(line, flush=True)


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--service", required=True, metavar="URL", help="the service, for example http://127.0.0.1:8080")
    parser.add_argument("--cache", required=True, type=Path, metavar="FOLDER", help="for the model and what was heard")
    parser.add_argument("--sentences", type=int, default=20, metavar="N", help="how many of a language (default 20)")
    parser.add_argument("--all-voices", action="store_true", help="all voices in every language, not only in the first")
    parser.add_argument("--formats", action="store_true", help="every format beside WAV; needs ffmpeg")
    parser.add_argument("--engine", default="auto", choices=("auto", "natural", "fast"), help="who speaks (default auto)")
    parser.add_argument("--transcripts", type=Path, metavar="FILE", help="write every sentence and what was heard of it")
    parser.add_argument("languages", nargs="*", default=LANGUAGES, metavar="LANGUAGE", help="codes (default: all twelve)")
    arguments = parser.parse_args()
    if unknown := set(arguments.languages) - set(LANGUAGES):
        parser.error(f"no such language: {', '.join(sorted(unknown))}")
    if arguments.formats and set(arguments.languages) & set(WITHOUT_WORDS):
        parser.error(f"--formats compares words, which {' and '.join(WITHOUT_WORDS)} do not separate")
    if arguments.formats and arguments.engine == "auto":
        parser.error("--formats needs --engine natural or fast: one that is chosen anew may be another one each time")
    return arguments


def errors(units, language: str, pairs: list[tuple[str, str]]) -> Errors | None:
    """The errors in words or in characters; none in words where there are none."""
    return None if units is words and language in WITHOUT_WORDS else Errors(units, language, pairs)


def rate(errors_of_all: Errors | None) -> str:
    """A rate in per cent."""
    return "–" if errors_of_all is None else f"{errors_of_all.rate():.1%}"


def difference(language: str, ours: list[tuple[str, str]], theirs: list[tuple[str, str]]) -> str:
    """The difference of the first from the second in characters, which still differ where nearly all words are wrong."""
    low, high = Errors(characters, language, ours).above(Errors(characters, language, theirs))
    verdict = "worse" if low > 0 else "better" if high < 0 else "the same"
    return f"{100 * low:+.1f} to {100 * high:+.1f}: {verdict}"


def row(language: str, ours: list[tuple[str, str]], theirs: list[tuple[str, str]]) -> str:
    """The line of a language."""
    rates = [rate(errors(units, language, pairs)) for units in (words, characters) for pairs in (ours, theirs)]
    return f"| {language} | {len(ours)} | {' | '.join(rates)} | {difference(language, ours, theirs)} |"


class Transcripts:
    """The file in which one can read what was heard: tab-separated language, speaker, sentence, transcript."""

    def __init__(self, path: Path | None):
        self._path = path
        if path:
            path.write_text("language\tspeaker\tsaid\theard\n", encoding="utf-8")

    def add(self, language: str, speaker: str, pairs: list[tuple[str, str]]) -> None:
        """Adds the sentences of a speaker."""
        if self._path:
            with open(self._path, "a", encoding="utf-8") as file:
                file.writelines(f"{language}\t{speaker}\t{said}\t{heard}\n" for said, heard in pairs)


if __name__ == "__main__":
    main()
