"""Martins et al. 2010, fig. 3 and table 1: named entities (CoNLL-2003), the loss family, and DCA beside SGD and L-BFGS.

    ./dev bench paper-ner [--epochs K] [--costs C ...]"""

import argparse
import json

from peers import WORK, data, save, table, trellis
from peers.curves import draw
from peers.gazetteers import write as write_gazetteers

TRAIN, DEV, TEST = (data("conll2003_en", f"{part}.txt.gz") for part in ("train", "dev", "test"))
# (β, γ) of table 1 with its test F1; the paper left the cells of β = 3 and 5 empty.
PAPER = [("1", 0, 85.48), ("1", 1, 85.54), ("1", 3, 85.65), ("1", 5, 85.72), ("3", 1, None), ("5", 1, None), ("inf", 1, 85.41)]


def features(gazetteers):
    if not gazetteers:
        return ["--template", "ner", "--scheme", "bioes"]
    return ["--template", "ner-gazetteer", "--scheme", "bioes"] + [x for path in gazetteers for x in ("--gazetteer", path)]


def train(options, name):
    model, history = WORK / f"ner-{name}.trellis", WORK / f"ner-{name}.jsonl"
    call = trellis("tag", "train", TRAIN, "--dev", DEV, "--model", model, "--history", history, "--json", "--quiet", *options)
    result = json.loads(call["output"])
    test = json.loads(trellis("tag", "evaluate", TEST, "--model", model, "--json")["output"])["f1"]
    epochs = [json.loads(line) for line in history.read_text().splitlines()]
    return {"dev": result["dev"]["f1"], "test": test, "epochs": result["epochs"], "seconds": result["seconds"],
            "curve": [(e["epoch"], e["dev"]) for e in epochs], "eta": result.get("eta")}


def loss_table(kind, lists, epochs, costs):
    """The best C of each loss by the dev set, as in the paper."""
    rows = []
    for beta, gamma, published in PAPER:
        tried = {}
        for c in costs:
            options = [*features(lists), "--learner", "dca", "--beta", beta, "--gamma", gamma, "--c", c,
                       "--epochs", epochs, "--patience", epochs]
            tried[c] = train(options, "dca")
        best = max(tried, key=lambda c: tried[c]["dev"])
        rows.append({"features": kind, "beta": beta, "gamma": gamma, "c": best, "paper": published, **tried[best]})
    table(f"Table 1, {kind}: test F1 of DCA after at most {epochs} epochs, C and epoch chosen on the dev set",
          ["beta", "gamma", "C", "dev F1", "test F1", "paper"],
          [[r["beta"], r["gamma"], r["c"], r["dev"], r["test"], r["paper"] or "-"] for r in rows])
    ends = max(r["test"] for r in rows if (r["beta"], r["gamma"]) in (("1", 0), ("inf", 1)))
    between = max((r for r in rows if (r["beta"], r["gamma"]) not in (("1", 0), ("inf", 1))), key=lambda r: r["test"])
    print(f"  best between CRF and SVM: beta={between['beta']} gamma={between['gamma']}: {between['test']:.2f};"
          f" best of the two ends: {ends:.2f}")
    return rows


def reaches(curve, figure):
    """The first epoch whose dev F1 is at least `figure`."""
    return next((epoch for epoch, f1 in curve if f1 >= figure), "never")


def figure_3(lists, epochs, c):
    online = [*features(lists), "--c", c, "--epochs", epochs, "--patience", epochs]
    runs = {
        "DCA": train([*online, "--learner", "dca"], "dca"),
        "DCA, not averaged": train([*online, "--learner", "dca", "--no-average"], "dca-last"),
        "SGD": train([*online, "--learner", "sgd"], "sgd"),
        "L-BFGS": train([*features(lists), "--learner", "lbfgs", "--c", c, "--warm-up", "0", "--patience", "1000"], "lbfgs"),
    }
    picture = WORK / "paper-ner.svg"
    draw(picture, f"CoNLL-2003, CRF, C = {c}: F1 on the dev set", "passes over the training set", "F1",
         {name: [p for p in run["curve"] if p[0] <= epochs] for name, run in runs.items()}, (80, 91))
    plateau = runs["SGD"]["dev"] - 0.2
    table(f"Figure 3, C = {c}: dev curves in {picture}",
          ["", "best dev F1", "test F1", "passes", f"passes to dev F1 {plateau:.2f}"],
          [[name, run["dev"], run["test"], run["epochs"], reaches(run["curve"], plateau)] for name, run in runs.items()])
    print("  SGD spends six more passes on choosing its learning rate"
          f" ({runs['SGD']['eta']}); the paper's L-BFGS ends at dev 90.53, test 85.31 after 121 iterations")
    return runs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=30, help="the paper has 50")
    parser.add_argument("--costs", type=float, nargs="+", default=[0.1, 1, 10], help="values of C to choose from")
    parser.add_argument("--only-curves", action="store_true", help="figure 3 alone")
    arguments = parser.parse_args()
    epochs, costs = arguments.epochs, arguments.costs
    WORK.mkdir(parents=True, exist_ok=True)
    result = {}
    if not arguments.only_curves:
        lists = write_gazetteers(WORK / "gazetteers")
        result["without"] = loss_table("no gazetteers", [], epochs, costs)
        result["with"] = loss_table("with gazetteers", lists, epochs, costs)
    result["figure3"] = figure_3([], epochs, 1)
    save(result)


if __name__ == "__main__":
    main()
