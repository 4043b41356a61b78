"""Martins et al. 2010, fig. 3 and table 1: named entities (CoNLL-2003), the loss family; DCA compared with SGD and L-BFGS.

Scheme, template and lists are chosen first, on the dev part: schemes for the template `ner`; then the built-in templates, and `ner` without
each of its kinds of features; for the table with gazetteers all lists of Debian's miscfiles and iso-codes, and all without each (the paper
has its own). C and the epoch are chosen on the dev part for each loss, and so is the loss. There is one seed, so a tenth of a point means
nothing.

Figure 3: F1 on the dev part after each pass, CRF, C = 1, no gazetteers. SGD spends six more passes on choosing its learning rate. The paper's
L-BFGS ends at dev 90.53, test 85.31 after 121 iterations.

    ./dev bench paper-ner [--only settings without with curves] [--epochs K] [--costs C ...] [--losses some|all]
"""

import argparse
import json
import pathlib
import re

from peers import WORK, data, note, save, sized, table, trellis
from peers.curves import draw
from peers.gazetteers import write as write_gazetteers

REPORT = {
    "title": "Named entities by the loss family",
    "chapter": "Sequences",
    "claims": {"settings": ["Scheme, template and lists by the F1 of the dev part, one run of each.", "--only settings"],
               "without": ["Table 1, without gazetteers, one run of each loss. On the test part the SVM has the highest F1; in the paper "
                           "a loss between the CRF and the SVM has it. Every value is below the paper's.", "--only without"],
               "with": ["Table 1, with gazetteers that are not the paper's, one run of each loss. On the test part the SVM has the "
                        "highest F1, and only the SVM is above the paper's value.", "--only with"],
               "curves": ["Figure 3: passes over the data to one dev F1, one run of each. DCA with averaging needs more than SGD (not "
                          "counting the six passes in which SGD chooses its learning rate), without averaging fewer; L-BFGS needs most.", "--only curves"]},
    "minutes": [10, 90],
    "default": "there are three of the seven losses, C = 1 and 10 epochs, instead of three C and 50",
    "needs": ["data", "debian"],
}

TRAIN, DEV, TEST = (data("conll2003_en", f"{part}.txt.gz") for part in ("train", "dev", "test"))
# (β, γ) of table 1 with its test F1; the paper left the cells of β = 3 and 5 empty.
PAPER = [("1", 0, 85.48), ("1", 1, 85.54), ("1", 3, 85.65), ("1", 5, 85.72), ("3", 1, None), ("5", 1, None), ("inf", 1, 85.41)]


ENDS = (("1", 0), ("inf", 1))  # CRF and SVM
SOME = (*ENDS, ("1", 5))


# Kinds of features in the template `ner`, by what their lines mention.
KINDS = {"words": r"\b(word|low)\[", "tags": r"\bpos\[", "chunks": r"\bchunk\[", "affixes": r"\b(prefix|suffix)\(", "shapes": r"\b(form|short)\[",
         "signs": r"\b(contains|has)\("}
TRIAL = ["--learner", "dca", "--c", 1, "--epochs", 4, "--patience", 4]


def with_template(name, text, scheme, lists=()):
    """The options of a template with this text, and with lists of phrases as `ner-gazetteer` has them."""
    path = WORK / f"template-{name}.txt"
    path.write_text("".join(["word = column 0\n" if lists and "word =" not in text else "", text,
                             *(f'node in(word, "{file}", ignore_case)[-1..1]\n' for file in lists)]))
    return ["--template", path, "--scheme", scheme]


def best_by_dev(title, ways):
    """ways: {name: options}. Trained a little with each; the name of the best."""
    tried = {name: train([*options, *TRIAL], "trial")["dev"] for name, options in ways.items()}
    best = max(tried, key=tried.get)
    table(f"{title}, by dev F1: CRF, C = 1, {TRIAL[-1]} epochs; the best is {best}", ["", "dev F1"], list(tried.items()), claim="settings")
    return best


def chosen(lists):
    """Options without lists and with them."""
    texts = {name: trellis("tag", "template", name)["output"] for name in ("ner", "chunk", "pos")}
    lines = texts["ner"].splitlines(keepends=True)
    for kind, mentions in KINDS.items():
        texts[f"ner without {kind}"] = "".join(line for line in lines if not (line.startswith("node") and re.search(mentions, line)))
    scheme = best_by_dev("Schemes", {scheme: with_template(scheme, texts["ner"], scheme) for scheme in ("iob2", "bioes", "plain")})
    text = texts[best_by_dev("Templates", {name: with_template(name.replace(" ", "-"), text, scheme) for name, text in texts.items()})]
    some = {"all": lists, **{f"without {pathlib.Path(file).stem}": [one for one in lists if one != file] for file in lists}}
    best = best_by_dev("Lists", {name: with_template(f"lists-{name.replace(' ', '-')}", text, scheme, files) for name, files in some.items()})
    return {"without": with_template("chosen", text, scheme), "with": with_template("chosen-lists", text, scheme, some[best])}


