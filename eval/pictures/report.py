"""The measured part of docs/pictures.md. The rest of the page is written by hand."""

from pathlib import Path

from collection import Picture
from objects import summary

BEGIN = "<!-- begin: cargo xtask pictures -->\n"
END = "<!-- end: cargo xtask pictures -->"

TEXT = """## Text

Character error rate: insertions, deletions and substitutions by the characters of the truth, without spaces. Tesseract 5 is
given the language, Sauvola's threshold, and of rendered pages that they are one block of text (else it loses most of
Chinese and Korean); RapidOCR is told nothing and has the same weights under ONNX Runtime; its
classifier of upside-down lines is off, because with it some lines of clean pages are turned over and lost. Rendered
pages have 14 lines; "hard" ones are tilted by 2°, darkened to one side, noisy and blurred.

Lines in Cyrillic, Korean, Devanagari and Arabic are read by Tesseract's own networks for the scripts (`script/Cyrillic` and
so on of tessdata_fast, without dictionaries), found and chosen by the service, which is not told the language; Tesseract has the
language's own data. Korean has 1,076 syllables, in both. RapidOCR has no letters for these four. Lines that were
found and not read are listed as `unread`, with a `warning` (see the last columns: of 14).
"""

OBJECTS = """## Objects

COCO's 80 kinds. No package with annotated photographs was known, so the things in these pictures were counted by hand, by one
viewer, and it is counts of labels that are compared, not boxes: a right count at a wrong place passes. They are few: a
difference of one or two things says nothing. "Sure" leaves out what is said to be there only perhaps (here: confidence below 0.5;
the service also doubts things that take nearly all of the picture).
"""


def page(pictures: list[Picture], results: dict, threads: int) -> str:
    """The measured part of the page."""
    parts = [text(results["text"]), things(results["objects"]), times(results["speed"], threads), answers(results["gallery"])]
    return "\n".join(parts)


def write(path: Path, measured: str) -> None:
    """Replaces what is between the two marks of the page."""
    before, rest = path.read_text().split(BEGIN, 1)
    path.write_text(before + BEGIN + measured.rstrip("\n") + "\n" + END + rest.split(END, 1)[1])


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def text(results: dict) -> str:
    """Error rates."""
    head = ["", "Quartet", "Tesseract", "RapidOCR", "lines read", "lines unread"]

    def rows(part: dict) -> list[list[str]]:
        return [
            [name, *(f"{row[engine]:.3f}" for engine in head[1:4]), str(row["lines"]), str(row["unread"])]
            for name, row in part.items()
        ]

    return "\n".join([
        TEXT,
        table(["rendered page", *head[1:]], rows(results["rendered"])),
        "Scans and photographs. The truth of `linn.png` is the package's own, itself a recogniser's work with its errors; the\n"
        "others were transcribed by hand. `page.png` is 384 pixels wide.\n",
        table(["picture", *head[1:]], rows(results["scans"])),
    ])


def things(results: dict) -> str:
    """Precision and recall."""
    rows = []
    for engine in ("Quartet", "Quartet, sure", "ONNX Runtime"):
        right, found, there = summary(results, engine)
        rows.append([engine, f"{right / max(1, found):.2f} ({right} of {found})", f"{right / there:.2f} ({right} of {there})"])

    def listed(counts: dict) -> str:
        return ", ".join(f"{count} {label}" for label, count in sorted(counts.items())) or "–"

    kept = [
        [name, *(listed(result[which]) for which in ("there", "Quartet", "ONNX Runtime"))] for name, result in results.items()
    ]
    return "\n".join([OBJECTS, table(["", "precision", "recall"], rows), table(["picture", "there", "Quartet", "ONNX Runtime"], kept)])


def times(results: dict, threads: int) -> str:
    """Time and memory."""
    # Reading ends after 22 s with what has been read by then: that is no time to compare.
    def ratio(row: dict) -> str:
        return "– (stopped)" if row["extract-text"] >= 22 else f"{row['extract-text'] / row['RapidOCR']:.1f}"

    rows = [
        [what, f"{row['analyze']:.2f} s", f"{row['extract-text']:.2f} s", f"{row['RapidOCR']:.2f} s", ratio(row),
         f"{row['detect-objects']:.2f} s", f"{row['objects, ONNX Runtime']:.2f} s", f"{row['detect-objects'] / row['objects, ONNX Runtime']:.1f}"]
        for what, row in results["operations"].items()
    ]
    graphs = [
        [name, "×".join(map(str, row["shape"])), count, f"{row['ours']:.0f} ms", f"{row['theirs']:.0f} ms", f"{row['ours'] / row['theirs']:.1f}"]
        for count, part in results["graphs"].items() for name, row in part.items()
    ]
    memory = [[what, f"{size:.0f} MiB"] for what, size in results["memory"]["sandbox"].items()]
    together = [
        [operation, ", ".join(f"{count} × {status}" for status, count in row["statuses"].items()), f"{row['seconds']:.1f} s", f"{row['host']:.0f} MiB"]
        for operation, row in results["together"].items()
    ]
    return "\n".join([
        "## Time and memory\n",
        f"Whole operations through HTTP with decoding, {threads} threads for models; RapidOCR reads with the same weights under ONNX\n"
        "Runtime, and objects are found with the same weights and nothing around them.\n",
        table(["picture", "analyze", "extract-text", "RapidOCR", "ratio", "detect-objects", "ONNX Runtime", "ratio"], rows),
        "One run of each graph, the best of twenty.\n",
        table(["graph", "input", "threads", "here", "ONNX Runtime", "ratio"], graphs),
        "The engine (`rten` 0.27) computes depthwise convolutions one row at a time and without the wide instructions of the processor,\n"
        "which its author knows: they are 56 % of the time of `image-tags` and 29 % of that of `ocr-detection`. Compiled for AVX2 it is no\n"
        "faster, and packing weights ahead made no difference. Of `detect-objects` of the large photo most is the decoding of the JPEG in the\n"
        "sandbox.\n",
        "Memory of one sandbox (limit: 256 MiB), beside which the host itself, with all models open, has "
        f"{results['memory']['host']:.0f} MiB of its own.\n",
        table(["request", "memory"], memory),
        "32 pictures of 1920 × 1280 at once from one client, with the default limits. Graphs are computed one at a time and requests\n"
        "take turns, so that all become slow together; what is not answered in 30 s is a 504.\n",
        table(["operation", "answers", "all answered after", "host's own memory at most"], together),
    ])


def answers(results: dict) -> str:
    """Answers about each picture."""
    parts = ["## Answers\n"]
    for name, result in results.items():
        parts.append(f"**{name}** ({result['package']}): {result['data']['description']}\n")
        parts.extend(f"- *{question}* {' '.join(answer.split())}" for question, answer in result["asked"])
        if result["asked"]:
            parts.append("")
    return "\n".join(parts)
