"""Speed of reverse learning: delicious and bibtex to a certified gap of 1e-3, time by examples and labels, scikit-learn.

The objective is macro-F1 by the bundle method, label by label.

growth: a model is trained on parts of the instances and of the labels (drawn once at random), at a fixed C without thresholds. The exponent
is that of a power law, fitted to CPU seconds (reading included) by least squares of logarithms. C n is constant: slopes are sums over
instances, so all sizes have the same trade-off between data and weights and the same objective; at a fixed C fewer instances are an easier
problem.

quality: all of each data set, C and thresholds by cross-validation, compared with binary relevance by scikit-learn's logistic regression
with thresholds of the same kind, in the same run, and with the default method, the one that is best on held-out instances of the training
part.

    ./dev bench multilabel-speed                          bibtex
    ./dev bench multilabel-speed --full                   and delicious
    ./dev bench multilabel-speed --data bibtex --part growth
"""

import argparse
import json
import pathlib
import random

from peers import WORK, data, exponent, run, save, sized, table, trellis
from peers import mulan

REPORT = {
    "title": "Reverse learning: growth and quality",
    "chapter": "Labels and sets of labels",
    "claims": {"growth": ["CPU time grows no faster than linearly with instances and with labels.", "--part growth"],
               "quality": ["Macro-F1 on one test part, compared with logistic regression with tuned thresholds; no noise is given.", "--part quality"]},
    "minutes": [5, 60],
    "default": "there is bibtex alone",
    "needs": ["data", "debian"],
}
SKLEARN = ["/usr/bin/python3", pathlib.Path(__file__).parent / "peers" / "sklearn_labels.py"]
SHARES = (0.125, 0.25, 0.5, 1)


def files(name):
    return [data("mulan", name, f"{name}-{part}.arff.gz") for part in ("train", "test")] + [data("mulan", name, f"{name}.xml")]


def part(arff, names, instances, labels):
    """A file with some of the instances and labels, and its list of labels."""
    every = set(arff.columns(names))
    chosen = [names[v] for v in labels]
    columns = [c for c in range(len(arff.attributes)) if c not in every] + arff.columns(chosen)
    paths = WORK / "part.arff", WORK / "part.xml"
    arff.write(paths[0], columns, instances)
    mulan.write_labels(paths[1], chosen)
    return paths


def learn(train, labels, c, *options):
    run_ = trellis("label", "train", train, "--labels", labels, "--model", WORK / "label.trellis", "--c", c, "--gap", 1e-3,
                   "--json", "--quiet", *options)
    result = json.loads(run_["output"])
    return {**result, "cpu": run_["cpu"], "memory": run_["memory"]}


def growth(name, c, shares):
    train, _, xml = files(name)
    arff, names = mulan.Arff(train), mulan.label_names(xml)
    order = random.Random(1).sample(range(len(arff.rows)), len(arff.rows))
    label_order = random.Random(2).sample(range(len(names)), len(names))
    results, rows = {}, []
    for what in ("instances", "labels"):
        sizes, seconds = [], []
        for share in shares:
            instances = sorted(order[: round(len(order) * (share if what == "instances" else 1))])
            labels = sorted(label_order[: round(len(names) * (share if what == "labels" else 1))])
            path, part_xml = part(arff, names, instances, labels)
            result = learn(path, part_xml, c * len(order) / len(instances), "--thresholds", "none", "--threads", 1)
            sizes.append(len(instances) if what == "instances" else len(labels))
            seconds.append(result["cpu"])
            rows.append([name, what, sizes[-1], result["epochs"], f"{result['objective']:.3f}", f"{result['gap']:.1e}",
                         f"{seconds[-1]:.2f}", f"{result['memory']:.0f}"])
        results[what] = {"sizes": sizes, "seconds": seconds, "exponent": exponent(sizes, seconds)}
        rows.append([name, f"exponent of {what}", "", "", "", "", f"{results[what]['exponent']:.2f}", ""])
    table(f"{name}: one thread, C = {c:g}", ["data", "part of", "size", "most passes", "objective", "gap", "CPU s", "MB"], rows, claim="growth")
    return results


def whole(name, *options):
    """Trained on the training part; its macro-F1 on the test part, with the thresholds of the model and at 0."""
    train, test, xml = files(name)
    model = WORK / "label.trellis"
    run_ = trellis("label", "train", train, "--labels", xml, "--model", model, "--json", "--quiet", *options)
    result = {**json.loads(run_["output"]), "cpu": run_["cpu"], "memory": run_["memory"]}
    for key, more in (("test", []), ("test_at_threshold_0", ["--at-threshold-0"])):
        result[key] = json.loads(trellis("label", "evaluate", test, "--model", model, "--json", *more)["output"])
    return result


def quality(name, c, thresholds):
    ours = {"reverse learning": whole(name, "--method", "bundle", *(["--c", c] if c else [])), "nothing said": whole(name)}
    peer = json.loads(run(*SKLEARN, *files(name), "--thresholds", thresholds, "--folds", 3, "--solver", "liblinear")["output"])
    table(f"{name}: macro-F1 on the test set", ["", "method", "macro-F1", "present", "at 0 or 1/2", "C", "gap", "CPU s"],
          [*([title, r["method"], f"{r['test']['macro_f1']:.4f}", f"{r['test']['macro_present_f1']:.4f}",
              f"{r['test_at_threshold_0']['macro_f1']:.4f}", f"{r['c']:g}", f"{r['gap']:.1e}", f"{r['cpu']:.0f}"] for title, r in ours.items()),
           [f"scikit-learn BR, thresholds {thresholds}", "logistic", f"{peer['1']['tuned']['macro']:.4f}",
            f"{peer['1']['tuned']['macro_present']:.4f}", f"{peer['1']['fixed']['macro']:.4f}", "1", "", f"{peer['cpu']:.0f}"]], claim="quality")
    return {"ours": ours, "sklearn": peer}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="bibtex")
    parser.add_argument("--part", default="growth,quality")
    parser.add_argument("--c", type=float, default=0.01, help="of the growth")
    parser.add_argument("--quality-c", type=float, default=0, help="of the quality; 0: by cross-validation, as is the default")
    parser.add_argument("--thresholds", default="cv", help="scikit-learn's: cv or train")
    parser.add_argument("--shares", default=",".join(f"{s:g}" for s in SHARES))
    call = sized(parser, data="bibtex,delicious")
    WORK.mkdir(parents=True, exist_ok=True)
    result = {}
    for name in call.data.split(","):
        result[name] = {}
        if "growth" in call.part:
            result[name]["growth"] = growth(name, call.c, [float(s) for s in call.shares.split(",")])
        if "quality" in call.part:
            result[name]["quality"] = quality(name, call.quality_c, call.thresholds)
    save(result)


if __name__ == "__main__":
    main()
