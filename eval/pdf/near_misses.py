"""Asks a running service questions of SQuAD 2.0, half of which look as if the document answered them: `near_misses.py dev-v2.0.json HALF`.

Each article is uploaded as Markdown, with its first twelve paragraphs, and asked six questions that these answer and six that they do not.
Every other article, in the order of the digests of their titles, belongs to the half `frozen`, which is only counted, never printed.

An answer is right when it contains one of the references; a question without an answer is refused when the service does not answer it.
"""

import argparse
import hashlib
import json
import pathlib
import random
import urllib.request
import uuid

PARAGRAPHS = 12
QUESTIONS = 6


def articles(path, half):
    """The articles of a half, each with its document and questions."""
    chance = random.Random(7)
    data = json.loads(pathlib.Path(path).read_text())["data"]
    ordered = sorted(data, key=lambda article: hashlib.sha256(article["title"].encode()).hexdigest())
    for number, article in enumerate(ordered):
        paragraphs = article["paragraphs"][:PARAGRAPHS]
        asked = [question for paragraph in paragraphs for question in paragraph["qas"]]
        answered = [question for question in asked if not question["is_impossible"]]
        impossible = [question for question in asked if question["is_impossible"]]
        if min(len(answered), len(impossible)) < QUESTIONS:
            continue
        questions = chance.sample(answered, QUESTIONS) + chance.sample(impossible, QUESTIONS)
        if half == ("open" if number % 2 == 0 else "frozen"):
            texts = "\n\n".join(paragraph["context"] for paragraph in paragraphs)
            yield f"# {article['title'].replace('_', ' ')}\n\n{texts}\n", questions


class Client:
    """A person who uploads one document and asks about it."""

    def __init__(self, base):
        self.base = base
        self.session = uuid.uuid4().hex * 2

    def post(self, path, body, headers):
        request = urllib.request.Request(self.base + path, body, {"x-session-id": self.session, **headers})
        with urllib.request.urlopen(request, timeout=600) as response:
            return response.read().decode()

    def upload(self, document):
        edge = uuid.uuid4().hex
        head = 'content-disposition: form-data; name="pdf"; filename="article.md"\r\ncontent-type: text/markdown'
        body = f"--{edge}\r\n{head}\r\n\r\n{document}\r\n--{edge}--\r\n".encode()
        kind = {"content-type": f"multipart/form-data; boundary={edge}"}
        return json.loads(self.post("/api/v1/pdf/extract-text", body, kind))["data"]["documentId"]

    def ask(self, document, question):
        """The answer. It is asked for with events, so that it is not cut off by the time to respond."""
        body = json.dumps({"message": question, "documentId": document}).encode()
        kind = {"content-type": "application/json", "accept": "text/event-stream"}
        events = [event for event in self.post("/api/v1/pdf/chat", body, kind).split("\n\n") if event.strip()]
        last = json.loads(events[-1].split("data: ", 1)[1])
        return last["data"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", help="dev-v2.0.json of SQuAD 2.0")
    parser.add_argument("half", choices=["open", "frozen"])
    parser.add_argument("--base", default="http://127.0.0.1:8080")
    arguments = parser.parse_args()
    answered = right = refused = impossible = 0
    for document, questions in articles(arguments.data, arguments.half):
        client = Client(arguments.base)
        name = client.upload(document)
        for question in questions:
            answer = client.ask(name, question["question"])
            said = answer["answered"]
            if question["is_impossible"]:
                impossible += 1
                refused += not said
                well = not said
            else:
                answered += 1
                well = said and any(one["text"].lower() in answer["answer"].lower() for one in question["answers"])
                right += well
            if arguments.half == "open":
                print("right" if well else "WRONG", "|", question["question"], "->", answer["answer"][:120], flush=True)
    print(f"{right} of {answered} right, {refused} of {impossible} refused")


if __name__ == "__main__":
    main()
