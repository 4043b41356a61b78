"""Assignment, dense n = 1000 and sparse n = 10 000, compared with LEMON and SciPy; projections of 100×100.

Weights are uniform, integer, or distances of points in the plane; sparse problems have 16 edges in each row. All solvers must find the same
weight before a time counts. The time of a projection is given in assignments of the same input. Near a permutation matrix an assignment is
trivial, so a projection takes the time of many.

    ./dev bench assignment
"""

import argparse
import json
import pathlib
import sys

from peers import BUILD, WORK, run, save, sized, table

REPORT = {
    "title": "Assignment compared with LEMON and SciPy",
    "chapter": "Pictures and matchings",
    "claims": {"assignment": ["Assignments, dense and sparse, are found faster than by each of LEMON's solvers and SciPy's.", ""],
               "projection": ["A projection onto the matching polytope takes less time than 40 assignments.", ""]},
    "minutes": [2, 3],
    "needs": ["debian"],
    "builds": ["assignment_bench", "peer_lemon_assignment"],
}
OURS, LEMON = (BUILD / "bench" / name for name in REPORT["builds"])
SCIPY = ["/usr/bin/python3", pathlib.Path(__file__).parent / "peers" / "scipy_assignment.py"]


def assignments():
    rows = []
    for name in ("dense-uniform", "dense-integer", "dense-distance", "sparse-uniform", "sparse-integer", "sparse-distance"):
        file = WORK / f"{name}.bin"
        results = [r for command in ([OURS, "run", file], [LEMON, file], [*SCIPY, file])
                   for r in json.loads(run(*command)["output"])]
        best = results[0]
        for result in results:
            # Cost scaling sees rounded weights.
            if abs(result["weight"] - best["weight"]) > 1e-6 * max(1, abs(best["weight"])):
                sys.exit(f"{name}: {result['name']} finds {result['weight']}, Trellis {best['weight']}")
            rows.append({"problem": name, **result, "ratio": result["seconds"] / best["seconds"]})
    return rows


def main():
    sized(argparse.ArgumentParser(description=__doc__.splitlines()[0]))
    WORK.mkdir(parents=True, exist_ok=True)
    run(OURS, "write", WORK)
    rows = assignments()
    projections = json.loads(run(OURS, "project")["output"])
    table("Maximum-weight perfect matching; the same weight found by all",
          ["", "problem", "ms", "× Trellis"],
          [[r["name"], r["problem"], 1e3 * r["seconds"], r["ratio"]] for r in rows], claim="assignment")
    table("Projection onto the 100×100 matching polytope (means of 10 problems)",
          ["v", "cover", "assignment µs", "projection µs", "assignments", "steps", "KKT residual"],
          [[p["v"], p["cover"], 1e6 * p["assignment"], 1e6 * p["projection"], p["projection"] / p["assignment"],
            p["steps"], f"{p['residual']:.1e}"] for p in projections], claim="projection")
    save({"assignments": rows, "projections": projections})


if __name__ == "__main__":
    main()
