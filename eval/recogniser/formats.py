"""Speech in every format beside the same speech as WAV: what the recogniser makes of it, how loud it is, and how large."""

import loudness
import speakers
from comparison import Errors, characters, words
from recogniser import Recogniser

FORMATS = ("wav", "mp3", "opus", "flac", "pcm")


def table(service: str, engine: str, voice: str, texts: dict[str, list[str]], recogniser: Recogniser):
    """The lines of a Markdown table, one for each language and format. `texts` are the sentences of each language."""
    yield (
        "| language | format | sentences | words | characters | characters above WAV, 95 % | samples | loudness, LUFS "
        "| above WAV | kB a minute |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for language, sentences in texts.items():
        # Samples, loudness and errors of WAV.
        original = None
        for audio_format in FORMATS:
            files = [
                speakers.quartet(service, language, voice, engine, sentence, audio_format) for sentence in sentences
            ]
            wavs = [speakers.decoded(file, audio_format) for file in files]
            pairs = [(said, recogniser.transcript(wav, language)) for said, wav in zip(sentences, wavs)]
            rates = [Errors(units, language, pairs) for units in (words, characters)]
            loud = loudness.integrated(wavs)
            original = original or (wavs, loud, rates[1])
            low, high = rates[1].above(original[2])
            minutes = sum(map(len, original[0])) / (2 * 60 * speakers.SAMPLE_RATE)
            yield (
                f"| {language} | {audio_format} | {len(sentences)} | {rates[0].rate():.1%} | {rates[1].rate():.1%} "
                f"| {100 * low:+.1f} to {100 * high:+.1f} | {likeness(wavs, original[0])} | {loud:.2f} "
                f"| {loud - original[1]:+.2f} dB | {sum(map(len, files)) / 1000 / minutes:.0f} |"
            )


def likeness(wavs: list[bytes], original: list[bytes]) -> str:
    """The samples beside those of WAV: the same, or as many, or by how many there are more or less."""
    if wavs == original:
        return "the same"
    more = {(len(wav) - len(other)) // 2 for wav, other in zip(wavs, original)}
    return "as many" if more == {0} else f"{min(more):+} to {max(more):+}"
