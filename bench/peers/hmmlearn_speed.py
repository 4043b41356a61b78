"""Baum-Welch and Viterbi by hmmlearn's CategoricalHMM, one thread, timed.

    hmmlearn_speed.py FILE ITERATIONS REPEATS IMPLEMENTATION

FILE as of generative_speed_program.cc; IMPLEMENTATION is log or scaling. Prints a JSON object as that program does.
"""

import json
import sys
import time

import numpy
from hmmlearn.hmm import CategoricalHMM
from threadpoolctl import threadpool_limits


def read(path):
    with open(path, encoding="ascii") as file:
        states, values = map(int, next(file).split())
        tables = [numpy.array([float(x) for x in next(file).split()]) for _ in range(1 + 2 * states)]
        sequences = [numpy.array(line.split(), int) for line in file]
    return values, tables[0], numpy.stack(tables[1:1 + states]), numpy.stack(tables[1 + states:]), sequences


def main():
    path, iterations, repeats, implementation = sys.argv[1:]
    values, initial, moves, emissions, sequences = read(path)
    observations, lengths = numpy.concatenate(sequences)[:, None], [len(s) for s in sequences]

    def model():
        # No step is too small to go on; init_params "": from the tables given.
        made = CategoricalHMM(len(initial), n_features=values, n_iter=int(iterations), tol=-numpy.inf, init_params="", params="ste", implementation=implementation)
        made.startprob_, made.transmat_, made.emissionprob_ = initial.copy(), moves.copy(), emissions.copy()
        return made

    learning, decoding = [], []
    with threadpool_limits(1):
        for _ in range(int(repeats)):
            learned, read_only = model(), model()
            start = time.perf_counter()
            learned.fit(observations, lengths)
            learning.append(time.perf_counter() - start)
            start = time.perf_counter()
            log_probability, _ = read_only.decode(observations, lengths, algorithm="viterbi")
            decoding.append(time.perf_counter() - start)
    history = list(map(float, learned.monitor_.history))
    print(json.dumps({"baum_welch": min(learning), "e_steps": len(history), "log_likelihoods": history, "viterbi": min(decoding), "log_probability": float(log_probability)}))


if __name__ == "__main__":
    main()
