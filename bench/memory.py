"""Peak memory of extragradient and of the QP on generated 25 x 25 matchings, against the number of examples.

    ./dev bench memory [--iterations K]"""

import argparse
import json

from peers import BUILD, run, save, table

EXAMPLES = {"extragradient": [500, 5000, 50000], "stored": [500, 5000], "qp": [1, 2, 5, 10]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=5)
    iterations = parser.parse_args().iterations
    rows = []
    for method, sizes in EXAMPLES.items():
        for n in sizes:
            rows.append({"method": method, "examples": n,
                         **json.loads(run(BUILD / "bench" / "memory_program", method, n, iterations)["output"])})
    table(f"Peak memory; {iterations} iterations of extragradient, the QP to its end",
          ["method", "examples", "MB", "seconds", "objective", "gap"],
          [[r["method"], r["examples"], r["megabytes"], r["seconds"], r["objective"], r["gap"]] for r in rows])
    flat = [r["megabytes"] for r in rows if r["method"] == "extragradient"]
    print(f"  extragradient, {EXAMPLES['extragradient'][-1]} examples over {EXAMPLES['extragradient'][0]}: {flat[-1] / flat[0]:.3f}")
    save(rows)


main()
