"""Aligns two files with fast_align's model (Dyer et al. 2013) as SIL's Thot has it on PyPI, with fast_align's own settings: five iterations,
variational Bayes with alpha 0.01, null 0.08, the tension learned from 4 on. Each direction by itself.

    fast_align.py SOURCE TARGET FORWARD REVERSE

The links go to two files. Prints one JSON object: the CPU seconds of training alone. Runs in the virtual environment of bench/peers."""

import json
import sys
import time

from thot.alignment import FastAlignModel

ITERATIONS = 5
AT_ONCE = 1000


def sentences(path):
    with open(path, encoding="utf-8") as file:
        return [line.split() for line in file]


def write_links(model, source, target, path, swapped):
    with open(path, "w", encoding="utf-8") as file:
        for begin in range(0, len(source), AT_ONCE):
            found = model.get_best_alignments(source[begin:begin + AT_ONCE], target[begin:begin + AT_ONCE])
            for _, matrix in found:
                links = [(i - 1, j) for j, i in enumerate(matrix.to_list()) if i > 0]  # a source word for each of the target, or 0
                file.write(" ".join(f"{j}-{i}" if swapped else f"{i}-{j}" for i, j in links) + "\n")


def main():
    source, target, forward, reverse = sys.argv[1:]
    cpu = 0.0
    for one, other, path in ((source, target, forward), (target, source, reverse)):
        start = time.process_time()
        model = FastAlignModel()
        model.read_sentence_pairs(one, other)
        model.start_training()
        for _ in range(ITERATIONS):
            model.train()
        model.end_training()
        cpu += time.process_time() - start
        write_links(model, sentences(one), sentences(other), path, swapped=path == reverse)
    print(json.dumps({"cpu": cpu}))


if __name__ == "__main__":
    main()
