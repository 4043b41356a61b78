"""rank compared with LightGBM's and XGBoost's rankers over eight settings each: OHSUMED, five folds, every choice by the fold's own validation part."""

import functools
import itertools
import json

from peers import data
from ranking import ndcg
from untuned import noise
from untuned.parts import Parts, agree, chosen, cut, opened, write_parts
from untuned.rows import Job, Side

FOLDS = range(1, 6)
QUICK = (32, 12, 19)  # queries of the first fold's training part
TREES = {"LightGBM, 8 settings": "lightgbm", "XGBoost, 8 settings": "xgboost"}
AT = 10


def queries(path):
    """The lines of each query."""
    with opened(path) as lines:
        return [list(group) for _, group in itertools.groupby(lines, key=lambda line: line.split(None, 2)[1])]


def fold_parts(session, place):
    if not session.quick:
        for fold in FOLDS:
            yield fold, Parts(*(data("letor_ohsumed", f"fold{fold}", f"{part}.txt.gz") for part in ("train", "vali", "test")))
        return
    train, vali, test = cut(queries(data("letor_ohsumed", "fold1", "train.txt.gz")), QUICK)
    yield 1, write_parts(place, ".txt", *(map("".join, part) for part in (train, test)), map("".join, vali))


def figures(path, scores):
    """NDCG@10 of each query."""
    found, begin = [], 0
    for lines in queries(path):
        grades = [int(line.split(None, 1)[0]) for line in lines]
        found.append(ndcg(grades, scores[begin:begin + len(lines)])[AT - 1])
        begin += len(lines)
    if begin != len(scores):
        raise ValueError("scores and documents are not of the same file")
    return found


def counts(values):
    return noise.Counts.of_units((value, 1) for value in values)


def over_folds(session, rank):
    """rank(place, fold, parts): NDCG@10 of each test query, CPU seconds, those of fits alone, and what was chosen."""
    place = session.place("rank", "ohsumed")
    results = [rank(place, fold, parts) for fold, parts in fold_parts(session, place)]
    values, cpu, fits, settings = zip(*results)
    return Side(counts(itertools.chain(*values)), sum(cpu), sum(fits) or None, "; ".join(settings))


def own(session):
    def rank(place, fold, parts):
        name = f"fold{fold}"
        model, trained = session.train(place, "rank", parts.train, "--dev", parts.dev, name=name)
        scores = session.trellis(place / f"{name}-predict.log", "rank", "predict", parts.test, "--model", model, "--scores").output
        found = figures(parts.test, [float(score) for score in scores.split()])
        agree(noise.ratio, counts(found), 100 * json.loads(session.evaluate(place, "rank", model, parts.test, name=name))[f"ndcg@{AT}"])
        return found, trained.cpu, 0, chosen(trained)

    return over_folds(session, rank)


def trees(package, session):
    def rank(place, fold, parts):
        run = session.peer(place / f"{package}{fold}.log", "tree_rankers.py", package, parts.train, parts.dev, parts.test)
        settings = json.loads(run.output)
        best = max(settings, key=lambda setting: sum(figures(parts.dev, setting["vali"])))
        return figures(parts.test, best["test"]), run.cpu, sum(setting["cpu"] for setting in settings), best["setting"]

    return over_folds(session, rank)


def jobs():
    return [Job("rank", "ohsumed", f"NDCG@{AT}", noise.ratio, own,
                {name: functools.partial(trees, package) for name, package in TREES.items()})]
