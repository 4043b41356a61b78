"""Peak memory of extragradient and of the QP on generated 25 x 25 matchings, against the number of examples.

Examples are made when they are looked at, so that what is measured is the learner's own memory; `stored` keeps each example's dual.

    ./dev bench memory [--iterations K]"""

import argparse
import json

from peers import BUILD, note, run, save, sized, table

REPORT = {
    "title": "Memory of learners",
    "chapter": "Saddle points",
    "claims": {"memory": ["The memory of extragradient does not grow with the number of examples; that of the QP does.", ""]},
    "minutes": [4, 20],
    "default": "there are two iterations instead of five, and the QP of ten examples is left out",
}
EXAMPLES = {"extragradient": [500, 5000, 50000], "stored": [500, 5000], "qp": [1, 2, 5]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=2)
    parser.add_argument("--qp-examples", type=int, nargs="+", default=EXAMPLES["qp"])
    call = sized(parser, iterations=5, qp_examples=[*EXAMPLES["qp"], 10])
    iterations = call.iterations
    rows = []
    for method, sizes in {**EXAMPLES, "qp": call.qp_examples}.items():
        for n in sizes:
            rows.append({"method": method, "examples": n,
                         **json.loads(run(BUILD / "bench" / "memory_program", method, n, iterations)["output"])})
    table(f"Peak memory; {iterations} iterations of extragradient, the QP to its end",
          ["method", "examples", "MB", "seconds", "objective", "gap"],
          [[r["method"], r["examples"], r["megabytes"], r["seconds"], r["objective"], r["gap"]] for r in rows])
    flat = [r["megabytes"] for r in rows if r["method"] == "extragradient"]
    note(f"extragradient, {EXAMPLES['extragradient'][-1]} examples over {EXAMPLES['extragradient'][0]}: {flat[-1] / flat[0]:.3f}")
    save(rows)


main()
