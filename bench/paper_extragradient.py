"""Lacoste-Julien 2009, figs. 2.7 and 2.8: hinge loss and error against the norm, for dual-ex, proj-grad, ave-perc and reg-path.

It draws the path of each method: the hinge, and the errors on the validation and test part, against the norm of the weights. A table has the
model that the validation part chooses. The data of the paper are word alignments and 3-D scans; here they are landmarks of the CMU house, in
frames 80 apart, and horses. The gap function of extragradient in a ball of radius 10 falls as a power of the iteration, with the steps of
the paper and with those that the proof of learn/saddle_point/extragradient.h governs.

    ./dev bench paper-extragradient [--iterations K] [--horse-iterations K] [--scale S] [--part house|horses]
"""

import argparse
import json
import math

from peers import BUILD, WORK, data, run, save, sized, table
from peers.curves import draw

REPORT = {
    "title": "Paths of saddle-point methods",
    "chapter": "Saddle points",
    "claims": {"rate": ["The gap of extragradient falls a little slower than 1/t with the paper's steps, and faster with governed ones.", "--part house"],
               "house": ["Landmarks: the paper's order is not reproduced. The averaged perceptron and the regularisation path have the lowest test "
                         "errors; dual extragradient and projected gradient, whose hinge is still far above the path's, have the highest.", "--part house"],
               "horses": ["Horses: the paper's order is not reproduced either. The regularisation path and the averaged perceptron have the lowest test"
                          " errors, projected gradient the highest.", "--part horses"]},
    "minutes": [6, 120],
    "default": "there are 200 iterations on the CMU house and 100 on horses an eighth as large, instead of 500 on both and a quarter",
    "needs": ["data"],
}

METHODS = ["dual-ex", "proj-grad", "ave-perc", "reg-path"]
# Test error of the model that the validation set chooses, in the paper: its scans and its word alignments.
PAPER = {"horses": {"dual-ex": 3.4, "ave-perc": 3.5, "reg-path": 3.6, "proj-grad": 3.8},
         "house": {"dual-ex": 5.6, "reg-path": 5.6, "proj-grad": 5.8, "ave-perc": 6.1}}


def paths(part, *arguments):
    output = run(BUILD / "bench" / "paper_extragradient_program", part, *arguments)["output"]
    return [json.loads(line) for line in output.splitlines()]


def rate(title, points):
    """The gap against the iteration, both as logarithms, and the slope over the last decade."""
    lines = {}
    for p in points:
        if p["method"].startswith("rate") and p["gap"] > 0:
            lines.setdefault(p["method"], []).append((math.log10(p["iteration"]), math.log10(p["gap"])))
    if not lines:
        return {}
    draw(WORK / "paper-extragradient-rate.svg", f"{title}: gap function", "log10 of the iteration", "log10 of the gap", lines)
    slopes = {}
    for name, line in lines.items():
        last = [p for p in line if p[0] >= line[-1][0] - 1]
        x, y = (sum(c) / len(last) for c in zip(*last))
        slopes[name] = sum((a - x) * (b - y) for a, b in last) / sum((a - x) ** 2 for a, _ in last)
    table("The gap falls as t^slope over the last decade of iterations", ["", "slope"], [[n, s] for n, s in slopes.items()], claim="rate")
    return slopes


def show(part, title, points):
    slopes = rate(title, points)
    by = {m: sorted((p for p in points if p["method"] == m), key=lambda p: p["iteration"] or p["norm"]) for m in METHODS}
    norm = {m: [(math.log10(max(p["norm"], 1e-3)), p) for p in by[m]] for m in METHODS}
    for what, label in (("hinge", "training hinge loss"), ("valid", "validation error"), ("test", "test error")):
        draw(WORK / f"paper-extragradient-{part}-{what}.svg", f"{title}: {label}", "log10 of the norm of w", label,
             {m: [(x, p[what]) for x, p in norm[m]] for m in METHODS if norm[m]})
    draw(WORK / f"paper-extragradient-{part}-norm.svg", f"{title}: norm of w", "log10 of the iteration", "log10 of the norm",
         {m: [(math.log10(p["iteration"]), math.log10(max(p["norm"], 1e-3))) for p in by[m]] for m in METHODS[:3]})
    chosen = {m: min(by[m], key=lambda p: p["valid"]) for m in METHODS if by[m]}
    table(f"{title}: the model that the validation set chooses (pictures: build/bench/paper-extragradient-{part}-*.svg)",
          ["method", "iteration", "norm", "hinge", "valid %", "test %", "paper, its own data"],
          [[m, p["iteration"] or "-", p["norm"], p["hinge"], 100 * p["valid"], 100 * p["test"], PAPER[part][m]]
           for m, p in chosen.items()], claim=part)
    return {"points": points, "chosen": chosen, "slopes": slopes}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--horse-iterations", type=int, default=100)
    parser.add_argument("--scale", type=float, default=0.125, help="of the horses, in each direction")
    parser.add_argument("--part", choices=["house", "horses"])
    arguments = sized(parser, iterations=500, horse_iterations=500, scale=0.25)
    result = {}
    if arguments.part in (None, "house"):
        result["house"] = show("house", "Landmarks of the CMU house, frames 80 apart",
                               paths("house", data("cmu_house", "house.tsv.gz"), 80, arguments.iterations))
    if arguments.part in (None, "horses"):
        result["horses"] = show("horses", "Horses", paths("horses", data("horses"), arguments.scale, arguments.horse_iterations))
    save(result)


main()
