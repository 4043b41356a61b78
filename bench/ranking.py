"""Ranking OHSUMED (LETOR 2.0): RankMatch and DORM on the same subsets, compared with LightGBM's and XGBoost's rankers, five folds.

It follows Petterson 2011, sec. 5.4.1, figs. 5.3 and 5.4 (right), table 5.2, on one of the thesis's three collections: TD2003 and TD2004 are
not available. Every choice (λ, functions of the features; a tree ranker's settings) is made by the mean of NDCG@1 … 10 on the validation
parts and never uses a test part. It is made in two ways: once for all folds, by the mean over the five validation parts (as the thesis
chooses λ), and for each fold by its own part of twenty queries, which is noisy. The second way is the strict one, since validation queries of
one fold are test queries of another.

Values are means over the folds and over the seeds of the subsets. A seed moves NDCG@1 by about 0.01, so one seed does not show whether more
subsets help RankMatch more than DORM. Candidates are the default expansions of `rank train`, and piecewise linear ones with half and twice
its knots, each with all λ of its grid; the rest are its defaults. LightGBM and XGBoost had eight settings each, reduced from 18 and 24 to save
time before any of their results was seen. Fig. 5.3 of the thesis has no numbers; values that others measured are quoted.

    ./dev bench ranking                          all of it, one seed
    ./dev bench ranking --full                   three seeds, all numbers of subsets
    ./dev bench ranking --only table --seeds 1   table, curve, sizes, times, separated by commas
"""

import argparse
import functools
import gzip
import itertools
import json
import math
import pathlib
import statistics

from peers import WORK, data, note, peer_python, run, save, sized, table, trellis

REPORT = {
    "title": "Ranking OHSUMED",
    "chapter": "Rankings",
    "claims": {"table": ["NDCG of RankMatch and DORM, and of the rankers of LightGBM and XGBoost.", "--only table"],
               "curve": ["Figure 5.4, right: NDCG@1 of RankMatch and DORM against the number of subsets.", "--only curve"],
               "sizes": ["Figure 5.3, right: subsets of other sizes.", "--only sizes"],
               "times": ["Table 5.2: seconds for each subset, and those of the thesis.", "--only times"]},
    "minutes": [11, 60],
    "default": "there are one seed of three, three numbers of subsets of six, and subsets of three sizes (of seven documents at most, for the times)",
    "needs": ["data", "pypi"],
}
FOLDS = range(1, 6)
LAMBDAS = (10, 3, 1, 0.3, 0.1, 0.03, 0.01, 0.003)
EXPANSIONS = ("none", "binned:8", "trees", "binned:4", "binned:16")  # the first three by `--expand auto`
FRACTIONS = (0.03, 0.1, 0.2, 0.4, 0.7, 1.0)
SUBSETS = ((2, "level"), (3, "level"), (4, "level"), (4, "sample"), (5, "level"), (5, "sample"))
SHOWN = (1, 3, 5, 10)
# What others measured; fig. 5.3 of the thesis is a picture without numbers.
QUOTED = {"SVM-rank, C = 0.1 (quoted)": (0.552, 0.490, 0.472, 0.450),
          "RankMatch, M = 3, a prototype (quoted)": (0.550, 0.500, 0.460, 0.449)}


def part(fold, name):
    return data("letor_ohsumed", f"fold{fold}", f"{name}.txt.gz")


def ndcg(grades, scores):
    """NDCG@1 … 10 of one query, eq. (5.14); equal scores in the order of the file; 0 where nothing is relevant."""
    ranked = [grades[d] for d in sorted(range(len(grades)), key=lambda d: -scores[d])]
    result = []
    for k in range(1, 11):
        dcg = [sum((2**r - 1) / math.log2(2 + j) for j, r in enumerate(order[:k])) for order in (ranked, sorted(grades)[::-1])]
        result.append(dcg[0] / dcg[1] if dcg[1] else 0.0)
    return result


def mean_ndcg(file, scores):
    lines = (line.split(None, 2) for line in gzip.open(file, "rt"))
    documents = [(qid, int(grade), score) for (grade, qid, _), score in zip(lines, scores)]
    rows = []
    for _, group in itertools.groupby(documents, key=lambda document: document[0]):
        group = list(group)
        rows.append(ndcg([g for _, g, _ in group], [s for _, _, s in group]))
    return [statistics.mean(column) for column in zip(*rows)]


