"""Questions about documents, answered by the language model: `cargo xtask understand-pdfs -- --chat HALF --engine quartet-llm --model FILE`.

The papers are those of Debian's packages; the articles of `eval/pdf/chat/xquad.*.json` are set as PDFs by Typst, with fonts of Debian's
packages. The program `pdf_chat` of the crate here asks and scores.
"""

import json
import pathlib
import subprocess
import tomllib

import typst

import corpus

QUESTIONS = pathlib.Path(__file__).parent / "chat"
FONTS = ["fonts-noto-core", "fonts-droid-fallback"]
FAMILIES = '("Noto Sans", "Noto Sans Devanagari", "Noto Sans Arabic", "Droid Sans Fallback")'


def package(cache, name):
    folder = cache / "corpus" / name
    corpus.fetch(name, folder, ["apt-get", "download", name], corpus.unpack_deb)
    return folder


def set_article(document, target, fonts):
    """Sets an article as a PDF, with a heading above each of its sections."""
    direction = "rtl" if document["language"] == "ar" else "ltr"
    source = [
        f'#set page(paper: "a4", numbering: "1")\n#set text(font: {FAMILIES}, size: 11pt, lang: "{document["language"]}", dir: {direction})\n'
        f"#set par(justify: false)\n"
    ]
    for section in document["sections"]:
        source.append(f"#heading({json.dumps(section['title'], ensure_ascii=False)})\n")
        source += [f"#par({json.dumps(text, ensure_ascii=False)})\n" for text in section["paragraphs"]]
    target.write_bytes(typst.compile("\n".join(source).encode(), font_paths=[str(path) for path in fonts]))


def documents(cache):
    """Folder with all documents that there are questions about."""
    target = cache / "chat"
    target.mkdir(parents=True, exist_ok=True)
    for document in tomllib.loads((QUESTIONS / "papers.toml").read_text())["document"]:
        path = target / f"{document['name']}.pdf"
        if not path.exists():
            found = sorted(package(cache, document["package"]).rglob(path.name))
            path.write_bytes(found[0].read_bytes())
    fonts = [package(cache, name) for name in FONTS]
    for path in sorted(QUESTIONS.glob("xquad.*.json")):
        document = json.loads(path.read_text())
        target_path = target / f"{document['name']}.pdf"
        if not target_path.exists():
            set_article(document, target_path, fonts)
    return target


def ask(arguments):
    """Asks the questions of a half."""
    subprocess.run(
        [
            arguments.programs / "pdf_chat", QUESTIONS, documents(arguments.cache), arguments.chat, arguments.engine,
            arguments.model, arguments.first,
        ],
        check=True,
    )
