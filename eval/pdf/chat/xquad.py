"""Makes the files `xquad.LANGUAGE.json` beside this script of a copy of the XQuAD data set: `python3 xquad.py FOLDER`, where the folder has
`en.json`, `es.json` and so on.

Of six articles for each language, all but the last paragraph become the document. Two questions about each article have their answer in
it; one belongs to the paragraph that was left out, and is taken only if no answer to it stands anywhere else.
"""

import hashlib
import json
import pathlib
import sys

LANGUAGES = ["en", "es", "de", "ru", "zh", "ar", "hi"]


def by_digest(questions):
    return sorted(questions, key=lambda question: hashlib.sha256(question["id"].encode()).hexdigest())


def made(question, language, answers):
    return {"id": f"x-{language}-{question['id'][-12:]}", "text": question["question"], "answers": answers}


def main():
    folder, own = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).parent
    for number, language in enumerate(LANGUAGES):
        articles = json.loads((folder / f"{language}.json").read_text())["data"][number::8][:6]
        paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"][:-1]]
        text = "\n".join(paragraph["context"] for paragraph in paragraphs).casefold()
        questions = []
        for article in articles:
            inside = [one for paragraph in article["paragraphs"][:-1] for one in paragraph["qas"]]
            questions += [
                made(one, language, [[answer["text"]] for answer in one["answers"]]) for one in by_digest(inside)[:2]
            ]
            left_out = [
                one for one in article["paragraphs"][-1]["qas"]
                if all(answer["text"].casefold() not in text for answer in one["answers"])
            ]
            questions += [made(one, language, []) for one in by_digest(left_out)[:1]]
        document = {
            "name": f"xquad.{language}",
            "source": "XQuAD by DeepMind (Artetxe, Ruder and Yogatama, 2020), licence CC BY-SA 4.0",
            "language": language,
            "sections": [
                {
                    "title": article["title"].replace("_", " "),
                    "paragraphs": [paragraph["context"] for paragraph in article["paragraphs"][:-1]],
                }
                for article in articles
            ],
            "questions": questions,
        }
        (own / f"xquad.{language}.json").write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