class Candidate:
    """One setting: its figure on each fold's validation part, and NDCG@1 … 10 on a fold's test part for those that ask."""

    def __init__(self, name, vali, test):
        self.name, self.vali, self.test = name, vali, functools.cache(test)


def figures(options, fold, name):
    """NDCG@1 … 10 on a part of the fold, of the optimum: not of the epoch that --dev would keep."""
    model = WORK / "ranking.trellis"
    trellis("rank", "train", part(fold, "train"), "--model", model, "--quiet", *options)
    scores = json.loads(trellis("rank", "evaluate", part(fold, name), "--model", model, "--json")["output"])
    return [scores[f"ndcg@{k}"] for k in range(1, 11)]


def candidates(options, seed, lambdas):
    """A candidate for each λ."""
    found = []
    for λ in lambdas:
        setting = [*options, "--seed", seed, "--lambda", λ]
        vali = [statistics.mean(figures(setting, fold, "vali")) for fold in FOLDS]
        found.append(Candidate(" ".join(map(str, setting)), vali, lambda fold, setting=setting: figures(setting, fold, "test")))
    return found


def choose(pool):
    """NDCG@1 … 10 with one choice for all folds, and with a choice for each fold; and the former's name and figure."""
    best = max(pool, key=lambda c: statistics.mean(c.vali))
    together = [best.test(fold) for fold in FOLDS]
    alone = [max(pool, key=lambda c, at=at: c.vali[at]).test(fold) for at, fold in enumerate(FOLDS)]
    return {"together": [statistics.mean(column) for column in zip(*together)],
            "alone": [statistics.mean(column) for column in zip(*alone)], "vali": statistics.mean(best.vali), "choice": best.name}


def mean_of(results):
    """Over seeds."""
    merged = {key: [statistics.mean(column) for column in zip(*(r[key] for r in results))] for key in ("together", "alone")}
    merged["vali"] = statistics.mean(r["vali"] for r in results)
    merged["choice"] = [r["choice"] for r in results]
    merged["spread"] = [statistics.pstdev(column) for column in zip(*(r["together"] for r in results))]
    return merged


def trees(name, package):
    python = peer_python("numpy", "scipy", "scikit-learn", package)
    script = pathlib.Path(__file__).with_name("peers") / "tree_rankers.py"
    found = {}
    for fold in FOLDS:
        for setting in json.loads(run(python, script, name, part(fold, "train"), part(fold, "vali"), part(fold, "test"))["output"]):
            vali, test = found.setdefault(setting["setting"], ([], {}))
            vali.append(statistics.mean(mean_ndcg(part(fold, "vali"), setting["vali"])))
            test[fold] = mean_ndcg(part(fold, "test"), setting["test"])
    return choose([Candidate(name, vali, test.get) for name, (vali, test) in found.items()])


def compare(seeds, lambdas, expansions):
    results = {}
    for title, estimator in (("RankMatch", "map"), ("DORM", "max-margin")):
        pools = {s: {e: candidates(["--estimator", estimator, "--expand", e], s, lambdas) for e in expansions} for s in seeds}
        results[f"{title}, linear"] = mean_of([choose(pools[s]["none"]) for s in seeds])
        results[f"{title}, features chosen too"] = mean_of([choose(sum(pools[s].values(), [])) for s in seeds])
    for title, package in (("LightGBM", "lightgbm"), ("XGBoost", "xgboost")):
        results[f"{title}, tuned"] = trees(package, package)
    for way, what in (("together", "one choice by all validation parts"), ("alone", "a choice by each fold's own validation part")):
        rows = [[name, f"{r['vali']:.4f}", *(f"{r[way][k - 1]:.3f}" for k in SHOWN)] for name, r in results.items()]
        rows += [[name, "", *(f"{x:.3f}" for x in quoted)] for name, quoted in QUOTED.items()]
        table(f"OHSUMED, five folds, NDCG; {what}", ["", "validation", *(f"@{k}" for k in SHOWN)], rows, claim="table")
    for name, r in results.items():
        note(f"{name}: {r['choice'] if isinstance(r['choice'], str) else '; '.join(r['choice'])}")
    return results


