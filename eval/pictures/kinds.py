"""Derives `crates/image-analysis/src/objects/kinds.tsv` and `nouns.tsv` from WordNet 3.0 (Debian's package wordnet-base).

    python kinds.py /usr/share/wordnet

The classes of ImageNet are synsets in the order of their offsets, by which their names become unambiguous; a class
belongs to what stands above its synset. `nouns.tsv` has what else people call the classes of COCO and the families.
"""

import sys
from pathlib import Path

OBJECTS = Path(__file__).parents[2] / "crates" / "image-analysis" / "src" / "objects"
# Synsets of the classes of COCO: all that WordNet has below them is of the class.
COCO = {
    "bicycle": ["bicycle", "tricycle"], "car": ["car", "cab#3", "minivan"], "motorcycle": ["motorcycle", "moped", "motor_scooter"],
    "airplane": ["airplane"], "bus": ["bus"], "train": ["train", "locomotive", "passenger_car"], "truck": ["truck", "trailer_truck"],
    "boat": ["boat", "ship", "vessel#2"], "traffic light": ["traffic_light"], "fire hydrant": ["fireplug"],
    "stop sign": ["stop_sign"], "parking meter": ["parking_meter"], "bench": ["bench"], "bird": ["bird"], "cat": ["domestic_cat"], "dog": ["dog"],
    "horse": ["horse"], "sheep": ["sheep", "wild_sheep"], "cow": ["cattle"], "elephant": ["elephant"], "bear": ["bear"],
    "zebra": ["zebra"], "giraffe": ["giraffe"], "backpack": ["backpack"], "umbrella": ["umbrella"], "handbag": ["bag#4"],
    "tie": ["necktie"], "suitcase": ["bag#6"], "frisbee": ["frisbee"], "skis": ["ski"], "snowboard": ["snowboard"], "sports ball": ["ball#1"],
    "kite": ["kite#3"], "baseball bat": ["baseball_bat"], "skateboard": ["skateboard"], "surfboard": ["surfboard"],
    "tennis racket": ["racket#4", "tennis_racket"], "bottle": ["bottle"], "wine glass": ["goblet", "wineglass"],
    "cup": ["cup", "mug#4", "espresso", "cup#6"], "fork": ["fork"], "knife": ["knife", "cleaver"], "spoon": ["spoon"], "bowl": ["bowl#3", "bowl"],
    "banana": ["banana#2"], "apple": ["apple"], "sandwich": ["sandwich"], "orange": ["orange"], "broccoli": ["broccoli#2"],
    "carrot": ["carrot#3"], "hot dog": ["hotdog#2", "frank#2", "hotdog"], "pizza": ["pizza"], "donut": ["doughnut"], "cake": ["cake#3"],
    "chair": ["chair"], "couch": ["sofa"], "potted plant": ["pot#4", "flowerpot", "houseplant"], "bed": ["bed"],
    "dining table": ["dining_table", "table#2"], "toilet": ["toilet#2", "toilet_seat"],
    "tv": ["television_receiver", "television#2", "monitor#4", "screen#3", "screen#4", "television_monitor"], "laptop": ["laptop", "portable_computer", "notebook#2"], "mouse": ["mouse#4"],
    "remote": ["remote_control"], "keyboard": ["keyboard", "computer_keyboard"], "cell phone": ["cellular_telephone"],
    "microwave": ["microwave#2"], "oven": ["stove", "oven"], "toaster": ["toaster#2"], "sink": ["sink", "washbasin#1", "washbasin#2"],
    "refrigerator": ["refrigerator"], "book": ["book", "book#2", "comic_book"], "clock": ["clock"], "vase": ["vase"],
    "scissors": ["scissors"], "teddy bear": ["teddy"], "hair drier": ["hand_blower"], "toothbrush": ["toothbrush"],
    "person": ["person"],
}
# Classes of ImageNet whose synset is not where people would look for them.
CORRECTIONS = {
    "pot": "potted plant", "ox": "cow", "hotdog": "hot dog", "screen": "tv", "monitor": "tv", "shoji": "", "punching bag": "", "amphibian": "",
    "purse": "handbag", "desk": "", "pool table": "", "Dutch oven": "", "stove": "oven", "hand-held computer": "", "letter opener": "",
    "crib": "bed", "pirate": "boat", "throne": "chair", "passenger car": "train",
}
FAMILIES = {
    "person": ["person"], "animal": ["animal"], "vehicle": ["vehicle"], "fruit": ["edible_fruit"], "food": ["food", "food#2", "fruit"],
    "furniture": ["furniture"], "plant": ["plant#2"], "building": ["building"], "clothing": ["clothing"],
}


