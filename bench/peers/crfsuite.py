"""Trains or runs CRFsuite (python-crfsuite) on the features of its own chunking tutorial, or on item files.

    crfsuite.py train ALGORITHM TRAIN.gz MODEL [NAME=VALUE ...]
    crfsuite.py tag MODEL TEST.gz REPEATS

Prints one JSON object. Runs in the virtual environment of bench/peers."""

import json
import sys
import time

import pycrfsuite
from conlleval import spans
from tutorial_features import chunks as features
from tutorial_features import columns as sentences


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
