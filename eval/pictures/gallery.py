"""Answers of the service about each picture, and the pictures with the findings drawn on them."""

import html
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, ImageOps

import pages
from collection import Picture
from service import Service

QUESTIONS = {
    "bus.jpg": ["How many people are there?", "What colour is the bus?", "What is written on the bus?"],
    "typewriter.png": ["How much water is needed?"],
    "coffee.png": ["Where is the cup?"],
    "text.png": ["What does it say?"],
}
MAX_SIDE_PIXELS = 900


def seen(service: Service, pictures: list[Picture]) -> dict:
    """The answers."""
    results = {}
    for picture in pictures:
        answer = service.send("analyze", picture.path)
        if answer.status_code != 200:
            raise SystemExit(f"{picture.name}: {answer.status_code} {answer.text}")
        data = answer.json()["data"]
        asked = [(question, service.chat(data["imageId"], question)["answer"]) for question in QUESTIONS.get(picture.name, [])]
        results[picture.name] = {"package": picture.package, "data": data, "asked": asked}
    return results


def drawn(picture: Picture, data: dict, folder: Path) -> Path:
    """The picture with boxes: things red and, where unsure, orange; text blue; what was not read grey."""
    image = ImageOps.exif_transpose(Image.open(picture.path)).convert("RGB")
    scale = min(1.0, MAX_SIDE_PIXELS / max(image.size))
    image = image.resize((round(image.width * scale), round(image.height * scale)))
    draw, font = ImageDraw.Draw(image), ImageFont.truetype(str(pages.found("NotoSans-Regular.ttf")), 14)

    def box(area: dict, colour: str, label: str = "") -> None:
        left, top = area["x"] * scale, area["y"] * scale
        draw.rectangle((left, top, left + area["width"] * scale, top + area["height"] * scale), outline=colour, width=2)
        if label:
            around = draw.textbbox((left + 3, top + 1), label, font)
            draw.rectangle(around, fill=colour)
            draw.text((left + 3, top + 1), label, "white", font)

    for line in data["lines"]:
        box(line["box"], "#2060ff")
    for line in data.get("unread", []):
        box(line["box"], "#808080", "?")
    for thing in data["objects"]:
        colour = "#e02020" if thing["confidence"] >= 0.5 else "#e08000"
        box(thing["box"], colour, f"{thing['label']} {thing['confidence']:.2f}")
    path = folder / f"{Path(picture.name).stem}.jpg"
    image.save(path, quality=85)
    return path


def page(pictures: list[Picture], results: dict, folder: Path) -> None:
    """`index.html` with all of them."""
    parts = ["<!doctype html><meta charset=utf-8><title>Pictures</title><style>body{font:15px sans-serif;max-width:960px;margin:2em auto}"
             "img{max-width:100%}section{margin:2em 0}pre{white-space:pre-wrap;background:#eee;padding:.6em}</style><h1>Pictures</h1>"
             "<p>Red: things; orange: things that are perhaps there; blue: lines of text; grey: what looks like text and was not read.</p>"]
    for picture in pictures:
        result = results[picture.name]
        image = drawn(picture, result["data"], folder)
        asked = "".join(f"<p><b>{html.escape(question)}</b> {html.escape(answer)}</p>" for question, answer in result["asked"])
        text = result["data"]["text"]
        parts.append(f"<section><h2>{picture.name}</h2><p>from {html.escape(picture.package)}</p><img src='{image.name}'>"
                     f"<p>{html.escape(result['data']['description'])}</p>{asked}"
                     + (f"<pre>{html.escape(text)}</pre>" if text else "") + "</section>")
    (folder / "index.html").write_text("\n".join(parts))
