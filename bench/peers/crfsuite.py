"""Trains or runs CRFsuite (python-crfsuite) on the features of its own chunking tutorial, or on item files.

    crfsuite.py train ALGORITHM TRAIN.gz MODEL [NAME=VALUE ...]
    crfsuite.py tag MODEL TEST.gz REPEATS

Prints one JSON object. Runs in the virtual environment of bench/peers."""

import gzip
import json
import sys
import time

import pycrfsuite


def sentences(path):
    rows = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            if fields:
                rows.append(fields)
            elif rows:
                yield rows
                rows = []
    if rows:
        yield rows


W = [((-2,), 0), ((-1,), 0), ((0,), 0), ((1,), 0), ((2,), 0), ((-1, 0), 0), ((0, 1), 0)]
P = [(o, 1) for o in ((-2,), (-1,), (0,), (1,), (2,), (-2, -1), (-1, 0), (0, 1), (1, 2), (-2, -1, 0), (-1, 0, 1), (0, 1, 2))]
NAMES = {0: "w", 1: "pos"}


def features(rows):
    """The attributes of CRFsuite's tutorial: words and tags in a window, and their n-grams."""
    items = []
    for t in range(len(rows)):
        token = []
        for offsets, column in W + P:
            if all(0 <= t + o < len(rows) for o in offsets):
                name = "|".join(f"{NAMES[column]}[{o}]" for o in offsets)
                token.append(name + "=" + "|".join(rows[t + o][column] for o in offsets))
        items.append(token)
    items[0].append("__BOS__")
    items[-1].append("__EOS__")
    return items


def train(algorithm, path, model, *options):
    trainer = pycrfsuite.Trainer(algorithm=algorithm, verbose=False)
    trainer.set_params(dict(option.split("=") for option in options))
    for rows in sentences(path):
        trainer.append(features(rows), [row[-1] for row in rows])
    cpu, wall = time.process_time(), time.monotonic()
    trainer.train(model)
    last = trainer.logparser.last_iteration or {}
    return {"train_cpu": time.process_time() - cpu, "train_wall": time.monotonic() - wall, "epochs": last.get("num"),
            "loss": last.get("loss")}


def spans(labels):
    found, start = set(), None
    for i, label in enumerate([*labels, "O"]):
        tag, _, kind = label.partition("-")
        if start is not None and (tag in "OB" or kind != start[1]):
            found.add((start[0], i, start[1]))
            start = None
        if tag == "B" or (tag == "I" and start is None):
            start = (i, kind)
    return found


def tag(model, path, repeats):
    tagger = pycrfsuite.Tagger()
    tagger.open(model)
    rows = list(sentences(path))
    prepared = [pycrfsuite.ItemSequence(features(r)) for r in rows]
    cpu = time.process_time()
    for _ in range(int(repeats)):
        predicted = [tagger.tag(x) for x in prepared]
    seconds = time.process_time() - cpu
    gold = [spans([r[-1] for r in s]) for s in rows]
    guess = [spans(y) for y in predicted]
    correct = sum(len(g & p) for g, p in zip(gold, guess))
    precision = correct / sum(map(len, guess))
    recall = correct / sum(map(len, gold))
    tokens = sum(map(len, rows))
    return {"f1": 200 * precision * recall / (precision + recall), "tokens_per_second": tokens * int(repeats) / seconds}


if __name__ == "__main__":
    print(json.dumps({"train": train, "tag": tag}[sys.argv[1]](*sys.argv[2:])))
