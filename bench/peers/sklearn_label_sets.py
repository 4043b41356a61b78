"""Binary relevance by scikit-learn's logistic regression, as its users tune it: thresholds by three folds, at C = 1 and with C by the same folds.

    sklearn_label_sets.py TRAIN.arff TEST.arff LABELS.xml

Dense columns are standardised. Of every C the folds give scores for each training instance that come from models without it; on these each
label's threshold is tuned, and the C with the best macro-F1 is taken. Prints one JSON object: for each of the two the labels of every
instance of TEST by their numbers, and CPU seconds. Runs in the virtual environment of bench/peers."""

import json
import sys
import time
import warnings

import mulan
import numpy
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler
from sklearn_labels import best_threshold, f_beta

COSTS = (1, 0.1, 10)
FOLDS = 3


def scores(x, has, other, c):
    """Log-odds of `other` for each label; hopeless or certain where the training part has but one answer."""
    result = numpy.empty((other.shape[0], has.shape[1]))
    for v in range(has.shape[1]):
        if has[:, v].all() or not has[:, v].any():
            result[:, v] = 50.0 if has[:, v].all() else -50.0
        else:
            result[:, v] = LogisticRegression(C=c, solver="liblinear").fit(x, has[:, v]).decision_function(other)
    return result


def tuned(x, has, c):
    """Thresholds for this C, and the macro-F1 that they were tuned to."""
    held_out = numpy.empty(has.shape)
    for train, held in KFold(FOLDS, shuffle=True, random_state=1).split(x):
        held_out[held] = scores(x[train], has[train], x[held], c)
    thresholds = numpy.array([best_threshold(held_out[:, v], has[:, v], 1) for v in range(has.shape[1])])
    return thresholds, f_beta(has, held_out > thresholds, 1).mean()


def sets(given):
    return [numpy.flatnonzero(row).tolist() for row in given]


def main():
    warnings.filterwarnings("ignore")
    labels = mulan.label_names(sys.argv[3])
    x, has = mulan.matrices(mulan.Arff(sys.argv[1]), labels)
    x_test, _ = mulan.matrices(mulan.Arff(sys.argv[2]), labels)
    start = time.process_time()
    if isinstance(x, numpy.ndarray):
        scale = StandardScaler().fit(x)
        x, x_test = scale.transform(x), scale.transform(x_test)
    tried = {COSTS[0]: tuned(x, has, COSTS[0])}
    given = sets(scores(x, has, x_test, COSTS[0]) > tried[COSTS[0]][0])
    result = {"read_cpu": start, "fixed": {"c": COSTS[0], "sets": given, "cpu": time.process_time() - start}}
    tried.update((c, tuned(x, has, c)) for c in COSTS[1:])
    best = max(tried, key=lambda c: tried[c][1])
    if best != COSTS[0]:
        given = sets(scores(x, has, x_test, best) > tried[best][0])
    result["searched"] = {"c": best, "sets": given, "cpu": time.process_time() - start,
                          "figures": {str(c): float(figure) for c, (_, figure) in tried.items()}}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
