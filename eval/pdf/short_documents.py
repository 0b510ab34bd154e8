"""Asks a running service questions about short documents: `short_documents.py XQUAD HALF`, with a folder of XQuAD's files.

Each document has the first paragraphs of an article, up to three and some 900 tokens, in one of five languages. It is asked three
questions in its language and one in another that it answers, and one of each whose answer stands in a later paragraph only. Every
other article belongs to the half `frozen`, which is only counted, never printed.

An answer is right when it, or what it cites, contains a reference of the document's language; a question without an answer is
refused when the service does not answer it. With `--wait`, questions come when the document was read ahead.
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
# Characters of a document: some 900 tokens.
CHARACTERS = {"en": 3400, "de": 3000, "es": 3300, "ru": 1050, "zh": 900}
PARAGRAPHS = 3
READ_AHEAD = "quartet_language_read_ahead_tokens_total"
WAIT_SECONDS = 90


def documents(folder, half):
    """The documents of a half, each with its questions: text, language, references or none."""
    data = {language: json.loads((folder / f"xquad.{language}.json").read_text())["data"] for language in set(DOCUMENTS)}
    chance = random.Random(11)
    halves = []
    for first in (0, 1):
        chosen = []
        for article in range(first, len(data["en"]), 2):
            turn = len(chosen)
            language = DOCUMENTS[turn % len(DOCUMENTS)]
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
        head = '--part\r\ncontent-disposition: form-data; name="file"; filename="document.txt"\r\n\r\n'
        self.post("/pdf/extract-text", f"{head}{text}\r\n--part--\r\n".encode(), "multipart/form-data; boundary=part")

    def ask(self, question):
        return self.post("/pdf/chat", json.dumps({"message": question}).encode(), "application/json")

    def read_ahead(self):
        with urllib.request.urlopen(f"{self.base}/metrics") as response:
            found = re.search(rf"^{READ_AHEAD} (\S+)", response.read().decode(), re.MULTILINE)
        return float(found.group(1)) if found else 0.0


def plain(text):
    return re.sub(r"\W+", " ", text.lower())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("xquad", type=Path)
    parser.add_argument("half", choices=["open", "frozen"])
    parser.add_argument("--base", default="http://127.0.0.1:8080")
    parser.add_argument("--documents", type=int, default=12)
    parser.add_argument("--wait", action="store_true")
    options = parser.parse_args()
    right = answerable = wrong = refused = unanswerable = 0
    times = []
    for language, text, questions in documents(options.xquad, options.half)[: options.documents]:
        client = Client(options.base)
        before, end = client.read_ahead(), time.time() + WAIT_SECONDS
        client.upload(text)
        while options.wait and client.read_ahead() == before and time.time() < end:
            time.sleep(1)
        for question, asked_in, references in questions:
            begin = time.time()
            answer = client.ask(question)
            times.append(time.time() - begin)
            said = plain(" ".join([answer["answer"], *(cited["quote"] for cited in answer["citations"])]))
            if references is None:
                unanswerable += 1
                refused += not answer["answered"]
            else:
                answerable += 1
                holds = any(plain(reference) in said for reference in references)
                right += answer["answered"] and holds
                wrong += answer["answered"] and not holds
            if options.half == "open":
                print(language, asked_in, question, "|", answer["answered"], answer["answer"][:120], "|", references, flush=True)
    times.sort()
    print(f"right {right} of {answerable}, answered otherwise {wrong}; refused {refused} of {unanswerable}; "
          f"seconds {times[len(times) // 2]:.1f} in the middle, {times[int(len(times) * 0.95)]:.1f} at the 95th percentile")


if __name__ == "__main__":
    main()
