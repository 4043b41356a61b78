"""scikit-learn's SVMs as their users tune them: C (and gamma) by five folds of the training part, then one model of all of it.

    sklearn_classify.py text|linear|rbf TRAIN TEST

text: id TAB label TAB text in UTF-8, TfidfVectorizer and LinearSVC. linear, rbf: LIBSVM's format, columns scaled (standardised where most
values are there, by the largest where they are not), LinearSVC or SVC. Prints one JSON object with the labels of TEST. Runs in the
virtual environment of bench/peers."""

import gzip
import json
import sys
import time
import warnings

import numpy
from sklearn.datasets import load_svmlight_files
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC

LINEAR = {"C": [0.01, 0.1, 1, 10, 100]}


def texts(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", errors="replace") as lines:
        fields = [line.rstrip("\n").split("\t", 2) for line in lines]
    return [text for _, _, text in fields], numpy.array([label for _, label, _ in fields])


def vectors(train, test):
    """Both parts, scaled by the first."""
    x, y, x_test, _ = load_svmlight_files([train, test])
    if x.nnz > 0.5 * x.shape[0] * x.shape[1]:
        scale = StandardScaler().fit(x.toarray())
        return scale.transform(x.toarray()), y, scale.transform(x_test.toarray())
    scale = MaxAbsScaler().fit(x)
    return scale.transform(x), y, scale.transform(x_test)


def main():
    kind, train, test = sys.argv[1:]
    warnings.filterwarnings("ignore")
    if kind == "text":
        (documents, y), (test_documents, _) = texts(train), texts(test)
        cpu = time.process_time()
        weigh = TfidfVectorizer(sublinear_tf=True)
        x, x_test = weigh.fit_transform(documents), weigh.transform(test_documents)
    else:
        x, y, x_test = vectors(train, test)
        cpu = time.process_time()
    if kind == "rbf":
        # scikit-learn's own gamma, and a quarter and four times of it.
        dense = x.toarray() if hasattr(x, "toarray") else x
        gamma = 1 / (dense.shape[1] * dense.var())
        model, grid = SVC(), {"C": [1, 10, 100], "gamma": [gamma / 4, gamma, 4 * gamma]}
    else:
        model, grid = LinearSVC(), LINEAR
    search = GridSearchCV(model, grid, cv=StratifiedKFold(5, shuffle=True, random_state=1), n_jobs=1).fit(x, y)
    labels = search.predict(x_test)
    chosen = ", ".join(f"{name}={value:.3g}" for name, value in search.best_params_.items())
    print(json.dumps({"labels": [str(label) if kind == "text" else f"{label:g}" for label in labels], "chosen": chosen,
                      "cpu": time.process_time() - cpu}))


if __name__ == "__main__":
    main()
