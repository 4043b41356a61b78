"""Figure-ground segmentation of the horses: extragradient, BCFW, perceptron and the unary model, 100/50/178 pictures.

The pictures, sorted by name: 100 to train on, 50 to choose by, the rest to test. Of each learner the epoch (and C) with the
fewest wrong pixels on the 50 is tested once, in full size. Then the synthetic 3-D scans, to a certified gap of 1e-3.

    ./dev bench horses                   all of it
    ./dev bench horses --scale 0.25      pictures a quarter as large while training (and the masks from there)
    ./dev bench horses --only scans
"""

import argparse
import json
import pathlib
import re

from peers import WORK, data, save, table, trellis
from scan_generator import generate

LEARNERS = {
    "extragradient": ("--learner", "extragradient"),
    "bcfw": ("--learner", "bcfw", "--patience", 20),
    "perceptron (averaged)": ("--learner", "perceptron"),
    "unary model alone": ("--learner", "bcfw", "--patience", 20, "--unary"),
}


def split():
    folder = pathlib.Path(data("horses"))
    names = sorted(path.stem for path in folder.glob("*.png") if not path.stem.endswith(".mask"))
    WORK.mkdir(parents=True, exist_ok=True)
    lists = {}
    for part, chosen in (("train", names[:100]), ("dev", names[100:150]), ("test", names[150:])):
        path = WORK / f"horses-{part}.list"
        path.write_text("".join(f"{folder / name}.png {folder / name}.mask.png\n" for name in chosen))
        lists[part] = path
    return lists


def train(lists, options, scale, c, epochs):
    model = WORK / "horses.trellis"
    # As far as the other learners go by themselves; the default of bcfw is for the choice of C.
    limit = ["--epochs", epochs] if epochs else ["--epochs", 200] if "bcfw" in options else []
    penalty = [] if "perceptron" in options else ["--c", c]
    run = trellis("segment", "train", lists["train"], "--dev", lists["dev"], "--model", model, "--scale", scale,
                  "--json", "--quiet", *penalty, *options, *limit)
    result = json.loads(run["output"])
    tested = json.loads(trellis("segment", "evaluate", lists["test"], "--model", model, "--json")["output"])
    return {"c": c, "dev": result["dev"]["pixel_error"], "epoch": result["best_epoch"], "seconds": result["seconds"],
            "cpu": run["cpu"], "memory": run["memory"], "pixel_error": tested["pixel_error"], "iou": tested["iou"],
            "mean_iou": tested["mean_iou"]}


def horses(scale, cs, learners, epochs):
    lists = split()
    results = {}
    for name in learners:
        # The perceptron has no C.
        runs = [train(lists, LEARNERS[name], scale, c, epochs) for c in (cs[:1] if "perceptron" in name else cs)]
        results[name] = min(runs, key=lambda run: run["dev"])
        results[name]["tried"] = [[run["c"], run["dev"], run["pixel_error"]] for run in runs]
    table(f"horses, trained at scale {scale}, tested in full size (percent)",
          ["learner", "C", "epoch", "dev error", "test error", "IoU", "mean IoU", "train s"],
          [[name, "-" if "perceptron" in name else f"{r['c']:g}", r["epoch"], r["dev"], r["pixel_error"], r["iou"], r["mean_iou"],
            r["seconds"]] for name, r in results.items()])
    return results


def scans():
    train_file, test_file = WORK / "scans-train.txt", WORK / "scans-test.txt"
    nodes, edges = generate(train_file, 5, 1)
    generate(test_file, 2, 2)
    rows, results = [], {"nodes": nodes, "edges": edges}
    for name, options in (("bmrm", ["--learner", "bmrm"]), ("bcfw", ["--learner", "bcfw", "--no-average", "--epochs", 1000]),
                          ("bmrm, unary", ["--learner", "bmrm", "--unary"])):
        model = WORK / "scans.trellis"
        run = trellis("segment", "train", "--graph", train_file, "--model", model, "--gap", 1e-3, "--json", "--quiet", *options)
        result = json.loads(run["output"])
        tested = json.loads(trellis("segment", "evaluate", "--graph", test_file, "--model", model, "--json")["output"])
        rows.append([name, result["epochs"], f"{result['objective']:.6f}", f"{result['gap']:.2e}",
                     result["seconds"], tested["pixel_error"], tested["iou"]])
        results[name] = {**result, "test": {k: tested[k] for k in ("pixel_error", "iou")}}
    table(f"3-D scans: {nodes} nodes, {edges} edges, to a relative gap of 1e-3",
          ["learner", "epochs", "objective", "relative gap", "train s", "test error", "IoU"], rows)
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=0.5)
    parser.add_argument("--c", default="100", help="the C to choose from, with commas between")
    parser.add_argument("--epochs", type=int, default=0)
    parser.add_argument("--only", default="", help="scans, or learners with commas between (their first words)")
    call = parser.parse_args()
    wanted = [word for word in re.split(",", call.only) if word]
    result = {}
    learners = [name for name in LEARNERS if not wanted or name.split()[0] in wanted]
    if learners:
        result["horses"] = horses(call.scale, [float(c) for c in call.c.split(",")], learners, call.epochs)
    if not wanted or "scans" in wanted:
        result["scans"] = scans()
    save(result)


if __name__ == "__main__":
    main()
