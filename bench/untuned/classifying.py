"""classify compared with LIBLINEAR, whose C its own search finds, and scikit-learn's LinearSVC and RBF SVM with C (and gamma) by five folds.

Text as it is, sparse vectors, and small dense data with columns of several scales. Peers that want scaled columns get them scaled; ours
gets the file as it is."""

import collections
import functools
import gzip
import json
import math
import re

from peers import data
from peers.mulan import Arff, label_names
from untuned import noise, tagging
from untuned.parts import Parts, agree, chosen, cut, opened, shuffled, write_parts
from untuned.rows import Job, Side

QUICK = (1000, 500)  # rows
TEXT, LIBLINEAR, RBF = "sklearn LinearSVC", "LIBLINEAR -C", "sklearn SVC, RBF"


# Data: rows of (label, {index: value}, unit), for the training and for the test part. Labels are whole numbers.

def split(session, train, test):
    """The parts; a quick run makes both of the training part."""
    return cut(train, QUICK) if session.quick else (list(train), list(test()))


def numbered(names):
    return {name: k for k, name in enumerate(sorted(set(names)), 1)}


def newsgroups(session):
    """log-tf-idf of lower-case words, documents of length 1, with the training part's idf."""

    def documents(name):
        for line in opened(data("20news", name)):
            _, label, text = line.rstrip("\n").split("\t", 2)
            yield label, collections.Counter(re.findall(r"[a-z0-9]+", text.lower()))

    train, test = split(session, shuffled(documents("train.tsv.gz")), lambda: documents("test.tsv.gz"))
    spread = collections.Counter(word for _, words in train for word in words)
    words, labels = numbered(spread), numbered(label for label, _ in train)

    def vector(counts):
        row = {words[w]: (1 + math.log(n)) * math.log(len(train) / spread[w]) for w, n in counts.items() if w in words}
        norm = math.sqrt(sum(v * v for v in row.values())) or 1
        return {k: v / norm for k, v in row.items() if v}

    return [[(labels[label], vector(counts), unit) for unit, (label, counts) in enumerate(part)] for part in (train, test)]


def connect4(rows=None):
    """A feature for each value of each attribute. There is no test part: a fifth of the rows, drawn at random."""

    def read(session):
        with gzip.open(data("connect4", "connect-4.tsv.gz"), "rt") as lines:
            next(lines)
            fields = shuffled(line.split() for line in lines)
        cases = [(int(f[-1]), {3 * k + int(v) + 1: 1 for k, v in enumerate(f[:-1])}, unit) for unit, f in enumerate(fields)]
        held = len(cases) * 4 // 5
        return split(session, cases[:min(rows or held, held)], lambda: cases[held:])

    return read


def letters(session):
    """Letters of the first fold, each by itself; those of the others test. Units are words."""
    folds = tagging.read_words()
    names = {chr(ord("a") + k): k + 1 for k in range(26)}

    def cases(chosen):
        words = [word for fold in chosen for word in shuffled(folds[fold])]
        return [(names[letter], {int(pixel[1:]) + 1: 1 for pixel in pixels}, unit)
                for unit, word in enumerate(words) for letter, pixels in word]

    return split(session, cases([0]), lambda: cases(range(1, 10)))


def grades(session):
    """The grade of a document from 25 raw columns; units are queries."""

    def cases(part):
        with gzip.open(data("letor_ohsumed", "fold1", f"{part}.txt.gz"), "rt") as lines:
            for line in lines:
                grade, query, *pairs = line.split("#")[0].split()
                yield int(grade), {int(k): float(v) for k, v in (pair.split(":") for pair in pairs)}, query

    return split(session, cases("train"), lambda: cases("test"))


def mulan(name, label=None):
    """The one label of each instance that has one; or whether it has the label with this number."""

    def read(session):
        labels = label_names(data("mulan", name, f"{name}.xml"))

        def cases(part):
            arff = Arff(data("mulan", name, f"{name}-{part}.arff.gz"))
            columns = arff.columns(labels)
            others = [c for c in range(len(arff.attributes)) if c not in set(columns)]
            for unit, row in enumerate(arff.rows):
                has = [k for k, c in enumerate(columns) if float(row.get(c, 0)) > 0]
                if label is None and len(has) != 1:
                    continue
                kind = has[0] + 1 if label is None else 1 + (label in has)
                yield kind, {k + 1: float(row[c]) for k, c in enumerate(others) if float(row.get(c, 0))}, unit

        return split(session, shuffled(cases("train")) if session.quick else cases("train"), lambda: cases("test"))

    return read


def libsvm(cases):
    return (" ".join([str(label), *(f"{k}:{v:.6g}" for k, v in sorted(row.items()))]) + "\n" for label, row, _ in cases)