class WordNet:
    """Nouns."""

    def __init__(self, folder: Path) -> None:
        self.words, self.above, self.below, self.senses, self.frequent = {}, {}, {}, {}, {}
        for line in (folder / "data.noun").read_text(errors="replace").splitlines():
            if line.startswith(" "):
                continue
            parts = line.split(" | ")[0].split()
            count = int(parts[3], 16)
            offset = int(parts[0])
            self.words[offset] = [parts[4 + 2 * place] for place in range(count)]
            rest = parts[5 + 2 * count :]
            self.above[offset] = [int(rest[i + 1]) for i in range(len(rest) - 3) if rest[i] in ("@", "@i") and rest[i + 2] == "n"]
            for up in self.above[offset]:
                self.below.setdefault(up, []).append(offset)
        for line in (folder / "index.noun").read_text(errors="replace").splitlines():
            if line.startswith(" "):
                continue
            parts = line.split()
            count = int(parts[2])
            self.senses[parts[0]] = [int(offset) for offset in parts[-count:]]
            self.frequent[parts[0]] = int(parts[-count - 1])

    def sense(self, name: str) -> int | None:
        """Offset of `word` or `word#sense`."""
        word, _, number = name.partition("#")
        found = self.senses.get(word.lower())
        place = int(number or 1) - 1
        return found[place] if found and place < len(found) else None

    def upward(self, offset: int) -> set[int]:
        """A synset and all above it."""
        found, left = set(), [offset]
        while left:
            at = left.pop()
            if at not in found:
                found.add(at)
                left += self.above[at]
        return found

    def downward(self, offset: int) -> set[int]:
        """A synset and all below it."""
        found, left = set(), [offset]
        while left:
            at = left.pop()
            if at not in found:
                found.add(at)
                left += self.below.get(at, [])
        return found


def resolved(wordnet: WordNet, labels: list[str]) -> list[int | None]:
    """Synsets of the labels, so that as many as can be are in rising order."""
    best: list[tuple[int, int, tuple | None]] = [(0, 0, None)]
    for place, label in enumerate(labels):
        key = label.lower().replace(" ", "_").replace("'", "'")
        new = []
        for offset in sorted(set(wordnet.senses.get(key, []))):
            count, _, chain = max((state for state in best if state[1] < offset), key=lambda state: state[0])
            new.append((count + 1, offset, (place, offset, chain)))
        best += new
        kept, most = [], -1
        for state in sorted(best, key=lambda state: (state[1], -state[0])):
            if state[0] > most:
                kept.append(state)
                most = state[0]
        best = kept
    chain, found = max(best, key=lambda state: state[0])[2], [None] * len(labels)
    while chain:
        place, offset, chain = chain
        found[place] = offset
    return found


def main() -> None:
    """Writes both files."""
    wordnet = WordNet(Path(sys.argv[1]))
    labels = (OBJECTS / "imagenet.txt").read_text().splitlines()
    synsets = resolved(wordnet, labels)
    classes = {name: {wordnet.sense(each) for each in each_of} - {None} for name, each_of in COCO.items()}
    families = {name: {wordnet.sense(each) for each in each_of} - {None} for name, each_of in FAMILIES.items()}
    for name, offsets in (classes | families).items():
        if not offsets:
            print(f"no synset: {name}", file=sys.stderr)

    def first(offset: int | None, groups: dict[str, set[int]]) -> str:
        above = wordnet.upward(offset) if offset else set()
        return next((name for name, offsets in groups.items() if above & offsets), "")

    lines = []
    for label, offset in zip(labels, synsets, strict=True):
        lines.append(f"{label}\t{CORRECTIONS.get(label, first(offset, classes))}\t{first(offset, families)}")
        if offset is None:
            print(f"not resolved: {label}", file=sys.stderr)
    (OBJECTS / "kinds.tsv").write_text("\n".join(lines) + "\n")

    nouns = {}
    for name, offsets in (classes | families).items():
        # What is below a person is a profession or a character, which no picture tells.
        if name == "person":
            continue
        for offset in offsets:
            for below in wordnet.downward(offset) if name in classes else {offset}:
                for word in wordnet.words[below]:
                    key = word.lower()
                    # Only where it is the word's first meaning: a "jaguar" is no car to most.
                    if wordnet.senses.get(key, [None])[0] == below and key.count("_") < 2 and key.isascii():
                        same = "=" if below == offset else "<"
                        nouns.setdefault(key.replace("_", " "), f"{name}\t{same}")
    names = set(classes) | set(families)
    chosen = sorted((word, name) for word, name in nouns.items() if word not in names and len(word) > 2)
    (OBJECTS / "nouns.tsv").write_text("".join(f"{word}\t{name}\n" for word, name in chosen))
    print(len(chosen), "nouns", file=sys.stderr)


if __name__ == "__main__":
    main()
