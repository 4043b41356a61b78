"""Martins et al. 2010, fig. 4 and table 1: dependency parsing of four treebanks, the loss family; DCA compared with SGD; zero steps.

    ./dev bench paper-parsing [--only accuracy losses curves cuts] [--languages en_ewt ...] [--epochs K]

Gold tags, the treebanks' splits, sentences over 80 words left out of training; scores without punctuation. Everything is chosen on dev parts;
a test part is read once, by the run that prints it.

accuracy: defaults, first and second order, with the number of heads that the filter leaves to a word and how often the true one is among
them.
losses: LAS by the loss family, first order, where sums are exact; C and the epoch by the dev part. C is 0.1 or 1; --full has the paper's grid.
curves: dev LAS after each pass, CRF. SGD chooses its learning rate on held-out data before it begins, DCA has none.
cuts: how often an estimate of log Z makes a loss negative, so that DCA's step is 0, by beliefs and by reweighted bounds, and how many of
these sums did not converge.
"""

import argparse
import json
import sys

from peers import WORK, data, save, sized, table, trellis
from peers.curves import draw

REPORT = {
    "title": "Dependency trees by the loss family",
    "chapter": "Trees",
    "claims": {"accuracy": ["Second-order trees are better than first-order ones, with defaults.", "--only accuracy"],
               "losses": ["Table 1: losses between the CRF and the SVM.", "--only losses"],
               "curves": ["Figure 4: DCA compared with SGD, by passes over the data.", "--only curves"],
               "cuts": ["How often an estimate of log Z makes a loss negative, and how often it did not converge.", "--only cuts"]},
    "minutes": [5, 240],
    "default": "there are one treebank of four, Greek, four epochs instead of six, curves of the first order alone, and two epochs with cuts instead of three",
    "needs": ["data"],
}

LANGUAGES = {"en_ewt": "English", "fr_sequoia": "French", "el_gdt": "Greek", "cs_cltt": "Czech"}
# (β, γ) of table 1: CRF, softmax-margin, between, SVM.
LOSSES = [("1", 0), ("1", 1), ("1", 3), ("1", 5), ("3", 1), ("5", 1), ("inf", 1)]


def part(language, name):
    return data("ud", language, f"{name}.conllu.gz")


def train(language, name, *options):
    model, history = WORK / f"parse-{language}-{name}.trellis", WORK / f"parse-{language}-{name}.jsonl"
    call = trellis("parse", "train", part(language, "train"), "--dev", part(language, "dev"), "--model", model,
                   "--history", history, "--json", "--quiet", *options)
    result = json.loads(call["output"])
    epochs = [json.loads(line) for line in history.read_text().splitlines()]
    print(language, name, *options, f"{call['cpu']:.0f} s", file=sys.stderr, flush=True)
    return {"model": str(model), "dev": scores(result["dev"]), "seconds": call["cpu"], "filter": result.get("filter"),
            "epochs": epochs, "eta": result.get("eta"), "sentences": result["sentences"]}


def scores(figures):
    """UAS and LAS without punctuation."""
    return figures["without_punctuation"]["uas"], figures["without_punctuation"]["las"]


def tested(language, run):
    return scores(json.loads(trellis("parse", "evaluate", part(language, "test"), "--model", run["model"], "--json")["output"]))


def accuracy(languages):
    rows = []
    for language in languages:
        for order in (1, 2):
            run = train(language, f"order{order}", "--order", order)
            rows.append({"language": language, "order": order, **run, "test": tested(language, run)})
    table("Defaults, chosen on nothing but the dev part's best epoch", ["", "order", "dev UAS", "dev LAS", "test UAS", "test LAS", "train CPU s",
                                                                       "heads/word", "recall"],
          [[LANGUAGES[r["language"]], r["order"], *r["dev"], *r["test"], r["seconds"], r["filter"]["heads_per_word"],
            r["filter"]["recall"]] for r in rows], claim="accuracy")
    return rows


def loss_table(languages, costs, epochs):
    """The best C of each loss by the dev part, as in the paper; first order, where sums are exact."""
    rows = []
    for language in languages:
        for beta, gamma in LOSSES:
            tried = {c: train(language, f"loss-{c:g}", "--learner", "dca", "--beta", beta, "--gamma", gamma, "--c", c, "--epochs", epochs)
                     for c in costs}
            best = max(tried, key=lambda c: tried[c]["dev"][1])
            rows.append({"language": language, "beta": beta, "gamma": gamma, "c": best, **tried[best], "test": tested(language, tried[best])})
        mine = [r for r in rows if r["language"] == language]
        table(f"Table 1, {LANGUAGES[language]}, first order: DCA after at most {epochs} epochs, C ({', '.join(f'{c:g}' for c in costs)}) and epoch by the dev part",
              ["beta", "gamma", "C", "dev UAS", "dev LAS", "test UAS", "test LAS"],
              [[r["beta"], r["gamma"], r["c"], *r["dev"], *r["test"]] for r in mine], claim="losses")
    return rows


