"""Asks a running service questions about short documents: `short_documents.py SET FOLDER HALF`. There are four sets.

`xquad`, with a folder of XQuAD's files: each document has the first paragraphs of an article, up to three and some 900 tokens, in one
of five languages. It is asked three questions in its language and one in another that it answers, and one of each whose answer stands
in a later paragraph only. Every other article belongs to the half `frozen`, which is only counted, never printed.

`across`, with the same folder: the same articles in English, each asked four questions that it answers and two that it does not, each in
another of six languages.

`conditionalqa`, with a folder of ConditionalQA's `train.json` and `dev.json`: each document has what the answers to the questions about
one page of gov.uk rest on, as far as that is some 900 tokens. It is asked up to three of these, in plain words and without the story
that stands with them, those that the page does not answer, and one about another page. Only pages with a question that they do not
answer are taken; every other page belongs to `frozen`.

`notices`, with the folder `notices` beside this file: bills, rules, programmes and letters in eight languages, in the layout of plain
text, each asked six questions that it answers, two of them with yes or no, and one that it does not. `questions.tsv` says which half
a document belongs to.

An answer is right when it, or what it cites, contains a reference of the document's language, or is part of one; a question without an
answer is refused when the service does not answer it. With `--wait`, questions come when the document was read ahead.
"""

import argparse
import json
import random
import re
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

# Languages of the documents, in turn, and the languages of the questions from elsewhere.
DOCUMENTS = ["en", "de", "es", "ru", "zh", "en", "de", "es"]
OTHERS = {"en": ["de", "es", "ru"], "de": ["en"], "es": ["en"], "ru": ["en"], "zh": ["en"]}
# Languages of all questions of the set `across`, whose documents are English.
ACROSS = ["de", "es", "ru", "zh", "ar", "hi"]
# Characters of a document: some 900 tokens.
CHARACTERS = {"en": 3400, "de": 3000, "es": 3300, "ru": 1050, "zh": 900}
PARAGRAPHS = 3
# Questions of a page of gov.uk that it answers, and how far away the page is whose question it does not.
ANSWERABLE = 3
FAR = 60
# Words from which on a reference is a passage, of which a part is right, too.
PASSAGE_WORDS = 6
READ_AHEAD = "quartet_language_read_ahead_tokens_total"
WAIT_SECONDS = 90


def pages(folder, half):
    """The pages of gov.uk of a half, as `articles` has articles."""
    asked = [entry for name in ("train", "dev") for entry in json.loads((folder / f"{name}.json").read_text())]
    by_page = {}
    for entry in asked:
        by_page.setdefault(entry["url"], []).append(entry)
    chance = random.Random(3)
    halves = ([], [])
    kept = 0
    for entries in by_page.values():
        lines = []
        for evidence in (evidence for entry in entries for evidence in entry["evidences"]):
            line = re.sub(r"<[^>]+>", "", evidence).strip()
            line = f"- {line}" if evidence.startswith("<li") else line
            if line and line not in lines:
                lines.append(line)
        text = "\n\n".join(lines)
        if not 600 < len(text) < CHARACTERS["en"]:
            continue
        answered = [entry for entry in entries if not entry["not_answerable"] and entry["evidences"]]
        chance.shuffle(answered)
        questions = []
        for entry in answered:
            references = (re.sub(r"<[^>]+>", "", evidence).strip() for evidence in entry["evidences"])
            questions.append((entry["question"], "en", [reference for reference in references if len(reference) > 15]))
        unanswered = [(entry["question"], "en", None) for entry in entries if entry["not_answerable"]]
        halves[kept % 2].append((text, questions, unanswered))
        kept += 1
    chosen = halves[half == "frozen"]
    result = []
    for place, (text, questions, unanswered) in enumerate(chosen):
        far = chosen[(place + FAR) % len(chosen)][1]
        if unanswered and far:
            others = [(far[0][0], "en", None)]
            result.append(("en", text, questions[:ANSWERABLE] + unanswered + others))
    return result


def notices(folder, half):
    """The notices of a half, as `articles` has articles."""
    documents = {}
    for line in (folder / "questions.tsv").read_text().splitlines():
        name, belongs_to, language, _, references, question = line.split("\t")
        if belongs_to == half:
            documents.setdefault(name, []).append((question, language, references.split("|") if references else None))
    return [(asked[0][1], (folder / f"{name}.txt").read_text(), asked) for name, asked in documents.items()]


