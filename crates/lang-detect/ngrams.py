"""Makes src/ngrams.txt of the language profiles of langdetect (Nakatani Shuyo, Apache-2.0; counted in Wikipedia):

    pip download langdetect==1.0.9 --no-deps && tar xzf langdetect-1.0.9.tar.gz
    python3 ngrams.py langdetect-1.0.9/langdetect/profiles > src/ngrams.txt

A weight is the logarithm of an n-gram's share in a language, less its mean over the six, in tenths.
"""

import json
import math
import sys
from collections import Counter
from pathlib import Path

LANGUAGES = ["en", "es", "fr", "de", "it", "pt"]
# Pairs of letters say less than triples: the weight that does best on the open half of lingua's test texts.
FACTOR = {2: 0.3, 3: 1.0}
# The share of an n-gram that a language never had.
UNSEEN = {2: 1e-5, 3: 2e-5}


def shares(path):
    """The share of each n-gram among those of its length, in small letters."""
    counts = Counter()
    for gram, count in json.loads(path.read_text("utf-8"))["freq"].items():
        counts[gram.lower()] += count
    totals = Counter()
    for gram, count in counts.items():
        totals[len(gram)] += count
    return {gram: count / totals[len(gram)] for gram, count in counts.items()}


def main():
    """Writes the table to the standard output, its lines sorted by their bytes."""
    profiles = [shares(Path(sys.argv[1]) / code) for code in LANGUAGES]
    lines = []
    for gram in {gram for profile in profiles for gram in profile if len(gram) in FACTOR and "\t" not in gram}:
        size = len(gram)
        logs = [math.log(profile.get(gram, 0) + UNSEEN[size]) for profile in profiles]
        mean = sum(logs) / len(logs)
        weights = [round(10 * FACTOR[size] * (value - mean)) for value in logs]
        lines.append(gram.replace(" ", "_") + "\t" + " ".join(map(str, weights)))
    sys.stdout.write("".join(line + "\n" for line in sorted(lines, key=lambda line: line.split("\t")[0].encode())))


main()
