"""Sends damaged copies of the corpus to the running service: each must be read or refused, and none may make it fail."""

import collections
import concurrent.futures
import random
import sys
import time

import requests

MAX_FILE_BYTES = 500_000
# Files that take longer are left out: pages that are pictures take seconds each to be recognised.
MAX_READING_SECONDS = 1.0
TIMEOUT_SECONDS = 120
# As many at once as processors of a small machine, so that requests meet.
CONCURRENT_REQUESTS = 4


def damaged(content, seed):
    """A copy that ends early, lacks a piece, has a piece twice, or has bits flipped."""
    dice = random.Random(seed)
    content = bytearray(content)
    start = dice.randrange(len(content))
    length = dice.randrange(1, 4096)
    kind = dice.randrange(5)
    if kind == 0:
        del content[max(start, 1) :]
    elif kind == 1:
        del content[start : start + length]
    elif kind == 2:
        content[start:start] = content[start : start + length]
    else:
        for _ in range(dice.randrange(1, 64)):
            content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    return bytes(content)


def run(service, paths, count):
    """Sends `count` of them, and ends the program when one answer is neither 200 nor 4xx."""

    def ask(content):
        begun = time.perf_counter()
        answer = requests.post(f"{service}/api/v1/pdf/extract-text", files={"pdf": content}, timeout=TIMEOUT_SECONDS)
        return answer, time.perf_counter() - begun

    contents = [content for content in (path.read_bytes() for path in paths) if 100 < len(content) <= MAX_FILE_BYTES]
    contents = [content for content in contents if ask(content)[1] < MAX_READING_SECONDS]

    def send(seed):
        answer, seconds = ask(damaged(contents[seed % len(contents)], seed))
        code = answer.json().get("code", "") if answer.status_code != 200 else ""
        return seed, answer.status_code, code, seconds

    answers, failed, slowest = collections.Counter(), [], 0
    with concurrent.futures.ThreadPoolExecutor(CONCURRENT_REQUESTS) as pool:
        for done, (seed, status, code, seconds) in enumerate(pool.map(send, range(count)), 1):
            answers[f"{status} {code}".strip()] += 1
            slowest = max(slowest, seconds)
            if not (status == 200 or 400 <= status < 500):
                failed.append(seed)
            if done % 100 == 0:
                print(f"\r{done} of {count}", end="", file=sys.stderr, flush=True)
    print(f"\r{count} damaged copies of {len(contents)} files", file=sys.stderr)
    for answer, times in answers.most_common():
        print(f"{times:7} {answer}")
    print(f"the slowest took {slowest:.1f} s")
    if failed:
        sys.exit(f"neither read nor refused, by seed: {failed[:50]}")
