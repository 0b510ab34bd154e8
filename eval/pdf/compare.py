"""Reads the corpus with our reader and with others, and prints how well and how fast. See README.md."""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import time
import unicodedata

import requests

import corpus
import mutate

UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
RAISED = re.compile("[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+")
# `service` is the same reader as `ours`, in its sandbox and through HTTP.
TOOLS = ["ours", "service", "pdftotext", "pdfium", "pypdf", "pdfminer", "pdfbox"]
# Debian's packages libpdfbox2-java and default-jre-headless.
JARS = [pathlib.Path("/usr/share/java") / f"{name}.jar" for name in ("pdfbox2-tools", "pdfbox2", "fontbox2", "commons-logging")]
PDFBOX = ["java", "-cp", ":".join(map(str, JARS)), "org.apache.pdfbox.tools.ExtractText", "-encoding", "UTF-8", "-console"]
TIMEOUT_SECONDS = 300


def words(text):
    text = RAISED.sub(lambda raised: " " + raised[0], text)
    return WORD.findall(unicodedata.normalize("NFKC", text).lower())


def f1(found, wanted):
    found, wanted = collections.Counter(found), collections.Counter(wanted)
    size = sum(found.values()) + sum(wanted.values())
    return 2 * sum((found & wanted).values()) / size if size else 1.0


def score(text, wanted):
    found = words(text)
    return f1(found, wanted), f1(zip(found, found[1:]), zip(wanted, wanted[1:]))


def read_with(tool, reader, path, everything):
    """The text of a file and the seconds it took, or None. Programs are timed with their start, libraries without."""
    if tool in ("ours", "pdftotext", "pdfbox"):
        command = {
            "ours": [reader, *(["--all"] if everything else []), path],
            "pdftotext": ["pdftotext", "-enc", "UTF-8", path, "-"],
            "pdfbox": [*PDFBOX, path],
        }[tool]
        begun = time.perf_counter()
        try:
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            return None
        seconds = time.perf_counter() - begun
        if done.returncode < 0:
            sys.exit(f"{tool} crashed at {path}")
        return (done.stdout.decode("utf-8", "replace"), seconds) if done.returncode == 0 else None
    command = [sys.executable, __file__, "--library", tool, path]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    seconds, _, text = done.stdout.decode("utf-8", "replace").partition("\n")
    return text, float(seconds)


def ask(service, path, everything):
    """The text of a file from the running service, the seconds it took, and whether there was more to it than reading text:
    pages were recognised, or the time was up. Without a text, what the service said instead."""
    begun = time.perf_counter()
    with open(path, "rb") as file:
        answer = requests.post(f"{service}/api/v1/pdf/extract-text", files={"pdf": file}, timeout=TIMEOUT_SECONDS)
    seconds = time.perf_counter() - begun
    body = answer.json()
    if answer.status_code >= 500:
        sys.exit(f"the service failed at {path}: {body}")
    if answer.status_code != 200:
        return None, f"{answer.status_code} {body['code']}: {body['error']}"
    data = body["data"]
    more = data["truncated"] or any(page["source"] == "ocr" for page in data["pages"])
    blocks = (block["text"] for page in data["pages"] for block in page["blocks"])
    return ("\n".join(blocks) if everything else data["text"], seconds), more


def library(tool, path):
    """Reads a file with a Python package and prints the seconds and the text."""
    if tool == "pdfium":
        import pypdfium2

        def read():
            return "\f".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path))
    elif tool == "pypdf":
        import pypdf

        def read():
            file = pypdf.PdfReader(path)
            if file.is_encrypted:
                file.decrypt("")
            return "\f".join(page.extract_text() for page in file.pages)
    else:
        from pdfminer.high_level import extract_text

        def read():
            return extract_text(path)
    begun = time.perf_counter()
    text = read()
    seconds = time.perf_counter() - begun
    sys.stdout.buffer.write(f"{seconds}\n{text}".encode("utf-8", "replace"))


def main():
    if sys.argv[1:2] == ["--library"]:
        return library(*sys.argv[2:4])
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--reader", required=True, help="our program")
    arguments.add_argument("--service", required=True, help="address of the service")
    arguments.add_argument("--cache", type=pathlib.Path, required=True)
    arguments.add_argument("--tools", default=",".join(TOOLS))
    arguments.add_argument("--mutations", type=int, help="only send so many damaged copies to the service")
    arguments.add_argument("--worst", type=int, default=10, help="how many of the worst files are listed")
    arguments.add_argument("names", nargs="*", help="only files whose names contain one of these")
    options = arguments.parse_args()
    there = {"pdftotext": shutil.which("pdftotext"), "pdfbox": shutil.which("java") and all(jar.exists() for jar in JARS)}
    tools = [tool for tool in options.tools.split(",") if there.get(tool, True)]
    files = corpus.files(options.cache)
    files = [file for file in files if not options.names or any(name in file[1] for name in options.names)]
    if options.mutations:
        return mutate.run(options.service, [path for _, _, path, _ in files], options.mutations)
    scores, seconds, refused = collections.defaultdict(list), collections.Counter(), collections.Counter()
    worst, unread, timed = [], [], 0
    for place, (group, name, path, text) in enumerate(files, 1):
        print(f"\r{place} of {len(files)} {name[:60]:60}", end="", file=sys.stderr, flush=True)
        results, more = {}, False
        for tool in tools:
            if tool == "service":
                results[tool], more = ask(options.service, path, text is None)
                if results[tool] is None:
                    unread.append((name, more))
            else:
                results[tool] = read_with(tool, options.reader, str(path), text is None)
        refused.update(tool for tool in tools if results[tool] is None)
        if all(results.values()) and more is False:
            timed += 1
            seconds.update({tool: results[tool][1] for tool in tools})
        reference = text if text is not None else (results.get("pdfium") or ("",))[0]
        wanted = words(reference)
        if len(wanted) < 3:
            continue
        row = {tool: score(results[tool][0] if results[tool] else "", wanted) for tool in tools}
        scores[group].append(row)
        best = max(row[tool][0] for tool in tools if tool not in ("ours", "service", "pdfium" if text is None else ""))
        worst.append((row["ours"][0] - best, name, row))
    print(f"\r{len(files)} files{'':70}\n", file=sys.stderr)
    print(f"{'words / pairs':20} files " + " ".join(f"{tool:>15}" for tool in tools))
    for group, rows in scores.items():
        means = [[sum(row[tool][kind] for row in rows) / len(rows) for kind in (0, 1)] for tool in tools]
        print(f"{group:20} {len(rows):5} " + " ".join(f"{words:7.4f} {pairs:7.4f}" for words, pairs in means))
    print(f"{'seconds':20} {timed:5} " + " ".join(f"{seconds[tool]:15.2f}" for tool in tools))
    print(f"{'not read':20} {len(files):5} " + " ".join(f"{refused[tool]:15}" for tool in tools))
    print("\nnot read by the service:")
    for name, reason in unread:
        print(f"{name[:56]:56} {reason}")
    print("\nfurthest behind the best of the others (in words):")
    for behind, name, row in sorted(worst, key=lambda entry: entry[0])[: options.worst]:
        print(f"{behind:+.3f} {name[:56]:56} " + " ".join(f"{tool} {row[tool][0]:.3f}" for tool in tools))


if __name__ == "__main__":
    main()