def curves(languages, epochs, orders):
    """Dev LAS after each pass, CRF loss; SGD chooses its learning rate on a part of the training set. Second order by beliefs, as in
    the paper."""
    results = []
    for language in languages:
        for order in orders:
            more = ["--inference", "beliefs"] if order == 2 else []
            runs = {learner: train(language, f"{learner}{order}", "--order", order, "--learner", learner, "--loss", "crf", "--c", 1,
                                   "--epochs", epochs, "--patience", epochs, *more) for learner in ("dca", "sgd")}
            lines = {learner.upper(): [(e["epoch"], e["dev"]) for e in run["epochs"]] for learner, run in runs.items()}
            picture = WORK / f"paper-parsing-{language}-{order}.svg"
            figures = [y for line in lines.values() for _, y in line]
            draw(picture, f"{LANGUAGES[language]}, order {order}, CRF: LAS on the dev part", "passes over the training set", "LAS", lines,
                 (min(figures) - 1, max(figures) + 1))
            results.append({"language": language, "order": order, "lines": lines, "eta": runs["sgd"]["eta"]})
            print(f"  {LANGUAGES[language]}, order {order}: {picture}")
    passes = sorted({k for k in (1, 2, 3, 4) if k < epochs} | {epochs})
    table("Figure 4: dev LAS by number of passes", ["", "order", "learner", *map(str, passes)],
          [[LANGUAGES[r["language"]], r["order"], name, *(dict(map(tuple, line)).get(k, float("nan")) for k in passes)]
           for r in results for name, line in r["lines"].items()], claim="curves")
    return results


def cuts(languages, epochs):
    """Steps of DCA that a negative loss cuts to zero, by how log Z is found; second order, CRF."""
    rows = []
    for language in languages:
        for inference in ("beliefs", "reweighted"):
            run = train(language, inference, "--order", 2, "--inference", inference, "--learner", "dca", "--loss", "crf", "--c", 1,
                        "--epochs", epochs, "--patience", epochs)
            cut = sum(e.get("negative_losses", 0) for e in run["epochs"])
            sums = [e["convergence"] for e in run["epochs"]]
            unconverged = 100 * sum(s["unconverged"] for s in sums) / sum(s["calls"] for s in sums)
            rows.append({"language": language, "inference": inference, "unconverged": unconverged, "cut": cut, "steps": run["sentences"] * len(run["epochs"]), **run,
                         "test": tested(language, run)})
    table(f"Second order, CRF, DCA, {epochs} epochs: steps that a negative loss cut to zero",
          ["", "log Z", "cut", "of", "percent", "% not converged", "dev UAS", "dev LAS", "test UAS", "test LAS", "train CPU s"],
          [[LANGUAGES[r["language"]], r["inference"], r["cut"], r["steps"], 100 * r["cut"] / r["steps"], r["unconverged"], *r["dev"], *r["test"], r["seconds"]]
           for r in rows], claim="cuts")
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", default=["accuracy", "losses", "curves", "cuts"])
    parser.add_argument("--languages", nargs="+", default=["el_gdt"], choices=LANGUAGES)
    parser.add_argument("--epochs", type=int, default=4, help="of losses and curves")
    parser.add_argument("--orders", type=int, nargs="+", default=[1], choices=[1, 2], help="of curves")
    parser.add_argument("--cut-epochs", type=int, default=2, help="of cuts")
    parser.add_argument("--costs", type=float, nargs="+", default=[0.1, 1.0])
    call = sized(parser, languages=list(LANGUAGES), epochs=6, orders=[1, 2], cut_epochs=3, costs=[0.001, 0.01, 0.1, 1.0])
    WORK.mkdir(parents=True, exist_ok=True)
    result = {}
    if "accuracy" in call.only:
        result["accuracy"] = accuracy(call.languages)
    if "losses" in call.only:
        result["losses"] = loss_table(call.languages, call.costs, call.epochs)
    if "curves" in call.only:
        result["curves"] = curves(call.languages, call.epochs, call.orders)
    if "cuts" in call.only:
        result["cuts"] = cuts(call.languages, call.cut_epochs)
    save(result)


if __name__ == "__main__":
    main()
