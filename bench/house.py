"""CMU house: Hamming error by the distance between frames, for both estimators and the distance of shape contexts.

The data are 30 landmarks in each of 111 frames of a rotating house. For a distance d the pairs are (t, t + d): those with t = 0, 3, 6, …
train, t = 1, 4, 7, … choose lambda and the scaling of features, t = 2, 5, 8, … test. 30 nodes are too many for exact sums, so the MAP
estimator learns from draws: `accepted` is the share of attempts at a draw that were accepted at the end.

    ./dev bench house                              distances 0, 30, 60, 90
    ./dev bench house --full                       distances 0, 10, …, 90
    ./dev bench house --distances 30,60,90 --estimators distance,max-margin
"""

import argparse
import json
import sys

from peers import WORK, data, save, sized, table, trellis

REPORT = {
    "title": "The CMU house",
    "chapter": "Pictures and matchings",
    "claims": {"house": ["Learned matchings make fewer mistakes than the distance of shape contexts wherever that makes any. The "
                         "difference grows with the distance between frames.", ""]},
    "minutes": [2, 15],
    "default": "there are four distances of ten",
    "needs": ["data"],
}
LAMBDAS = {"max-margin": "10,1,0.1,0.01,0.001", "map": "1,0.1,0.01,0.001"}
# Steps of sgd have one length in all directions: with one scale for all bins it gets nowhere in the time that it has.
SCALES = {"distance": ["none"], "max-margin": ["common", "each"], "map": ["each"]}
FRAMES = 111


def write_lists(frames, distance):
    lists = {}
    WORK.mkdir(parents=True, exist_ok=True)
    for k, part in enumerate(("train", "dev", "test")):
        path = WORK / f"house-{part}.list"
        path.write_text("".join(f"{frames}#{t} {frames}#{t + distance}\n" for t in range(k, FRAMES - distance, 3)))
        lists[part] = path
    return lists


def measure(lists, estimator, options):
    """The scale of the features is chosen on the dev pairs, too."""
    best = None
    for scale in SCALES[estimator]:
        model = WORK / f"house-{scale}.trellis"
        call = [] if estimator == "distance" else ["--lambda", LAMBDAS[estimator]]
        run = trellis("match", "train", "--pairs", lists["train"], "--dev", lists["dev"], "--estimator", estimator, "--normalize", scale,
                      "--model", model, "--json", "--quiet", *call, *(options if estimator == "map" else []))
        result = json.loads(run["output"])
        if best is None or result["dev"]["hamming"] < best["dev"]:
            best = {"model": str(model), "scale": scale, "dev": result["dev"]["hamming"], "lambda": result.get("lambda"),
                    "seconds": result["seconds"], "wall": run["wall"], "draws": result.get("draws")}
    tested = json.loads(trellis("match", "evaluate", lists["test"], "--model", best["model"], "--json")["output"])
    return {**best, "hamming": tested["hamming"], "exact": tested["exact"], "pairs": tested["graphs"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--distances", default="0,30,60,90")
    parser.add_argument("--estimators", default="distance,max-margin,map")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--eta", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=20, help="of sgd")
    parser.add_argument("--threads", type=int, default=0)
    call = sized(parser, distances="0,10,20,30,40,50,60,70,80,90")
    frames = data("cmu_house", "house.tsv.gz")
    estimators = call.estimators.split(",")
    options = ["--draws", call.draws, "--eta", call.eta, "--epochs", call.epochs, "--threads", call.threads]
    results = {}
    for distance in (int(d) for d in call.distances.split(",")):
        lists = write_lists(frames, distance)
        results[distance] = {estimator: measure(lists, estimator, options) for estimator in estimators}
        print(distance, results[distance], file=sys.stderr, flush=True)
    table("CMU house: Hamming error (percent) by the distance between frames",
          ["distance", "test pairs", *estimators, "accepted"],
          [[d, r[estimators[0]]["pairs"], *(r[e]["hamming"] for e in estimators),
            f"{r['map']['draws']['acceptance']:.3f}" if "map" in r else "-"] for d, r in results.items()])
    save(results)


if __name__ == "__main__":
    main()