def articles(folder, half, across=False):
    """The articles of XQuAD of a half, each with its questions: text, language, references or none."""
    languages = set(DOCUMENTS) | set(ACROSS if across else [])
    data = {language: json.loads((folder / f"xquad.{language}.json").read_text())["data"] for language in languages}
    chance = random.Random(11)
    halves = []
    for first in (0, 1):
        chosen = []
        for article in range(first, len(data["en"]), 2):
            turn = len(chosen)
            language = "en" if across else DOCUMENTS[turn % len(DOCUMENTS)]
            other = OTHERS[language][turn % len(OTHERS[language])]
            paragraphs = data[language][article]["paragraphs"]
            if len(paragraphs) < PARAGRAPHS + 2:
                continue
            texts, size = [], 0
            for paragraph in paragraphs[:PARAGRAPHS]:
                if texts and size + len(paragraph["context"]) > CHARACTERS[language]:
                    break
                texts.append(paragraph["context"])
                size += len(paragraph["context"])
            if size > CHARACTERS[language]:
                continue
            questions = []
            for parts, count in ((range(len(texts)), 4), (range(PARAGRAPHS, PARAGRAPHS + 2), 2)):
                places = [(part, place) for part in parts for place in range(len(paragraphs[part]["qas"]))]
                chance.shuffle(places)
                for number, (part, place) in enumerate(places[:count]):
                    asked_in = other if number == count - 1 else language
                    if across:
                        asked_in = ACROSS[(turn + len(questions)) % len(ACROSS)]
                    question = data[asked_in][article]["paragraphs"][part]["qas"][place]["question"]
                    answers = [answer["text"] for answer in paragraphs[part]["qas"][place]["answers"]]
                    questions.append((question, asked_in, answers if part < PARAGRAPHS else None))
            chosen.append((language, "\n\n".join(texts), questions))
        halves.append(chosen)
    return halves[half == "frozen"]


class Client:
    """A person who uploads a document and asks about it."""

    def __init__(self, base):
        self.base = base
        self.session = f"short-{uuid.uuid4().hex}"

    def post(self, path, body, kind):
        headers = {"content-type": kind, "x-session-id": self.session}
        request = urllib.request.Request(f"{self.base}/api/v1{path}", body, headers)
        with urllib.request.urlopen(request, timeout=120) as response:
            return json.loads(response.read())["data"]

    def upload(self, text):
        head = '--part\r\ncontent-disposition: form-data; name="pdf"; filename="document.txt"\r\n\r\n'
        self.post("/pdf/extract-text", f"{head}{text}\r\n--part--\r\n".encode(), "multipart/form-data; boundary=part")

    def ask(self, question):
        return self.post("/pdf/chat", json.dumps({"message": question}).encode(), "application/json")

    def read_ahead(self):
        with urllib.request.urlopen(f"{self.base}/metrics") as response:
            found = re.search(rf"^{READ_AHEAD} (\S+)", response.read().decode(), re.MULTILINE)
        return float(found.group(1)) if found else 0.0


def plain(text):
    return re.sub(r"\W+", " ", text.lower())


def is_in(reference, said, quotes):
    """True if a reference stands in what was said, or what was quoted is a sentence of a long one."""
    parts = (quote for quote in quotes if len(quote.split()) >= PASSAGE_WORDS)
    return reference in said or len(reference.split()) >= PASSAGE_WORDS and any(part in reference for part in parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", choices=["xquad", "across", "conditionalqa", "notices"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("half", choices=["open", "frozen"])
    parser.add_argument("--base", default="http://127.0.0.1:8080")
    parser.add_argument("--documents", type=int, default=12)
    parser.add_argument("--wait", action="store_true")
    options = parser.parse_args()
    right = answerable = wrong = refused = unanswerable = 0
    times = []
    lengths = []
    documents = {"conditionalqa": pages, "notices": notices}.get(options.set, articles)
    flags = [True] if options.set == "across" else []
    for language, text, questions in documents(options.folder, options.half, *flags)[: options.documents]:
        client = Client(options.base)
        before, end = client.read_ahead(), time.time() + WAIT_SECONDS
        client.upload(text)
        while options.wait and client.read_ahead() == before and time.time() < end:
            time.sleep(1)
        for question, asked_in, references in questions:
            begin = time.time()
            answer = client.ask(question)
            times.append(time.time() - begin)
            quotes = [plain(cited["quote"]) for cited in answer["citations"]]
            said = " ".join([plain(answer["answer"]), *quotes])
            lengths += [len(answer["answer"])] if answer["answered"] else []
            if references is None:
                unanswerable += 1
                refused += not answer["answered"]
            else:
                answerable += 1
                holds = any(is_in(plain(reference), said, quotes) for reference in references)
                right += answer["answered"] and holds
                wrong += answer["answered"] and not holds
            if options.half == "open":
                print(language, asked_in, question, "|", answer["answered"], answer["origin"], answer["answer"][:120], "|", references, flush=True)
    times.sort()
    lengths = sorted(lengths) or [0]
    print(f"right {right} of {answerable}, answered otherwise {wrong}; refused {refused} of {unanswerable}; "
          f"seconds {times[len(times) // 2]:.1f} in the middle, {times[int(len(times) * 0.95)]:.1f} at the 95th percentile; "
          f"characters of an answer {lengths[len(lengths) // 2]} in the middle, {lengths[int(len(lengths) * 0.95)]} at the 95th percentile")


if __name__ == "__main__":
    main()