def train(options, name):
    model, history = WORK / f"ner-{name}.trellis", WORK / f"ner-{name}.jsonl"
    call = trellis("tag", "train", TRAIN, "--dev", DEV, "--model", model, "--history", history, "--json", "--quiet", *options)
    result = json.loads(call["output"])
    epochs = [json.loads(line) for line in history.read_text().splitlines()]
    return {"dev": result["dev"]["f1"], "model": str(model), "epochs": result["epochs"], "seconds": result["seconds"],
            "curve": [(e["epoch"], e["dev"]) for e in epochs], "eta": result.get("eta")}


def tested(run):
    return {**run, "test": json.loads(trellis("tag", "evaluate", TEST, "--model", run["model"], "--json")["output"])["f1"]}


def loss_table(claim, features, epochs, costs, losses):
    """The best C of each loss by the dev set, as in the paper."""
    rows, kind = [], f"{claim} gazetteers"
    for beta, gamma, published in [one for one in PAPER if one[:2] in losses]:
        tried = {}
        for c in costs:
            options = [*features, "--learner", "dca", "--beta", beta, "--gamma", gamma, "--c", c,
                       "--epochs", epochs, "--patience", epochs]
            tried[c] = train(options, f"dca-{c:g}")
        best = max(tried, key=lambda c: tried[c]["dev"])
        rows.append({"features": kind, "beta": beta, "gamma": gamma, "c": best, "paper": published, **tested(tried[best])})
    table(f"Table 1, {kind}: test F1 of DCA after at most {epochs} epochs, C and epoch chosen on the dev set",
          ["beta", "gamma", "C", "dev F1", "test F1", "paper"],
          [[r["beta"], r["gamma"], r["c"], r["dev"], r["test"], r["paper"] or "-"] for r in rows], claim=claim)
    ends, between = ([r for r in rows if ((r["beta"], r["gamma"]) in ENDS) == end] for end in (True, False))
    if ends and between:
        one, other = (max(some, key=lambda r: r["dev"]) for some in (between, ends))
        note(f"by the dev part, of what lies between CRF and SVM: beta={one['beta']} gamma={one['gamma']}, test {one['test']:.2f};"
             f" of the two: beta={other['beta']} gamma={other['gamma']}, test {other['test']:.2f}")
    return rows


def reaches(curve, figure):
    """The first epoch whose dev F1 is at least `figure`."""
    return next((epoch for epoch, f1 in curve if f1 >= figure), "never")


def figure_3(features, epochs, c):
    online = [*features, "--c", c, "--epochs", epochs, "--patience", epochs]
    runs = {
        "DCA": train([*online, "--learner", "dca"], "dca"),
        "DCA, not averaged": train([*online, "--learner", "dca", "--no-average"], "dca-last"),
        "SGD": train([*online, "--learner", "sgd"], "sgd"),
        "L-BFGS": train([*features, "--learner", "lbfgs", "--c", c, "--warm-up", "0", "--patience", "1000"], "lbfgs"),
    }
    runs = {name: tested(run) for name, run in runs.items()}
    picture = WORK / "paper-ner.svg"
    draw(picture, f"CoNLL-2003, CRF, C = {c}: F1 on the dev set", "passes over the training set", "F1",
         {name: [p for p in run["curve"] if p[0] <= epochs] for name, run in runs.items()}, (80, 91))
    plateau = runs["SGD"]["dev"] - 0.2
    print(f"  dev curves in {picture}")
    table(f"Figure 3, C = {c}, {epochs} epochs of the online learners",
          ["", "best dev F1", "test F1", "passes", f"passes to dev F1 {plateau:.2f}"],
          [[name, run["dev"], run["test"], run["epochs"], reaches(run["curve"], plateau)] for name, run in runs.items()], claim="curves")
    note(f"the learning rate that SGD chose: {runs['SGD']['eta']}")
    return runs


def main():
    parts = ("settings", "without", "with", "curves")
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    parser.add_argument("--epochs", type=int, default=10, help="the paper has 50")
    parser.add_argument("--costs", type=float, nargs="+", default=[1], help="values of C to choose from")
    parser.add_argument("--losses", choices=["some", "all"], default="some", help="of table 1")
    call = sized(parser, epochs=50, costs=[0.1, 1, 10], losses="all")
    losses = SOME if call.losses == "some" else [one[:2] for one in PAPER]
    WORK.mkdir(parents=True, exist_ok=True)
    features = chosen(write_gazetteers(WORK / "gazetteers"))
    result = {"settings": {kind: [str(option) for option in options] for kind, options in features.items()}}
    for kind in [kind for kind in ("without", "with") if kind in call.only]:
        result[kind] = loss_table(kind, features[kind], call.epochs, call.costs, losses)
    if "curves" in call.only:
        result["figure3"] = figure_3(features["without"], call.epochs, 1)
    save(result)


if __name__ == "__main__":
    main()
