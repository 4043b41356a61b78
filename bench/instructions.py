"""Instructions of three short training runs, counted by callgrind: the same figure on a busy machine and on an idle one.

    ./dev bench instructions [--baseline PROGRAM]

The baseline is another build of the program, from before a change. On another kind of processor, or by another compiler, there are other
instructions."""

import argparse
import pathlib
import re
import subprocess
import sys
import time

from peers import PROGRAM, WORK, save, sized, table

REPORT = {
    "title": "Instructions",
    "chapter": "Every task",
    "claims": {"instructions": ["Instructions that three short trainings execute, to compare versions of the source.", ""]},
    "minutes": [1, 1],
    "needs": ["debian"],
}
ROOT = pathlib.Path(__file__).parent.parent
RUNS = {
    "tag, lbfgs": ["tag", "train", "data/travel/train.txt", "--template", "data/travel/travel.template",
                   "--learner", "lbfgs", "--c", "1", "--warm-up", "0", "--epochs", "10"],
    "classify, smo": ["classify", "train", "data/topics/train.tsv", "--ngrams", "3",
                      "--learner", "smo", "--c", "10", "--gap", "1e-9", "--epochs", "50"],
    "segment, bcfw": ["segment", "train", "data/blobs/train.list", "--learner", "bcfw", "--c", "30", "--epochs", "3"],
}


def instructions(program, arguments):
    """Executed instructions of one run on one thread, from start to end."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(program), *arguments,
               "--threads", "1", "--quiet", "--model", str(WORK / "instructions.trellis")]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    count = re.search(r"Collected\s*:\s*(\d+)", result.stderr)
    if result.returncode or not count:
        sys.exit(f"{' '.join(command)} ended with status {result.returncode}:\n{result.stderr}")
    return int(count[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--baseline", type=pathlib.Path, help="another build of the program to compare with")
    baseline = sized(parser).baseline
    if baseline and not baseline.is_file():
        sys.exit(f"{baseline}: there is no such program")
    WORK.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, arguments in RUNS.items():
        start = time.monotonic()
        row = {"name": name, "metric": "instructions", "value": instructions(PROGRAM, arguments)}
        if baseline:
            row["peer"] = instructions(baseline.resolve(), arguments)
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
