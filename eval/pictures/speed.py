"""Time and memory of the operations, beside ONNX Runtime with the same weights and threads."""

import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import onnxruntime
from PIL import Image
from rapidocr import RapidOCR

import pages
from accuracy import UPRIGHT
from collection import Picture
from objects import Plain
from service import Service

OPERATIONS = ("analyze", "extract-text", "detect-objects")
# A graph, its input, and a shape that the service gives it.
GRAPHS = {
    "ocr-detection": ("x", (1, 3, 736, 992)),
    "ocr-recognition": ("x", (4, 3, 48, 480)),
    "object-detection": ("image", (1, 3, 416, 416)),
    "image-tags": ("image", (1, 3, 260, 260)),
}
ROUNDS, TOGETHER = 5, 32


def large(pictures: list[Picture], folder: Path) -> dict[str, Path]:
    """A photo of 12 megapixels, a screenshot of 1080 lines, and an A4 page at 300 dots an inch."""
    paths = {picture.name: picture.path for picture in pictures}
    photo = Image.open(paths["sample5.jpg"]).convert("RGB").resize((4000, 3000), Image.Resampling.LANCZOS)
    photo.save(folder / "photo.jpg", quality=90)
    window = Image.open(paths["sample_screenshot.png"]).convert("RGB")
    screen = Image.new("RGB", (1920, 1080))
    screen.paste(window.resize((1920, 1920 * window.height // window.width), Image.Resampling.LANCZOS))
    screen.save(folder / "screenshot.png")
    pages.a4().save(folder / "a4.png")
    names = {"12-megapixel photo": "photo.jpg", "1080p screenshot": "screenshot.png", "A4 page, 72 lines, 300 dpi": "a4.png"}
    return {what: folder / name for what, name in names.items()}


def graphs(models: Path, measure: Path, threads: int) -> dict:
    """Milliseconds of one run of each graph: the engine's and ONNX Runtime's in turn, the best of some rounds."""
    results = {}
    for name, (tensor, shape) in GRAPHS.items():
        file = models / f"{name}.onnx"
        command = [measure, file, str(threads), "4", f"{tensor}={'x'.join(map(str, shape))}"]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        session = onnxruntime.InferenceSession(file, options)
        given = {tensor: numpy.random.default_rng(1).uniform(-1, 1, shape).astype(numpy.float32)}
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(float(re.search(r"best ([\d.]+) ms", subprocess.check_output(command, text=True))[1]))
            theirs.extend(timed(lambda: session.run(None, given)) * 1000 for _ in range(4))
        results[name] = {"shape": shape, "ours": min(ours), "theirs": min(theirs)}
        print(name, results[name], file=sys.stderr)
    return results


def timed(work) -> float:
    """Seconds."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def operations(service: Service, models: Path, files: dict[str, Path], threads: int) -> dict:
    """Seconds of each operation, with decoding; of ONNX Runtime where somebody has written the same operation for it."""
    reader = RapidOCR(params=UPRIGHT | {"EngineConfig.onnxruntime.intra_op_num_threads": threads})
    plain, results = Plain(models, threads), {}
    for what, path in files.items():
        times = 1 if "A4" in what else 3
        row = {operation: service.best(operation, path, times) for operation in OPERATIONS}
        row["RapidOCR"] = min(timed(lambda: reader(str(path))) for _ in range(times))
        row["objects, ONNX Runtime"] = min(timed(lambda: plain.counts(path)) for _ in range(times))
        results[what] = row
        print(what, row, file=sys.stderr)
    return results


def memory(service: Service, files: dict[str, Path], log: Path, process: int) -> dict:
    """MiB of a sandbox by operation and picture, from the log; of the host's own before and after."""
    results = {"sandbox": {}, "host": private(process)}
    for what, path in files.items():
        for operation in OPERATIONS:
            service.ask(operation, path)
            time.sleep(0.2)
            lines = [json.loads(line) for line in log.read_text().splitlines() if f"/image/{operation}" in line]
            results["sandbox"][f"{what}, {operation}"] = lines[-1]["memory"] / 2**20
    return results


def private(process: int) -> float:
    """MiB of a process that are its own."""
    kept = Path(f"/proc/{process}/smaps_rollup").read_text()
    return sum(int(size) for size in re.findall(r"^Private_\w+:\s+(\d+) kB", kept, re.MULTILINE)) / 1024


def together(service: Service, path: Path, process: int) -> dict:
    """Many pictures at once, by one client: how they are answered, and how large the host becomes."""
    results = {}
    for operation in ("detect-objects", "analyze"):
        most = private(process)
        with ThreadPoolExecutor(TOGETHER) as clients:
            began = time.perf_counter()
            answers = [clients.submit(service.send, operation, path) for _ in range(TOGETHER)]
            while not all(answer.done() for answer in answers):
                most = max(most, private(process))
                time.sleep(0.1)
            took = time.perf_counter() - began
        statuses = {}
        for answer in answers:
            reply = answer.result()
            status = str(reply.status_code) if reply.ok else f"{reply.status_code} {reply.json()['code']}"
            statuses[status] = statuses.get(status, 0) + 1
        results[operation] = {"statuses": statuses, "seconds": took, "host": most}
        print(operation, results[operation], file=sys.stderr)
    return results
