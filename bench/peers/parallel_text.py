"""Parallel text for word alignment: the Hansards of the 2003 shared task, and Europarl's raw sentences written as those are.

In the Hansards hyphens and punctuation are words of their own and numbers stay whole; the French has its elisions and contractions in
full (`ne avons`, `le Orateur`, `de le`, `à les`, but `aujourd' hui`); English brackets and quotes are those of the Penn treebank. All
of it is put in lower case. The sentences whose links are known are otherwise left as they are: links count their words."""

import dataclasses
import gzip
import itertools
import pathlib
import random
import re

from peers import data

ELIDED = {word[:-1]: word for word in ("le", "de", "ne", "que", "se", "je", "me", "te", "ce", "jusque", "lorsque", "puisque", "quoique",
                                       "quelque", "presque")}
CONTRACTED = {"du": "de le", "des": "de les", "au": "à le", "aux": "à les"}
IN_ENGLISH = {"(": "-lrb-", ")": "-rrb-", "mr": "mr.", "mrs": "mrs.", "ms": "ms.", "dr": "dr."}

# Europarl writes apostrophes in three ways, one of which is a quotation mark: l'union, l’union, l"union.
SAME_CHARACTER = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": "'", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "—": "–", "…": "..."})
LANGUAGE_NOTE = re.compile(r"^\s*\([a-z]{2}\)\s*")  # (fr) before a speech
THOUSANDS = re.compile(r"\b\d{1,3}(?: \d{3})+\b")
NUMBER, REST = r"\d+(?:[.,]\d+)*(?!\w)", r"(?:[a-z]\.){2,}|\.\.\.|\w+|[^\w\s]"

ELISION = re.compile(rf"\b({'|'.join(ELIDED)})(?:' *(?=[\w«(])|\"(?=\w))")
TODAY = re.compile(r"\baujourd['\"] *hui\b")
DECIMAL_COMMA = re.compile(r"\b(\d+),(\d{1,2})\b(?![.,]?\d)")
FRENCH_WORD = re.compile(rf"{NUMBER}|aujourd'|(?:mm?|hon|dr|st)\.|{REST}")

POSSESSIVE = re.compile(r"(?<=\w)(?: ?' ?|\")s\b")
NEGATED = [(re.compile(r"\bcan['\"]t\b"), "cannot"), (re.compile(r"\bwon['\"]t\b"), "will not"), (re.compile(r"n['\"]t\b"), " not")]
ENGLISH_WORD = re.compile(rf"{NUMBER}|o'clock|'s\b|''|--|(?:mrs?|ms|messrs|hon|dr|st)\.|no\.(?= ?\d)|{REST}")


def common(sentence):
    sentence = LANGUAGE_NOTE.sub("", sentence.lower().translate(SAME_CHARACTER))
    return THOUSANDS.sub(lambda number: number[0].replace(" ", ","), sentence)


def french(sentence):
    """The words of a raw sentence. A comma before fewer than three digits is a decimal one, which the Hansards write as a point."""
    text = common(sentence).replace("“", "« ").replace("”", " »").replace("–", "-")
    text = DECIMAL_COMMA.sub(r"\1.\2", TODAY.sub("aujourd' hui", text))
    text = ELISION.sub(lambda elided: ELIDED[elided[1]] + " ", text)
    text = re.sub(r'"(?=\w)', " « ", text).replace('"', " » ")
    return " ".join(CONTRACTED.get(word, word) for word in FRENCH_WORD.findall(text)).split()


def english(sentence):
    text = common(sentence).replace("-lrb-", "(").replace("-rrb-", ")").replace("–", " -- ").replace("\\", "")
    text = POSSESSIVE.sub(" 's", text).replace('o"clock', "o'clock")
    for pattern, full in NEGATED:
        text = pattern.sub(full, text)
    text = re.sub('["“”„«»]', " '' ", text)
    return [IN_ENGLISH.get(word, word) for word in ENGLISH_WORD.findall(text)]


def fits(source, target, longest):
    """Pairs that can be translations of each other; `longest` is the most words of a side, or None."""
    short, long = sorted((len(source), len(target)))
    return short >= 1 and long <= 3 * short + 3 and (longest is None or long <= longest)


def lines(*path):
    with gzip.open(data(*path), "rt", encoding="utf-8", newline="\n") as file:
        return file.read().removesuffix("\n").split("\n")


def hansards(part):
    """The sentence pairs of `trial` or `test`, whose words links count."""
    sides = (lines("hansards", f"{part}.{side}.gz") for side in "ef")
    return [(source.lower().split(), target.lower().split()) for source, target in zip(*sides, strict=True)]


def further_pairs():
    """All that has no links: the Hansards', then Europarl's in an order of chance that is always the same, so that the first n are like
    all others."""
    for source, target in zip(lines("hansards", "unlabelled.e.gz"), lines("hansards", "unlabelled.f.gz"), strict=True):
        yield english(source), french(target)
    europarl = list(zip(lines("europarl", "en-fr.en.gz"), lines("europarl", "en-fr.fr.gz"), strict=True))
    for source, target in random.Random(1).sample(europarl, len(europarl)):
        yield english(source), french(target)


def write(stem, pairs):
    """stem.en and stem.fr."""
    for k, side in enumerate(("en", "fr")):
        pathlib.Path(f"{stem}.{side}").write_text("".join(pair[k] + "\n" for pair in pairs), encoding="utf-8")


@dataclasses.dataclass
class Text:
    """Prepared files. The pairs of `parts` come first, so that the text of any size has them."""
    folder: pathlib.Path
    pairs: list  # of two lines each
    parts: dict  # name: (first, end) among the pairs

    def files(self, size=None):
        """The first pairs, in two files."""
        stem = self.folder / f"text-{len(self.pairs) if size is None else size}"
        if not pathlib.Path(f"{stem}.fr").exists():
            write(stem, self.pairs[:size])
        return [f"{stem}.en", f"{stem}.fr"]

    def part_files(self, part):
        first, end = self.parts[part]
        write(self.folder / part, self.pairs[first:end])
        return [self.folder / f"{part}.en", self.folder / f"{part}.fr"]


def prepare(folder, parts, size=None, longest=45):
    """parts: of the Hansards, without their links; size: of all text together, None for all there is."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("text-*"):
        old.unlink()
    pairs, places = [], {}
    for part in parts:
        known = [tuple(map(" ".join, pair)) for pair in hansards(part)]
        places[part] = (len(pairs), len(pairs) + len(known))
        pairs += known
    further = (tuple(map(" ".join, pair)) for pair in further_pairs() if fits(*pair, longest))
    pairs += itertools.islice(further, None if size is None else max(size - len(pairs), 0))
    return Text(folder, pairs, places)


def generated(pairs, seed=1):
    """Pairs of invented sentences with as many words as real ones and their frequencies (Zipf's): each source word has one translation, one
    in ten is left out, one in ten is another word, and neighbours change places."""
    rng = random.Random(seed)
    words = range(20000)
    weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in words))
    for _ in range(pairs):
        length = rng.randint(4, 36)
        drawn = rng.choices(words, cum_weights=weights, k=2 * length)
        source, others = drawn[:length], drawn[length:]
        target = [word if rng.random() < 0.9 else other for word, other in zip(source, others) if rng.random() < 0.9] or source[:1]
        for at in range(1, len(target)):
            if rng.random() < 0.2:
                target[at - 1], target[at] = target[at], target[at - 1]
        yield [f"e{word}" for word in source], [f"f{word}" for word in target]
