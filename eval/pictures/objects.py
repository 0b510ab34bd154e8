"""Accuracy of object detection, beside the same weights under ONNX Runtime.

The things in the photographs were counted by hand, and so it is counts that are compared: of a label, as many are right as
there are, whatever their boxes.
"""

from pathlib import Path

import numpy
import onnxruntime
from PIL import Image, ImageOps

from collection import Picture
from service import Service

SIDE, STRIDES, STEPS, THRESHOLD, SAME = 416, (8, 16, 32), 11, 0.4, 0.55
MEAN, DEVIATION = (103.53, 116.28, 123.675), (57.375, 57.12, 58.395)
LABELS = Path(__file__).parents[2] / "crates/image-analysis/src/objects/labels.rs"


class Plain:
    """NanoDet under ONNX Runtime, decoded as its authors do, with nothing around it."""

    def __init__(self, models: Path, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(models / "object-detection.onnx", options)
        names = LABELS.read_text().split("COCO: [", 1)[1].split("];", 1)[0]
        self.labels = [part for part in names.split('"')[1::2]]

    def counts(self, path: Path) -> dict[str, int]:
        """Number of objects of each label."""
        things = []
        picture = ImageOps.exif_transpose(Image.open(path)).convert("RGB").resize((SIDE, SIDE), Image.Resampling.BILINEAR)
        light = (numpy.asarray(picture, numpy.float32)[..., ::-1] - MEAN) / DEVIATION
        names = [f"{kind}_{stride}" for stride in STRIDES for kind in ("scores", "distances")]
        outputs = self.session.run(names, {"image": light.transpose(2, 0, 1)[None].astype(numpy.float32)})
        for stride, scores, distances in zip(STRIDES, outputs[::2], outputs[1::2], strict=True):
            scores = scores.reshape(-1, len(self.labels))
            steps = numpy.exp(distances.reshape(-1, 4, STEPS))
            sides = (steps / steps.sum(-1, keepdims=True) @ numpy.arange(STEPS)) * stride
            row = -(-SIDE // stride)
            for place in numpy.flatnonzero(scores.max(1) >= THRESHOLD):
                x, y = (place % row + 0.5) * stride, (place // row + 0.5) * stride
                left, top, right, bottom = sides[place]
                label = int(scores[place].argmax())
                things.append((float(scores[place, label]), label, (x - left, y - top, x + right, y + bottom)))
        kept = []
        for thing in sorted(things, reverse=True):
            if all(other[1] != thing[1] or overlap(other[2], thing[2]) <= SAME for other in kept):
                kept.append(thing)
        return counted(self.labels[label] for _, label, _ in kept)


def overlap(a: tuple, b: tuple) -> float:
    """The area that two boxes share by the area that they have together."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    shared = max(0, width) * max(0, height)
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def counted(labels) -> dict[str, int]:
    """Number of each."""
    counts = {}
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
    return counts


def measured(service: Service, models: Path, pictures: list[Picture], threads: int) -> dict:
    """Objects of each picture, and those that each of the two finds."""
    plain, results = Plain(models, threads), {}
    for picture in pictures:
        if picture.objects is None:
            continue
        found = service.ask("detect-objects", picture.path)["objects"]
        results[picture.name] = {
            "there": picture.objects,
            "Quartet": counted(thing["label"] for thing in found),
            "Quartet, sure": counted(thing["label"] for thing in found if thing["confidence"] >= 0.5),
            "ONNX Runtime": plain.counts(picture.path),
        }
    return results


def summary(results: dict, engine: str) -> tuple[int, int, int]:
    """Right, found, there: over all pictures."""
    right = sum(
        min(count, result["there"].get(label, 0)) for result in results.values() for label, count in result[engine].items()
    )
    found = sum(sum(result[engine].values()) for result in results.values())
    return right, found, sum(sum(result["there"].values()) for result in results.values())
