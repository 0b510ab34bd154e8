"""Evaluation of answers and summaries: questions on Debian's manuals, and the abstracts of R packages' papers.

The programs `pdf_questions` and `pdf_summaries` of the crate here do the work; here the files are fetched, and summaries are compared with
those of `sumy` from the same sentences, by the package `rouge-score`.
"""

import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

from rouge_score import rouge_scorer
from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.nlp.stemmers import Stemmer
from sumy.summarizers.lex_rank import LexRankSummarizer
from sumy.summarizers.lsa import LsaSummarizer
from sumy.summarizers.text_rank import TextRankSummarizer
from sumy.utils import get_stop_words

import chat
import corpus

MANUALS = [f"debian-faq{language}" for language in ["", "-de", "-fr", "-it", "-pt", "-ru"]] + [
    f"maint-guide-{language}" for language in ["es", "ja", "zh-cn"]
]
PAPERS = [f"r-cran-{name}" for name in """
    clue coin colorspace desolve effects evd fitdistrplus flexmix gstat kernlab lme4 mixtools multcomp party partykit pscl psych
    quantreg rcpp rcpparmadillo rcppeigen sandwich scatterplot3d seriation sets sp spacetime strucchange surveillance tsp vcd zoo
""".split()]
SUMMARY_WORDS = 150


def fetch(packages, cache, target):
    """The PDFs of Debian packages, in one folder."""
    target.mkdir(parents=True, exist_ok=True)
    for package in packages:
        folder = cache / "corpus" / package
        try:
            corpus.fetch(package, folder, ["apt-get", "download", package], corpus.unpack_deb)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{package} cannot be had: {error}", file=sys.stderr)
            continue
        for path in sorted(folder.rglob("*.pdf")) + sorted(folder.rglob("*.pdf.gz")):
            if path.is_symlink() and not path.exists():
                continue
            name = path.name.removesuffix(".gz")
            # The English FAQ has a name without a language, too.
            if name == "debian-faq.pdf":
                continue
            (target / name).write_bytes(corpus.read(path))


class Tokenizer:
    """Tokenizer for sumy; sentences are found already."""

    language = "english"

    def to_words(self, text):
        return re.findall(r"[A-Za-z]{2,}", text)


def peer(kind, sentences):
    """The summary of one of sumy's methods: the best sentences that fit, in the order of the text."""
    tokenizer = Tokenizer()
    usable = [sentence for sentence in sentences if 5 <= len(sentence.split()) <= 60][:600]
    text = ObjectDocumentModel([Paragraph([Sentence(sentence, tokenizer) for sentence in usable])])
    summarizer = kind(Stemmer("english"))
    summarizer.stop_words = get_stop_words("english")

    def best(sentences, count, rating, *arguments, **named):
        rate = rating if callable(rating) else rating.__getitem__
        chosen, length = [], 0
        for sentence in sorted(sentences, key=lambda sentence: -rate(sentence)):
            words = len(str(sentence).split())
            if length + words <= SUMMARY_WORDS:
                chosen.append(sentence)
                length += words
        return tuple(sentence for sentence in sentences if any(sentence is other for other in chosen))

    summarizer._get_best_sentences = best
    return " ".join(str(sentence) for sentence in summarizer(text, 10))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="the folder of the built programs")
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--half", default="test", choices=["dev", "test", "all"])
    parser.add_argument("--chat", choices=["open", "frozen", "all"], help="score answers of a language model instead")
    parser.add_argument("--engine", type=pathlib.Path, help="with --chat: the program quartet-llm")
    parser.add_argument("--model", type=pathlib.Path, help="with --chat: a GGUF file")
    parser.add_argument("--first", default="1000", help="with --chat: questions of each document")
    arguments = parser.parse_args()
    if not shutil.which("apt-get"):
        sys.exit("the files come from Debian's packages: apt-get is needed")
    if arguments.chat:
        if not (arguments.engine and arguments.model):
            sys.exit("--chat needs --engine and --model")
        chat.ask(arguments)
        return
    fetch(MANUALS, arguments.cache, arguments.cache / "manuals")
    fetch(PAPERS, arguments.cache, arguments.cache / "papers")
    subprocess.run([arguments.programs / "pdf_questions", arguments.cache / "manuals", arguments.half], check=True)

    command = [arguments.programs / "pdf_summaries", arguments.cache / "papers", arguments.half, "json"]
    papers = [json.loads(line) for line in subprocess.run(command, check=True, capture_output=True).stdout.splitlines()]
    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
    methods = {
        "Quartet": lambda paper: paper["summary"],
        "first sentences": lambda paper: paper["first"],
        "sumy LexRank": lambda paper: peer(LexRankSummarizer, paper["sentences"]),
        "sumy TextRank": lambda paper: peer(TextRankSummarizer, paper["sentences"]),
        "sumy LSA": lambda paper: peer(LsaSummarizer, paper["sentences"]),
    }
    print(f"\n{len(papers)} papers     ROUGE-1 ROUGE-2 ROUGE-L")
    for name, method in methods.items():
        scores = [scorer.score(paper["reference"], method(paper)) for paper in papers]
        means = [statistics.mean(score[kind].fmeasure for score in scores) for kind in ("rouge1", "rouge2", "rougeL")]
        print(f"{name:16}" + "".join(f"   {mean:.3f}" for mean in means))


if __name__ == "__main__":
    main()
