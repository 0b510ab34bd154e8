"""Questions about pictures in twelve languages, asked of a running service and scored by rules that no answer sets.

    python understand.py ADDRESS PICTURES RECEIPTS [--half open|frozen|all] [--report FILE]

PICTURES is a folder with the photographs of `questions/photos.tsv` (see `questions/README.md` for where they are from),
RECEIPTS one with receipts of ICDAR 2019 SROIE: `NAME.jpg` beside its key `NAME.json`, from which questions are derived.
"""

import argparse
import hashlib
import json
import re
import sys
import time
import urllib.request
import uuid
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "ru", "zh", "ja", "ko", "hi", "ar")
RECEIPT_QUESTIONS = {
    "total": {
        "en": "What is the total?", "de": "Wie hoch ist die Summe?", "fr": "Quel est le montant total ?",
        "es": "¿Cuál es el total?", "it": "Qual è il totale?", "pt": "Qual é o valor total?",
        "ru": "Какова итоговая сумма?", "zh": "总金额是多少？", "ja": "合計はいくらですか？", "ko": "합계가 얼마예요?",
        "hi": "कुल राशि कितनी है?", "ar": "ما هو المبلغ الإجمالي؟",
    },
    "date": {
        "en": "What is the date of this receipt?", "de": "Von wann ist der Beleg?", "fr": "Quelle est la date du ticket ?",
        "es": "¿Qué fecha tiene el recibo?", "it": "Qual è la data dello scontrino?", "pt": "Qual é a data do recibo?",
        "ru": "Какая дата на чеке?", "zh": "收据上的日期是什么？", "ja": "レシートの日付はいつですか？", "ko": "영수증 날짜가 언제예요?",
        "hi": "रसीद की तारीख क्या है?", "ar": "ما تاريخ الفاتورة؟",
    },
    "company": {
        "en": "Which shop is this receipt from?", "de": "Von welchem Geschäft ist der Kassenbon?", "fr": "De quel magasin vient ce ticket ?",
        "es": "¿De qué tienda es el recibo?", "it": "Di quale negozio è lo scontrino?", "pt": "De que loja é este recibo?",
        "ru": "Из какого магазина этот чек?", "zh": "这是哪家店的收据？", "ja": "どこの店のレシートですか？", "ko": "어느 가게의 영수증이에요?",
        "hi": "यह किस दुकान की रसीद है?", "ar": "من أي متجر هذه الفاتورة؟",
    },
    "address": {
        "en": "What is the address of the shop?", "de": "Wie lautet die Adresse des Geschäfts?", "fr": "Quelle est l'adresse du magasin ?",
        "es": "¿Cuál es la dirección de la tienda?", "it": "Qual è l'indirizzo del negozio?", "pt": "Qual é o endereço da loja?",
        "ru": "Какой адрес магазина?", "zh": "商店的地址是什么？", "ja": "店の住所は何ですか？", "ko": "가게 주소가 뭐예요?",
        "hi": "दुकान का पता क्या है?", "ar": "ما عنوان المتجر؟",
    },
}
YES = {
    "en": "yes", "de": "ja", "fr": "oui", "es": "sí", "it": "sì", "pt": "sim", "ru": "да", "zh": "是|有", "ja": "はい",
    "ko": "네|예", "hi": "हाँ|हां|जी", "ar": "نعم",
}
NO = {
    "en": r"no\b|not", "de": r"nein|kein|nicht", "fr": r"non|aucun|pas", "es": r"no\b|ning", "it": r"no\b|non|nessun",
    "pt": r"não|nenhum", "ru": r"нет|не ", "zh": "没有|未|不|否", "ja": "いいえ|ません|ない", "ko": "아니|없|않", "hi": "नहीं",
    "ar": "لا|لم|ليس",
}
NUMBERS = {
    "0": {"en": "no|none|zero", "de": "kein|null", "fr": "aucun|zéro", "es": "ning|cero", "it": "nessun|zero", "pt": "nenhum|zero",
          "ru": "нет|ноль", "zh": "没有|零", "ja": "ません|ゼロ", "ko": "없|영", "hi": "नहीं|शून्य", "ar": "لا|لم|صفر"},
    "1": {"en": "one|a|an", "de": "ein|eine|eins|einen", "fr": "un|une", "es": "un|una|uno", "it": "un|una|uno", "pt": "um|uma",
          "ru": "один|одна|одно", "zh": "一", "ja": "一", "ko": "하나|한", "hi": "एक", "ar": "واحد|واحدة"},
    "2": {"en": "two", "de": "zwei", "fr": "deux", "es": "dos", "it": "due", "pt": "dois|duas", "ru": "два|две", "zh": "两|二",
          "ja": "二", "ko": "둘|두", "hi": "दो", "ar": "اثنان|اثنين"},
}


def half(picture: str, language: str, question: str) -> str:
    """Half of a question by a fixed rule: the open one may be looked at, the frozen one is only scored."""
    digest = hashlib.sha256(f"{picture}\t{language}\t{question}".encode()).hexdigest()
    return "open" if int(digest[-1], 16) % 2 == 0 else "frozen"


