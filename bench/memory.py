"""Peak memory of extragradient and of the QP, by the number of examples, and in weight vectors at a million weights.

The matchings are generated. In the first table they are 25 x 25 with 5 weights, made when they are needed, so the memory is that of the
learner. `stored` keeps the dual of each example, and `examples` (--steps examples) the corners that its point is a combination of. In the
second table they are 12 x 12 with 10^6 weights, and all features are stored as those of a user. It has what the learner takes beyond these,
in vectors of 10^6 doubles (7.6 MB), on one thread and on two. Both tables compare with the QP, one program over all examples.

    ./dev bench memory [--iterations K]
"""

import argparse
import json

from peers import BUILD, note, run, save, sized, table

REPORT = {
    "title": "Memory of learners",
    "chapter": "Saddle points",
    "claims": {"memory": ["A hundred times as many examples take 1.8 times the memory with extragradient; the QP takes more for one "
                          "example than extragradient for 50 000. After two iterations extragradient has learned nothing yet (its gap is "
                          "1), and `examples` has not reached its peak.", ""],
               "vectors": ["At a million weights, beyond the stored features, all three forms of extragradient take seven to eight weight vectors on "
                           "one and on two threads (the thesis's figure 2.6 needs four); the QP takes more than seventy.", ""]},
    "minutes": [4, 25],
    "default": "there are two iterations instead of five, and the QP of ten examples is left out",
}
EXAMPLES = {"extragradient": [500, 5000, 50000], "examples": [500, 5000], "stored": [500, 5000], "qp": [1, 2, 5]}
STORED = {"extragradient": [100, 500], "examples": [100, 500], "stored": [100, 500], "qp": [1, 2]}
WEIGHTS = 1000000


def measure(method, examples, iterations, threads, *weights):
    done = run(BUILD / "bench" / "memory_program", method, examples, iterations, threads, *weights)
    return {"method": method, "examples": examples, "threads": threads, **json.loads(done["output"])}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=2)
    parser.add_argument("--qp-examples", type=int, nargs="+", default=EXAMPLES["qp"])
    call = sized(parser, iterations=5, qp_examples=[*EXAMPLES["qp"], 10])
    iterations = call.iterations
    rows = [measure(method, n, iterations, 2) for method, sizes in {**EXAMPLES, "qp": call.qp_examples}.items() for n in sizes]
    table(f"Peak memory; {iterations} iterations of extragradient, the QP to its end",
          ["method", "examples", "MB", "seconds", "objective", "gap", "end"],
          [[r["method"], r["examples"], r["megabytes"], r["seconds"], r["objective"], r["gap"], r["termination"]] for r in rows],
          claim="memory")
    flat = [r["megabytes"] for r in rows if r["method"] == "extragradient"]
    note(f"extragradient, {EXAMPLES['extragradient'][-1]} examples over {EXAMPLES['extragradient'][0]}: {flat[-1] / flat[0]:.3f}")
    stored = [measure(method, n, iterations, threads, WEIGHTS)
              for method, sizes in STORED.items() for n in sizes for threads in ((1,) if method == "qp" else (1, 2))]
    table(f"Memory beyond the stored features, {WEIGHTS} weights; {iterations} iterations, the QP to its end",
          ["method", "examples", "threads", "features MB", "beyond MB", "weight vectors", "seconds", "objective", "gap", "end"],
          [[r["method"], r["examples"], r["threads"], r["before"], r["megabytes"] - r["before"], r["weight_vectors"], r["seconds"],
            r["objective"], r["gap"], r["termination"]] for r in stored], claim="vectors")
    save({"rows": rows, "stored": stored})


main()