def scaled(train, test):
    """Every column from 0 to 1 over the training part, as LIBLINEAR's users are told; untouched where no value lies beyond that."""
    low, high = collections.defaultdict(float), collections.defaultdict(float)
    for _, row, _ in train:
        for k, v in row.items():
            low[k], high[k] = min(low[k], v), max(high[k], v)
    if all(0 <= low[k] and v <= 1 for k, v in high.items()):
        return train, test

    def moved(row):
        """A column whose values are never below 0 keeps its zeros; others get a value in every row."""
        below = {k: 0.0 for k in low if low[k] < 0}
        return {k: (v - low[k]) / (high[k] - low[k]) for k, v in {**below, **row}.items() if high[k] > low[k]}

    return [[(label, moved(row), unit) for label, row, unit in part] for part in (train, test)]


def counts(cases, labels):
    """Right ones and all, for each unit."""
    if len(cases) != len(labels):
        raise ValueError("predictions and truth are not of the same rows")
    totals = collections.OrderedDict()
    for (truth, _, unit), label in zip(cases, labels):
        total = totals.setdefault(unit, [0, 0])
        total[0] += str(truth) == label
        total[1] += 1
    return noise.Counts.of_units(totals.values())


def ours(session, place, files, test):
    model, trained = session.train(place, "classify", files.train)
    lines = session.trellis(place / "predict.log", "classify", "predict", files.test, "--model", model).output.splitlines()
    found = counts(test, [line.split("\t")[-1] for line in lines])
    agree(noise.ratio, found, json.loads(session.evaluate(place, "classify", model, files.test))["accuracy"])
    return Side(found, trained.cpu, chosen=chosen(trained))


def liblinear(session, place, train, test):
    """-C for L2-loss SVM and logistic regression, the better by its own folds, then trained."""
    files = write_parts(place, "-scaled.svm", *(libsvm(part) for part in scaled(train, test)))
    tried, cpu = [], 0.0
    for solver in (2, 0):
        run = session.run(place / f"liblinear-search{solver}.log", "liblinear-train", "-s", solver, "-C", "-B", 1, files.train)
        c, rate = re.search(r"Best C = (\S+)\s+CV accuracy = (\S+)%", run.output).groups()
        tried.append((float(rate), solver, c))
        cpu += run.cpu
    _, solver, c = max(tried)
    cpu += session.run(place / "liblinear-train.log", "liblinear-train", "-s", solver, "-c", c, "-B", 1, files.train,
                       place / "liblinear.model").cpu
    session.run(place / "liblinear-predict.log", "liblinear-predict", files.test, place / "liblinear.model", place / "liblinear.out")
    return Side(counts(test, (place / "liblinear.out").read_text().split()), cpu, chosen=f"-s {solver} -c {c}")


def sklearn(session, place, kind, files, test):
    run = session.peer(place / f"sklearn-{kind}.log", "sklearn_classify.py", kind, files.train, files.test)
    result = json.loads(run.output)
    return Side(counts(test, result["labels"]), run.cpu, result["cpu"], result["chosen"])


def vector_job(name, read, *peers):
    @functools.cache
    def prepared(session):
        place = session.place("classify", name.replace(":", "-"))
        train, test = read(session)
        return place, train, test, write_parts(place, ".svm", libsvm(train), libsvm(test))

    def own(session):
        place, _, test, files = prepared(session)
        return ours(session, place, files, test)

    def linear(session):
        place, train, test, _ = prepared(session)
        return liblinear(session, place, train, test)

    def rbf(session):
        place, _, test, files = prepared(session)
        return sklearn(session, place, "rbf", files, test)

    known = {LIBLINEAR: linear, RBF: rbf}
    return Job("classify", name, "accuracy", noise.ratio, own, {peer: known[peer] for peer in peers})


def text_job():
    """20 Newsgroups as text: everyone makes features of their own."""

    @functools.cache
    def prepared(session):
        place = session.place("classify", "20news-text")
        files = Parts(data("20news", "train.tsv.gz"), None, data("20news", "test.tsv.gz"))
        if session.quick:
            train, test = cut(shuffled(opened(files.train)), QUICK)
            files = write_parts(place, ".tsv", train, test)
        return place, files, [(line.split("\t", 2)[1], None, unit) for unit, line in enumerate(opened(files.test))]

    def own(session):
        place, files, test = prepared(session)
        return ours(session, place, files, test)

    def peer(session):
        place, files, test = prepared(session)
        return sklearn(session, place, "text", files, test)

    return Job("classify", "20news:text", "accuracy", noise.ratio, own, {TEXT: peer})


def jobs():
    return [text_job(),
            vector_job("20news:vectors", newsgroups, LIBLINEAR),
            vector_job("connect4", connect4(), LIBLINEAR),
            vector_job("connect4:5000", connect4(5000), LIBLINEAR, RBF),
            vector_job("ocr_letters", letters, LIBLINEAR, RBF),
            vector_job("ohsumed_grades", grades, LIBLINEAR),
            vector_job("scene", mulan("scene"), LIBLINEAR, RBF),
            vector_job("emotions", mulan("emotions", 0), LIBLINEAR, RBF)]