def questions(receipts: Path) -> list[tuple[str, str, str, str]]:
    """Picture, language, question and what is expected, of photographs and of receipts."""
    lines = (HERE / "questions" / "photos.tsv").read_text().splitlines()
    found = [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]
    for key in sorted(receipts.glob("*.json")):
        truth, start = json.loads(key.read_text()), int(hashlib.sha256(key.stem.encode()).hexdigest(), 16)
        fields = ["total", "date", "company" if start % 2 else "address"]
        for place, field in enumerate(fields):
            language = LANGUAGES[(start // 2 + 5 * place) % len(LANGUAGES)]
            if truth.get(field):
                found.append((key.stem, language, RECEIPT_QUESTIONS[field][language], f"{field}:{truth[field]}"))
    return found


def squeezed(text: str) -> str:
    """Letters and digits only."""
    return re.sub(r"[\W_]+", "", text.lower())


def number_said(number: str, language: str, text: str) -> bool:
    """True if a text says a number, as digits or as a word."""
    if re.search(rf"(?<!\d){number}(?!\d)", text):
        return True
    words = NUMBERS.get(number, {}).get(language)
    spaced = language not in ("zh", "ja", "ko", "ar", "hi", "ru") and number != "0"
    return bool(words) and bool(re.search(rf"\b({words})\b" if spaced else words, text, re.IGNORECASE))


def right(expected: str, language: str, answer: dict) -> bool:
    """True if an answer says what is expected."""
    kind, _, value = expected.partition(":")
    text = answer["answer"]
    if kind == "none":
        return not answer["answered"]
    if kind == "no":
        return bool(re.search(NO[language], text, re.IGNORECASE))
    if kind == "n" and value == "0":
        # That nothing was found is said in either way.
        return number_said("0", language, text) or bool(re.search(NO[language], text, re.IGNORECASE))
    if not answer["answered"]:
        return False
    if kind == "yes":
        return bool(re.match(rf"({YES[language]})", text, re.IGNORECASE))
    if kind == "n":
        return any(number_said(number, language, text) for number in value.split("/"))
    if kind == "total":
        return value.replace(",", "") in text.replace(",", "")
    if kind == "date":
        return squeezed(value) in squeezed(text)
    if kind == "company":
        return squeezed(value)[:10] in squeezed(text)
    if kind == "address":
        words = [squeezed(word) for word in value.split()]
        return sum(word in squeezed(text) for word in words) >= 0.7 * len(words)
    return any(part.lower() in text.lower() for part in value.split("/"))


class Service:
    """A service at an address, asked without any package."""

    def __init__(self, address: str) -> None:
        self.address = address

    def post(self, operation: str, body: bytes, content_type: str) -> dict:
        """The data of an answer."""
        headers = {"content-type": content_type, "x-session-id": "questions-of-the-measurement"}
        request = urllib.request.Request(f"{self.address}/api/v1/image/{operation}", body, headers)
        with urllib.request.urlopen(request, timeout=180) as reply:
            return json.load(reply)["data"]

    def analyse(self, path: Path) -> dict:
        """The analysis of a picture."""
        mark = uuid.uuid4().hex
        head = f'--{mark}\r\ncontent-disposition: form-data; name="image"; filename="x"\r\n\r\n'.encode()
        body = head + path.read_bytes() + f"\r\n--{mark}--\r\n".encode()
        return self.post("analyze", body, f"multipart/form-data; boundary={mark}")

    def ask(self, image: str, question: str) -> dict:
        """The answer to a question; a failure is no answer."""
        body = json.dumps({"message": question, "imageId": image}).encode()
        try:
            return self.post("chat", body, "application/json")
        except OSError as error:
            return {"answer": str(error), "answered": False, "evidence": []}


def main() -> None:
    """Asks, scores and reports."""
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("pictures", type=Path)
    parser.add_argument("receipts", type=Path)
    parser.add_argument("--half", choices=("open", "frozen", "all"), default="open")
    parser.add_argument("--only", help="pictures whose name begins so")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stops asking after so long; what is scored is what was asked")
    parser.add_argument("--report", type=Path, help="answers of the open half, for people")
    arguments = parser.parse_args()
    service, images = Service(arguments.address), {}
    score, asked, lines, began = Counter(), Counter(), [], time.monotonic()
    for picture, language, question, expected in questions(arguments.receipts):
        where = half(picture, language, question)
        if arguments.half not in (where, "all") or arguments.only and not picture.startswith(arguments.only):
            continue
        if time.monotonic() - began > arguments.seconds:
            break
        if picture not in images:
            paths = [path for folder in (arguments.pictures, arguments.receipts) for path in folder.glob(f"{picture}.*") if path.suffix != ".json"]
            if not paths:
                raise SystemExit(f"there is no picture {picture}")
            data = service.analyse(paths[0])
            images[picture] = data["imageId"]
            lines.append(f"# {picture}: {data['description']}")
        answer = service.ask(images[picture], question)
        good = right(expected, language, answer)
        kind = "receipt" if expected.split(":")[0] in RECEIPT_QUESTIONS else "photo"
        # Something is said that is not so: answered, but neither as expected nor held back.
        wrong = not good and answer["answered"]
        for key in ("all", where, kind, language, expected.split(":")[0]):
            asked[key] += 1
            score[key] += good
            score[f"{key} wrong"] += wrong
        if where == "open":
            lines.append(f"{'ok ' if good else 'BAD' if wrong else 'no '} {picture} [{language}] {question} -> {answer['answer']!r} ({expected})")
            print(lines[-1], flush=True)
    if arguments.report:
        arguments.report.write_text("\n".join(lines) + "\n")
    for key, count in asked.items():
        print(f"{key}: {score[key]} of {count} right, {score[f'{key} wrong']} said wrongly", file=sys.stderr)


if __name__ == "__main__":
    main()
