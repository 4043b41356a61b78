"""Assignment, dense n = 1000 and sparse n = 10 000, beside LEMON and SciPy; projections of 100×100 in assignments."""

import json
import pathlib
import subprocess
import sys

from peers import BUILD, WORK, run, save, table

ROOT = pathlib.Path(__file__).parent.parent
SCIPY = ["/usr/bin/python3", pathlib.Path(__file__).parent / "peers" / "scipy_assignment.py"]


def build():
    """The program and its peer, in the tree of ./dev."""
    for command in (["cmake", "-S", ROOT, "-B", BUILD, "-D", "TRELLIS_BUILD_BENCHMARKS=ON"],
                    ["cmake", "--build", BUILD, "--target", "assignment_bench", "peer_lemon_assignment"]):
        subprocess.run([str(c) for c in command], check=True, stdout=sys.stderr)
    return BUILD / "bench" / "assignment_bench", BUILD / "bench" / "peer_lemon_assignment"


def assignments(ours, lemon):
    rows = []
    for name in ("dense-uniform", "dense-integer", "dense-distance", "sparse-uniform", "sparse-integer", "sparse-distance"):
        file = WORK / f"{name}.bin"
        results = [r for command in ([ours, "run", file], [lemon, file], [*SCIPY, file])
                   for r in json.loads(run(*command)["output"])]
        best = results[0]
        for result in results:
            # Cost scaling sees rounded weights.
            if abs(result["weight"] - best["weight"]) > 1e-6 * max(1, abs(best["weight"])):
                sys.exit(f"{name}: {result['name']} finds {result['weight']}, Trellis {best['weight']}")
            rows.append({"problem": name, **result, "ratio": result["seconds"] / best["seconds"]})
    return rows


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    ours, lemon = build()
    run(ours, "write", WORK)
    rows = assignments(ours, lemon)
    projections = json.loads(run(ours, "project")["output"])
    table("Maximum-weight perfect matching; the same weight found by all",
          ["", "problem", "ms", "× Trellis"],
          [[r["name"], r["problem"], 1e3 * r["seconds"], r["ratio"]] for r in rows])
    table("Projection onto the 100×100 matching polytope (means of 10 problems)",
          ["v", "cover", "assignment µs", "projection µs", "assignments", "steps", "KKT residual"],
          [[p["v"], p["cover"], 1e6 * p["assignment"], 1e6 * p["projection"], p["projection"] / p["assignment"],
            p["steps"], f"{p['residual']:.1e}"] for p in projections])
    save({"assignments": rows, "projections": projections})


if __name__ == "__main__":
    main()
