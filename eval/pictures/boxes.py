"""Precision and recall of object detection on photographs that others have annotated, by boxes.

    python boxes.py ADDRESS PHOTOGRAPHS ANNOTATIONS [--threshold 0.05]

ANNOTATIONS is a file in COCO's format (`instances_val2017.json`), PHOTOGRAPHS the folder of the files that it names. A
running service is asked; nothing but Python is needed. As in COCO's own evaluation a thing is found if a box of its
class shares half of its area with it, the most confident first, and crowds count neither for nor against.
"""

import argparse
import json
import urllib.request
import uuid
from collections import defaultdict
from pathlib import Path

SAME = 0.5
BINS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 1.01)
SMALL, LARGE = 32**2, 96**2


def found(address: str, path: Path, threshold: float) -> list[dict]:
    """The things that the service finds."""
    mark = uuid.uuid4().hex
    part = '--{0}\r\ncontent-disposition: form-data; name="{1}"{2}\r\n\r\n'
    body = (part.format(mark, "threshold", "") + f"{threshold}\r\n" + part.format(mark, "image", '; filename="x"')).encode()
    body += path.read_bytes() + f"\r\n--{mark}--\r\n".encode()
    headers = {"content-type": f"multipart/form-data; boundary={mark}"}
    request = urllib.request.Request(f"{address}/api/v1/image/detect-objects", body, headers)
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.load(reply)["data"]["objects"]


def shared(a: tuple, b: tuple) -> float:
    """The area of two boxes (x, y, width, height) that both have."""
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(0.0, width) * max(0.0, height)


def judged(things: list[dict], truth: list[tuple]) -> tuple[list[tuple[float, bool, str]], list[tuple[float, float]]]:
    """Of what was found: confidence, whether it is right, and its label; of what is there: area and the confidence with
    which it was found, or 0."""
    left = [entry for entry in truth if not entry[2]]
    crowds = [entry for entry in truth if entry[2]]
    judgements, confidences = [], {id(entry): 0.0 for entry in left}
    for thing in sorted(things, key=lambda thing: -thing["confidence"]):
        area = thing["box"]
        box = (area["x"], area["y"], area["width"], area["height"])

        def overlap(entry: tuple, box: tuple = box) -> float:
            both = shared(box, entry[1])
            return both / (box[2] * box[3] + entry[1][2] * entry[1][3] - both)

        same = [entry for entry in left if entry[0] == thing["label"] and not confidences[id(entry)]]
        best = max(same, key=overlap, default=None)
        if best is not None and overlap(best) >= SAME:
            confidences[id(best)] = thing["confidence"]
            judgements.append((thing["confidence"], True, thing["label"]))
        elif any(entry[0] == thing["label"] and shared(box, entry[1]) > SAME * box[2] * box[3] for entry in crowds):
            continue
        else:
            judgements.append((thing["confidence"], False, thing["label"]))
    return judgements, [(entry[1][2] * entry[1][3], confidences[id(entry)]) for entry in left]


def main() -> None:
    """Asks for every photograph, and prints two tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("photographs", type=Path)
    parser.add_argument("annotations", type=Path)
    parser.add_argument("--threshold", type=float, default=BINS[0])
    parser.add_argument("--wrong", action="store_true", help="name what is said for sure and wrong")
    arguments = parser.parse_args()
    annotations = json.loads(arguments.annotations.read_text())
    names = {kind["id"]: kind["name"] for kind in annotations["categories"]}
    truth = defaultdict(list)
    for entry in annotations["annotations"]:
        truth[entry["image_id"]].append((names[entry["category_id"]], tuple(entry["bbox"]), bool(entry["iscrowd"])))
    judgements, there = [], []
    for image in annotations["images"]:
        things = found(arguments.address, arguments.photographs / image["file_name"], arguments.threshold)
        more, these = judged(things, truth[image["id"]])
        judgements += more
        there += these
        if arguments.wrong:
            print(image["file_name"], [(label, confidence) for confidence, right, label in more if not right and confidence >= 0.5])
    print(f"{len(annotations['images'])} photographs, {len(there)} things\n")
    print("| confidence | found | right |\n| --- | --- | --- |")
    for least, below in zip(BINS, BINS[1:]):
        those = [right for confidence, right, _ in judgements if least <= confidence < below]
        if those:
            print(f"| {least} to {min(below, 1.0)} | {len(those)} | {sum(those) / len(those):.0%} |")
    print("\n| least confidence | precision | recall | small | medium | large |\n| --- | --- | --- | --- | --- | --- |")
    for least in BINS[:-1]:
        those = [right for confidence, right, _ in judgements if confidence >= least]
        sizes = [there, [e for e in there if e[0] < SMALL], [e for e in there if SMALL <= e[0] < LARGE], [e for e in there if e[0] >= LARGE]]
        recalls = [sum(confidence >= least for _, confidence in size) / max(1, len(size)) for size in sizes]
        if those:
            print(f"| {least} | {sum(those) / len(those):.2f} | " + " | ".join(f"{recall:.2f}" for recall in recalls) + " |")


if __name__ == "__main__":
    main()
