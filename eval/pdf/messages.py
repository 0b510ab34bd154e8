"""Sends a running service messages about the notices that are not all questions: `messages.py HALF`.

`notices/messages.tsv` has six for each document: a text to be made (`task`), a summary, a question, which may have no answer, or talk,
with what its author expects of the reply. A task is told from the others when its `origin` is `composed`, talk when it is `none`. With
`--show`, each reply is printed under what is expected, to be read by somebody: nothing here says whether a letter is a good one.
"""

import argparse
import time
from pathlib import Path

from short_documents import WAIT_SECONDS, Client

NOTICES = Path(__file__).parent / "notices"
# The origin of a reply to each kind of message; questions and summaries have others.
ORIGINS = {"task": "composed", "talk": "none"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("half", choices=["open", "frozen"])
    parser.add_argument("--base", default="http://127.0.0.1:8080")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    documents = {}
    for line in (NOTICES / "messages.tsv").read_text().splitlines():
        name, half, _, kind, message, expected = line.split("\t")
        if half == options.half:
            documents.setdefault(name, []).append((kind, message, expected))
    told = {kind: [0, 0] for kind in (*ORIGINS, "other")}
    times = []
    for name, messages in documents.items():
        client = Client(options.base)
        before, end = client.read_ahead(), time.time() + WAIT_SECONDS
        client.upload((NOTICES / f"{name}.txt").read_text())
        while client.read_ahead() == before and time.time() < end:
            time.sleep(1)
        for kind, message, expected in messages:
            begin = time.time()
            reply = client.ask(message)
            times.append(time.time() - begin)
            counted = told[kind if kind in ORIGINS else "other"]
            origin = ORIGINS.get(kind)
            is_told = reply["origin"] == origin if origin else reply["origin"] not in ORIGINS.values()
            counted[0] += is_told
            counted[1] += 1
            if options.show:
                print(f"{name} {kind}: {message}\n  {expected}\n  {reply['origin']}: {reply['answer']}\n", flush=True)
    times.sort()
    each = ", ".join(f"{kind} {right} of {count}" for kind, (right, count) in told.items())
    print(f"{each}; seconds {times[len(times) // 2]:.1f} in the middle, {times[-1]:.1f} at most")


if __name__ == "__main__":
    main()
