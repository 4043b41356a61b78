"""Instructions of short trainings and predictions of the large tasks, counted by callgrind.

The count is the same on a busy machine and on an idle one.

    ./dev bench instructions [--baseline PROGRAM]

The baseline is another build of the program, from before a change. Other kinds of processors and other compilers execute other
instructions. The model for predictions is trained first by the same program; this is not counted.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import time
from typing import NamedTuple

from peers import PROGRAM, WORK, save, sized, table

REPORT = {
    "title": "Instructions",
    "chapter": "Every task",
    "claims": {"instructions": ["Number of instructions of short trainings and predictions, to compare versions of the source.", ""]},
    "minutes": [2, 2],
    "needs": ["debian"],
}
ROOT = pathlib.Path(__file__).parent.parent
MODEL = WORK / "instructions.trellis"


class Run(NamedTuple):
    """What is counted: the prediction, where there is one, and otherwise the training."""

    name: str
    train: str
    predict: str = ""


TAG = "tag train data/travel/train.txt --template data/travel/travel.template --learner lbfgs --c 1 --warm-up 0 --epochs 10"
PARSE = "parse train data/garden/train.conllu --order 2 --epochs 3"
GRAMMAR = "grammar train data/kitchen/train.mrg --learner dca --loss crf --c 10 --epochs 20"
ALIGN = "align train data/harbour/train.en data/harbour/train.fr --unsupervised --iterations 5"
RUNS = (
    Run("tag, lbfgs", TAG),
    Run("tag, prediction", TAG, "tag predict data/travel/train.txt --marginals all"),
    Run("classify, smo", "classify train data/topics/train.tsv --ngrams 3 --learner smo --c 10 --gap 1e-9 --epochs 50"),
    Run("segment, bcfw", "segment train data/blobs/train.list --learner bcfw --c 30 --epochs 3"),
    Run("parse, second order", PARSE),
    Run("parse, prediction", PARSE, "parse predict data/garden/train.conllu"),
    Run("grammar, dca", GRAMMAR),
    Run("grammar, prediction", GRAMMAR, "grammar predict data/kitchen/train.mrg"),
    Run("align, hidden Markov models", ALIGN),
    Run("label, macro-F1", "label train data/recipes/train.arff --labels data/recipes/recipes.xml --method bundle --c 1 --thresholds train"),
    Run("rank, random features", "rank train data/search/train.txt --expand random:200 --lambda 0.1"),
    Run("topics, gibbs", "topics train data/pastimes/train.tsv --topics 20 --sweeps 400"),
)


def execute(command):
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)} ended with status {result.returncode}:\n{result.stderr}")
    return result.stderr


def instructions(program, run):
    """Executed instructions of one run on one thread, from start to end."""
    train, predict = ([str(program), *call.split(), "--threads", "1", "--quiet", "--model", str(MODEL)] for call in (run.train, run.predict))
    if run.predict:
        execute(train)
    counted = [*predict, "--output", "/dev/null"] if run.predict else train
    said = execute(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *counted])
    count = re.search(r"Collected\s*:\s*(\d+)", said)
    if not count:
        sys.exit(f"callgrind has not counted {' '.join(counted)}:\n{said}")
    return int(count[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--baseline", type=pathlib.Path, help="another build of the program to compare with")
    baseline = sized(parser).baseline
    if baseline and not baseline.is_file():
        sys.exit(f"{baseline}: there is no such program")
    WORK.mkdir(parents=True, exist_ok=True)
    rows = []
    for run in RUNS:
        start = time.monotonic()
        row = {"name": run.name, "metric": "instructions", "value": instructions(PROGRAM, run)}
        if baseline:
            row["peer"] = instructions(baseline.resolve(), run)
            row["ratio"] = row["value"] / row["peer"]
        row["seconds"] = time.monotonic() - start
        rows.append(row)
    compared = ["of the baseline", "ratio"] if baseline else []
    table("Instructions of whole programs on one thread, reading and writing included",
          ["", "of this tree", *compared],
          [[r["name"], f"{r['value']:,}", *([f"{r['peer']:,}", f"{r['ratio']:.4f}"] if baseline else [])] for r in rows])
    save({"rows": rows})


if __name__ == "__main__":
    main()
