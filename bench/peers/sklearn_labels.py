"""Binary relevance by scikit-learn's logistic regression, at its defaults: macro-F_beta of each beta that is asked for, at the
fixed threshold 1/2 and with a threshold for each label, tuned on the training scores or on those of cross-validation.

    /usr/bin/python3 sklearn_labels.py TRAIN.arff TEST.arff LABELS.xml --betas 1 --thresholds train|cv|none [--limit N]

Prints a JSON object. --solver liblinear is the fast one for sparse data.
"""

import argparse
import json
import pathlib
import sys
import time
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import mulan  # noqa: E402
import numpy  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import KFold  # noqa: E402


def scores(x, has, others, solver):
    """Log-odds of `others` for each label: that of its share where the training set has only one answer."""
    result = []
    for v in range(has.shape[1]):
        if has[:, v].all() or not has[:, v].any():
            result.append(numpy.concatenate([numpy.full(o.shape[0], 50.0 if has[:, v].all() else -50.0) for o in others]))
            continue
        model = LogisticRegression(solver=solver, max_iter=1000).fit(x, has[:, v])
        result.append(numpy.concatenate([model.decision_function(o) for o in others]))
    return numpy.array(result).T


def f_beta(truth, given, beta):
    """Of each label; that of empty against empty is 1."""
    hits = (truth & given).sum(0)
    below = beta * beta * truth.sum(0) + given.sum(0)
    return numpy.where(below == 0, 1.0, (1 + beta * beta) * hits / numpy.maximum(below, 1e-300))


def best_threshold(s, has, beta):
    order = numpy.argsort(-s, kind="stable")
    hits = numpy.cumsum(has[order])
    f = (1 + beta * beta) * hits / (beta * beta * has.sum() + numpy.arange(1, len(s) + 1))
    f[:-1][s[order][:-1] == s[order][1:]] = -1
    k = int(numpy.argmax(f))
    if not has.any():
        return numpy.inf
    return (s[order][k] + s[order][k + 1]) / 2 if k + 1 < len(s) else -numpy.inf


def figures(truth, given, beta):
    f = f_beta(truth, given, beta)
    present = truth.any(0)
    return {"macro": float(f.mean()), "macro_present": float(f[present].mean()),
            "hamming": float((truth != given).mean())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs=3)
    parser.add_argument("--betas", default="1")
    parser.add_argument("--thresholds", default="train")
    parser.add_argument("--solver", default="lbfgs")
    parser.add_argument("--folds", type=int, default=5)
    call = parser.parse_args()
    warnings.filterwarnings("ignore")
    labels = mulan.label_names(call.files[2])
    x, has = mulan.matrices(mulan.Arff(call.files[0]), labels)
    x_test, truth = mulan.matrices(mulan.Arff(call.files[1]), labels)
    start, cpu = time.monotonic(), time.process_time()
    both = scores(x, has, [x_test, x], call.solver)
    s, s_train = both[: len(truth)], both[len(truth):]
    result = {"fit_seconds": time.monotonic() - start, "fit_cpu": time.process_time() - cpu}
    if call.thresholds == "cv":
        for train, held_out in KFold(call.folds, shuffle=True, random_state=1).split(x):
            s_train[held_out] = scores(x[train], has[train], [x[held_out]], call.solver)
    result["seconds"] = time.monotonic() - start
    result["cpu"] = time.process_time() - cpu
    for beta in map(float, call.betas.split(",")):
        entry = {"fixed": figures(truth, s > 0, beta)}
        if call.thresholds != "none":
            thresholds = [best_threshold(s_train[:, v], has[:, v], beta) for v in range(len(labels))]
            entry["tuned"] = figures(truth, s > thresholds, beta)
        result[f"{beta:g}"] = entry
    print(json.dumps(result))


if __name__ == "__main__":
    main()
