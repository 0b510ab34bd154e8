"""Shows the service pictures that nobody here made, measures it, and writes docs/pictures.md and a page with the pictures."""

import argparse
import json
from pathlib import Path

import accuracy
import gallery
import objects
import report
import speed
from collection import pictures
from service import Service

PARTS = ("gallery", "text", "objects", "speed")


def main() -> None:
    """Asks, compares, writes."""
    arguments = parsed()
    arguments.output.mkdir(parents=True, exist_ok=True)
    service, all_pictures = Service(arguments.service), pictures(arguments.cache)
    kept = arguments.output / "results.json"
    results = json.loads(kept.read_text()) if kept.is_file() else {}
    for part in arguments.parts or PARTS:
        results[part] = measured(part, service, all_pictures, arguments)
        kept.write_text(json.dumps(results, indent=1))
    if "gallery" in results:
        gallery.page(all_pictures, results["gallery"], arguments.output)
        print(arguments.output / "index.html")
    if all(part in results for part in PARTS):
        report.write(arguments.page, report.page(all_pictures, results, arguments.threads))
        print(arguments.page)


def measured(part: str, service: Service, all_pictures: list, arguments: argparse.Namespace) -> dict:
    """One part of the results."""
    if part == "gallery":
        return gallery.seen(service, all_pictures)
    if part == "text":
        return {
            "rendered": accuracy.rendered(service, arguments.output),
            "scans": accuracy.scans(service, all_pictures),
        }
    if part == "objects":
        return objects.measured(service, arguments.models, all_pictures, arguments.threads)
    files = speed.large(all_pictures, arguments.output)
    return {
        "operations": speed.operations(service, arguments.models, files, arguments.threads),
        "memory": speed.memory(service, files, arguments.log, arguments.process),
        "together": speed.together(service, next(p.path for p in all_pictures if p.name == "sample1.jpg"), arguments.process),
        "graphs": {str(n): speed.graphs(arguments.models, arguments.measure, n) for n in sorted({1, arguments.threads})},
    }


def parsed() -> argparse.Namespace:
    """The flags."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"what to do: {', '.join(PARTS)}; without any, all of it")
    parser.add_argument("--service", required=True, help="its address")
    parser.add_argument("--process", type=int, required=True, help="its process")
    parser.add_argument("--log", type=Path, required=True, help="its log, in JSON")
    parser.add_argument("--threads", type=int, required=True, help="with which it computes models")
    parser.add_argument("--models", type=Path, required=True, help="the folder of the models")
    parser.add_argument("--measure", type=Path, required=True, help="the program that measures a graph")
    parser.add_argument("--cache", type=Path, required=True, help="for the pictures")
    parser.add_argument("--output", type=Path, required=True, help="for the page with pictures")
    parser.add_argument("--page", type=Path, required=True, help="the page without pictures")
    arguments = parser.parse_args()
    # argparse itself would refuse that there are none.
    if wrong := set(arguments.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(wrong))}")
    return arguments


if __name__ == "__main__":
    main()
