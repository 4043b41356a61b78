"""Sheared silhouettes (Petterson 2011, sec. 5.4.2): Hamming error by the number of training pairs, and the times of table 5.2.

A creature that we drew is sheared into 200 pictures, with the same 20 points on each outline. N pairs of pictures train, N others choose
lambda, 500 test; all are drawn at random, and no picture is in two of the three parts. The table has both estimators, and the unlearned
distance of shape contexts. The MAP estimator sums exactly over all 20! matchings. The thesis sees a slight advantage of MAP with many pairs.

    ./dev bench shape-matching                        N = 1, 5, 10, one creature
    ./dev bench shape-matching --full                 N = 1, 2, 5, 10, 20, three creatures
    ./dev bench shape-matching --sizes 1,5,50 --creatures 3
    ./dev bench shape-matching --draws 20             the MAP estimator from draws instead of sums
"""

import argparse
import json
import pathlib
import random
import sys

from peers import WORK, save, sized, table, trellis

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "data" / "creatures"))
import generate  # noqa: E402  (the generator of the sample data)

REPORT = {
    "title": "Sheared silhouettes",
    "chapter": "Pictures and matchings",
    "claims": {"error": ["Figure 5.4, left: with ten training pairs both estimators make fewer mistakes than the distance of shape "
                         "contexts; max-margin does not with one or five.", ""],
               "times": ["Table 5.2: seconds for each pair, and those of the thesis on a machine of its time.", ""]},
    "minutes": [3, 40],
    "default": "there are 1, 5 and 10 training pairs of one creature, instead of 1, 2, 5, 10 and 20 of three",
}
PICTURES, POINTS, TEST_PAIRS, SIZE = 200, 20, 500, 128
LAMBDAS = "100,10,1,0.1,0.01,0.001"
ESTIMATORS = ("distance", "max-margin", "map")


def draw_pictures(folder, seed, shear):
    """200 sheared versions of one creature, with the same points on all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    outline = generate.creature(rng)
    marks = [outline[t] for t in sorted(rng.sample(range(len(outline)), POINTS))]
    shears = [(rng.uniform(-shear, shear), 0.0) for _ in range(PICTURES)]
    return generate.write_versions(folder, "creature", outline, marks, shears, SIZE), rng


def write_lists(folder, names, rng, largest):
    """Training, validation and test pairs of pictures of their own: a quarter, a quarter, and half of them."""
    order = rng.sample(names, len(names))
    quarter = len(order) // 4
    for part, chosen, count in (("train", order[:quarter], largest), ("dev", order[quarter:2 * quarter], largest),
                                ("test", order[2 * quarter:], TEST_PAIRS)):
        pairs = [tuple(rng.sample(chosen, 2)) for _ in range(count)]
        for size in ([count] if part == "test" else range(1, count + 1)):
            generate.write_pairs(folder / (f"{part}.list" if part == "test" else f"{part}{size}.list"), pairs[:size])


def measure(folder, estimator, size, options):
    model = folder / "model.trellis"
    call = [] if estimator == "distance" else ["--lambda", LAMBDAS, "--dev", folder / f"dev{size}.list"]
    if estimator == "map":
        call += options
    run = trellis("match", "train", "--pairs", folder / f"train{size}.list", "--estimator", estimator, "--model", model, "--json",
                  "--quiet", *call)
    result = json.loads(run["output"])
    tested = json.loads(trellis("match", "evaluate", folder / "test.list", "--model", model, "--json")["output"])
    return {"hamming": tested["hamming"], "exact": tested["exact"], "lambda": result.get("lambda"), "epochs": result["epochs"],
            "seconds": result["seconds"], "wall": run["wall"], "draws": result.get("draws")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="1,5,10", help="numbers of training pairs, with commas between")
    parser.add_argument("--creatures", type=int, default=1, help="silhouettes, each an experiment of its own")
    parser.add_argument("--shear", type=float, default=0.6)
    parser.add_argument("--draws", type=int, default=0)
    parser.add_argument("--threads", type=int, default=0)
    call = sized(parser, sizes="1,2,5,10,20", creatures=3)
    sizes = [int(size) for size in call.sizes.split(",")]
    options = ["--threads", call.threads] + (["--draws", call.draws] if call.draws else [])
    results = {estimator: {size: [] for size in sizes} for estimator in ESTIMATORS}
    for seed in range(1, call.creatures + 1):
        folder = WORK / f"shape-matching-{seed}"
        names, rng = draw_pictures(folder, seed, call.shear)
        write_lists(folder, names, rng, max(sizes))
        for size in sizes:
            for estimator in ESTIMATORS:
                results[estimator][size].append(measure(folder, estimator, size, options))
                print(seed, size, estimator, results[estimator][size][-1], file=sys.stderr, flush=True)

    def mean(runs, key):
        return sum(run[key] for run in runs) / len(runs)

    table(f"Hamming error (percent) on {TEST_PAIRS} pairs, mean over {call.creatures} creatures; fig. 5.4, left",
          ["training pairs", *ESTIMATORS], [[size, *(mean(results[e][size], "hamming") for e in ESTIMATORS)] for size in sizes], claim="error")
    # One run of the learner, at the lambda that was chosen.
    table("training time per observation (seconds); table 5.2 has 36.03 (sampling) and 0.93 at M = 20, on a Core2 of 2.4 GHz",
          ["training pairs", "map", "max-margin"],
          [[size, *(f"{mean(results[e][size], 'seconds') / size:.4f}" for e in ("map", "max-margin"))] for size in sizes], claim="times")
    save({"sizes": sizes, "shear": call.shear, "draws": call.draws, "results": results})


if __name__ == "__main__":
    main()