def curve(seeds, lambdas, expansion, fractions):
    """Fig. 5.4, right: NDCG@1 against the number of subsets, for both estimators on the same ones."""
    results, rows = {}, []
    for fraction in fractions:
        row = [f"{fraction:g} D M"]
        for estimator in ("map", "max-margin"):
            options = ["--estimator", estimator, "--expand", expansion, "--subsets", fraction]
            merged = mean_of([choose(candidates(options, s, lambdas)) for s in seeds])
            results[f"{estimator} {fraction}"] = merged
            row += [f"{merged['together'][0]:.4f}", f"{merged['spread'][0]:.4f}", f"{merged['together'][9]:.4f}"]
        rows.append(row)
    table(f"Finite samples (fig. 5.4, right), features {expansion}: means and deviations over {len(seeds)} seeds",
          ["subsets of a query", "RankMatch @1", "±", "@10", "DORM @1", "±", "@10"], rows, claim="curve")
    return results


def sizes(seeds, lambdas, subsets):
    """Fig. 5.3, right: other M, and what becomes of documents of one grade in a subset."""
    results, rows = {}, []
    for size, ties in subsets:
        merged = mean_of([choose(candidates(["--expand", "none", "--size", size, "--ties", ties], s, lambdas)) for s in seeds])
        results[f"{size} {ties}"] = merged
        rows.append([f"M = {size}, ties {ties}", f"{merged['vali']:.4f}", *(f"{merged['together'][k - 1]:.3f}" for k in SHOWN)])
    table("RankMatch with other M (fig. 5.3, right), linear", ["", "validation", *(f"@{k}" for k in SHOWN)], rows, claim="sizes")
    return results


def times(all_sizes):
    """Table 5.2: seconds per subset to a certified gap, on one thread, beside the thesis's (another machine, of 2008)."""
    published = {3: (0.0006661, 0.0008965), 4: (0.0011277, 0.0016086), 5: (0.0030187, 0.0015328)}
    results, rows = {}, []
    for size in all_sizes:
        row = [f"M = {size}"]
        for k, estimator in enumerate(("map", "max-margin")):
            result = json.loads(trellis("rank", "train", part(1, "train"), "--estimator", estimator, "--expand", "none", "--size", size,
                                        "--lambda", 0.1, "--threads", 1, "--model", WORK / "ranking.trellis", "--json", "--quiet")["output"])
            seconds = result["seconds"] / result["subsets"]
            results[f"{estimator} {size}"] = {"seconds": seconds, "subsets": result["subsets"], "epochs": result["epochs"]}
            row += [f"{seconds:.2e}", f"{published[size][k]:.2e}" if size in published else "-"]
        rows.append(row)
    table("Training time per subset (table 5.2), seconds, one thread", ["", "RankMatch", "thesis", "DORM", "thesis"], rows, claim="times")
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--lambdas", type=float, nargs="+", default=LAMBDAS, help="to choose from")
    parser.add_argument("--expansions", nargs="+", default=EXPANSIONS, help="functions of the features, to choose from")
    parser.add_argument("--fractions", type=float, nargs="+", default=FRACTIONS[1::2], help="subsets of a query, for the curve")
    parser.add_argument("--only", default="table,curve,sizes,times")
    parser.add_argument("--expand", default="none", help="functions of the features, for the curve")
    call = sized(parser, seeds=3, fractions=FRACTIONS)
    WORK.mkdir(parents=True, exist_ok=True)
    seeds = range(1, call.seeds + 1)
    subsets = SUBSETS if call.full else SUBSETS[:3]
    work = {"table": lambda: compare(seeds, call.lambdas, call.expansions), "curve": lambda: curve(seeds, call.lambdas, call.expand, call.fractions),
            "sizes": lambda: sizes(seeds, call.lambdas, subsets), "times": lambda: times((3, 4, 5, 7, 10) if call.full else (3, 4, 5, 7))}
    save({name: work[name]() for name in call.only.split(",")})


if __name__ == "__main__":
    main()
