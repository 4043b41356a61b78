"""Aligns two files with fast_align's model (Dyer et al. 2013) as SIL's Thot has it on PyPI, with fast_align's own settings: five iterations,
variational Bayes with alpha 0.01, null 0.08, the tension learned from 4 on. Each direction by itself.

    fast_align.py SOURCE TARGET FORWARD REVERSE

The links go to two files. Prints one JSON object: what training alone used. Runs in the virtual environment of bench/peers."""

import itertools
import json
import resource
import sys
import time

from thot.alignment import FastAlignModel

ITERATIONS = 5
AT_ONCE = 1000


def train(source, target):
    model = FastAlignModel()
    model.read_sentence_pairs(source, target)
    model.start_training()
    for _ in range(ITERATIONS):
        model.train()
    model.end_training()
    return model


def write_links(model, source, target, path, swapped):
    with open(source, encoding="utf-8") as one, open(target, encoding="utf-8") as other, open(path, "w", encoding="utf-8") as file:
        while sentences := [line.split() for line in itertools.islice(one, AT_ONCE)]:
            for _, matrix in model.get_best_alignments(sentences, [line.split() for line in itertools.islice(other, AT_ONCE)]):
                links = [(i - 1, j) for j, i in enumerate(matrix.to_list()) if i > 0]  # a source word for each of the target, or 0
                file.write(" ".join(f"{j}-{i}" if swapped else f"{i}-{j}" for i, j in links) + "\n")


def main():
    source, target, forward, reverse = sys.argv[1:]
    cpu = memory = 0
    for one, other, path in ((source, target, forward), (target, source, reverse)):
        start = time.process_time()
        model = train(one, other)
        cpu += time.process_time() - start
        memory = max(memory, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        write_links(model, one, other, path, swapped=path == reverse)
        del model  # before the next
    print(json.dumps({"cpu": cpu, "memory": memory}))


if __name__ == "__main__":
    main()
