"""Figure-ground segmentation of the horses: extragradient, BCFW, perceptron and the unary model, 100/50/178 pictures.

Pictures are sorted by name: 100 to train on, 50 to choose on, the rest to test on. For each learner the epoch (and C) with the fewest wrong
pixels on the 50 is tested once, in full size. Then the synthetic 3-D scans are trained to a certified gap of 1e-3.

    ./dev bench horses                        trained on pictures an eighth and a quarter as large, and the scans
    ./dev bench horses --full                 also in full size; C of 3, 30 and 300, beyond a quarter that of the size before
    ./dev bench horses --scales 0.25 --c 30   pictures a quarter as large while training
    ./dev bench horses --only scans
"""

import argparse
import json
import pathlib
import re

from peers import WORK, data, save, sized, table, trellis
from scan_generator import generate

REPORT = {
    "title": "Figure and ground",
    "chapter": "Pictures and matchings",
    "claims": {"horses": ["In both sizes networks learned by margins have fewer wrong pixels than the averaged perceptron, and all of "
                          "them fewer than the unary model. It is one split of the pictures, without noise.",
                          "--only extragradient,bcfw,perceptron,unary"],
               "scans": ["Training on 3-D scans of tens of thousands of nodes is certified to a gap of 1e-3 in seconds.", "--only scans"]},
    "minutes": [4, 360],
    "default": "pictures are an eighth and a quarter as large in each direction while training, C = 30, and learners stop after 100 epochs",
    "needs": ["data"],
}
LARGE = 0.25
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
    return {"c": c, "model": model.rename(WORK / f"horses-{c:g}.trellis"), "dev": result["dev"]["pixel_error"],
            "epoch": result["best_epoch"], "seconds": result["seconds"], "cpu": run["cpu"], "memory": run["memory"]}


def test(lists, model):
    found = json.loads(trellis("segment", "evaluate", lists["test"], "--model", model, "--json")["output"])
    return {key: found[key] for key in ("pixel_error", "iou", "mean_iou")}


def horses(scale, cs, learners, epochs):
    """cs: by learner, to choose from."""
    lists = split()
    results = {}
    for name in learners:
        # The perceptron has no C.
        runs = [train(lists, LEARNERS[name], scale, c, epochs) for c in (cs[name][:1] if "perceptron" in name else cs[name])]
        best = min(runs, key=lambda run: run["dev"])
        results[name] = {**best, **test(lists, best["model"]), "tried": [[run["c"], run["dev"]] for run in runs]}
    table(f"horses, trained at scale {scale:g}, tested in full size (percent); C and the epoch by the dev pictures",
          ["learner", "C", "epoch", "dev error", "test error", "IoU", "mean IoU", "train s"],
          [[name, "-" if "perceptron" in name else f"{r['c']:g}", r["epoch"], r["dev"], r["pixel_error"], r["iou"], r["mean_iou"],
            r["seconds"]] for name, r in results.items()], claim="horses")
    return results


def scans():
    train_file, test_file = WORK / "scans-train.txt", WORK / "scans-test.txt"
    nodes, edges = generate(train_file, 5, 1)
    generate(test_file, 2, 2)
    rows, results = [], {"nodes": nodes, "edges": edges}
    for name, options in (("bmrm", ["--learner", "bmrm"]), ("bcfw", ["--learner", "bcfw", "--no-average", "--epochs", 1000]),
                          ("bmrm, unary", ["--learner", "bmrm", "--unary"])):
        model = WORK / "scans.trellis"
        run = trellis("segment", "train", "--graph", train_file, "--model", model, "--c", 30, "--gap", 1e-3, "--json", "--quiet", *options)
        result = json.loads(run["output"])
        tested = json.loads(trellis("segment", "evaluate", "--graph", test_file, "--model", model, "--json")["output"])
        rows.append([name, result["epochs"], f"{result['objective']:.6f}", f"{result['gap']:.2e}",
                     result["seconds"], tested["pixel_error"], tested["iou"]])
        results[name] = {**result, "test": {k: tested[k] for k in ("pixel_error", "iou")}}
    table(f"3-D scans: {nodes} nodes, {edges} edges, to a relative gap of 1e-3",
          ["learner", "epochs", "objective", "relative gap", "train s", "test error", "IoU"], rows, claim="scans")
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scales", type=float, nargs="+", default=[0.125, 0.25], help="of the pictures, while training")
    parser.add_argument("--c", default="30", help="the C to choose from, with commas between")
    parser.add_argument("--epochs", type=int, default=100, help="of each learner; 0: as many as it takes by itself")
    parser.add_argument("--large-epochs", type=int, default=100, help="beyond a scale of a quarter")
    parser.add_argument("--only", default="", help="scans, or learners with commas between (their first words)")
    call = sized(parser, scales=[0.125, 0.25, 1.0], c="3,30,300", epochs=0)
    wanted = [word for word in re.split(",", call.only) if word]
    result = {}
    learners = [name for name in LEARNERS if not wanted or name.split()[0] in wanted]
    if learners:
        result["horses"], cs = {}, dict.fromkeys(learners, [float(c) for c in call.c.split(",")])
        for scale in sorted(call.scales):
            found = horses(scale, cs, learners, call.large_epochs if scale > LARGE else call.epochs)
            result["horses"][f"{scale:g}"] = found
            if scale >= LARGE:  # where every C takes hours, the dev pictures of the size before have chosen
                cs = {name: [found[name]["c"]] for name in learners}
    if not wanted or "scans" in wanted:
        result["scans"] = scans()
    save(result)


if __name__ == "__main__":
    main()
