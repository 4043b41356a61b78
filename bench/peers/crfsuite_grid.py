"""CRFsuite as its users tune it: L-BFGS over a small grid of c1 and c2 on item files, the best by a dev part, or by a held-out fifth.

    crfsuite_grid.py TRAIN DEV|- TEST MODEL --measure f1|accuracy

Iterations and transitions are those of python-crfsuite's and sklearn-crfsuite's examples. Without a dev part every fifth
sequence is held out, and the best setting is trained again on all of them. Prints one JSON object, with the labels of TEST.
Runs in the virtual environment of bench/peers."""

import argparse
import json
import re
import time

import pycrfsuite
from conlleval import span_counts, token_counts

GRID = ((0, 1), (0, 0.1), (0, 0.01), (0.1, 0.1), (0.1, 0.01), (1, 0.01))
ITERATIONS = 100
FIELD = re.compile(r"((?:[^\\:]|\\.)*)(?::(.*))?", re.DOTALL)


def read(path):
    """Sequences of an item file: (items, labels)."""
    sequences, items, labels = [], [], []
    with open(path, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            label, *fields = line.rstrip("\n").split("\t")
            if label or fields:
                labels.append(label)
                items.append(attributes(fields))
            elif items:
                sequences.append((pycrfsuite.ItemSequence(items), labels))
                items, labels = [], []
    if items:
        sequences.append((pycrfsuite.ItemSequence(items), labels))
    return sequences


def attributes(fields):
    """{name: value}; only backslashes and colons are escaped."""
    found = {}
    for field in fields:
        name, value = FIELD.fullmatch(field).groups()
        found[re.sub(r"\\([\\:])", r"\1", name)] = float(value) if value else 1.0
    return found


def train(sequences, setting, model):
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    for items, labels in sequences:
        trainer.append(items, labels)
    trainer.set_params({"c1": setting[0], "c2": setting[1], "max_iterations": ITERATIONS, "feature.possible_transitions": True})
    trainer.train(model)
    tagger = pycrfsuite.Tagger()
    tagger.open(model)
    return tagger


def figure(tagger, sequences, measure):
    """F1 of spans, or accuracy."""
    count = span_counts if measure == "f1" else token_counts
    sums = [sum(column) for column in zip(*(count(labels, tagger.tag(items)) for items, labels in sequences))]
    return 200 * sums[0] / max(sums[1] + sums[2], 1) if measure == "f1" else 100 * sums[0] / sums[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs=4)
    parser.add_argument("--measure", choices=["f1", "accuracy"], required=True)
    call = parser.parse_args()
    train_file, dev_file, test_file, model = call.files
    everything = read(train_file)
    if dev_file == "-":
        part = [s for k, s in enumerate(everything) if k % 5 != 4]
        held = everything[4::5]
    else:
        part, held = everything, read(dev_file)
    cpu = time.process_time()
    tried = []
    for number, setting in enumerate(GRID):
        tried.append((figure(train(part, setting, f"{model}.{number}"), held, call.measure), -number))
    best = -max(tried)[1]
    if dev_file == "-":
        tagger = train(everything, GRID[best], model)
    else:
        tagger = pycrfsuite.Tagger()
        tagger.open(f"{model}.{best}")
    cpu = time.process_time() - cpu
    print(json.dumps({"chosen": f"c1={GRID[best][0]} c2={GRID[best][1]}", "cpu": cpu, "grid": GRID,
                      "figures": [figure for figure, _ in tried], "labels": [tagger.tag(items) for items, _ in read(test_file)]}))


if __name__ == "__main__":
    main()
