"""label compared with scikit-learn's logistic regression, a model for each label, with tuned thresholds: at C = 1, and with C by folds.

Mulan's data in their own split; what counts is macro-F1, for which both are tuned: over the labels that occur in the test part, since who is
right about the others depends on what F1 of nothing against nothing is taken to be."""

import collections
import functools
import json

from peers import data
from peers.mulan import Arff, label_names
from untuned import noise
from untuned.parts import Parts, agree, chosen, cut, shuffled
from untuned.rows import Job, Side

SETS = ("emotions", "scene", "yeast", "medical", "enron", "bibtex", "delicious")
QUICK = (250, 150)  # instances
FIXED, SEARCHED = "sklearn logistic, C = 1", "sklearn logistic, C by CV"


def counts(truth, given):
    """Three columns for each label that occurs: hits, given, true; instances are units."""
    if len(truth) != len(given):
        raise ValueError("predictions and truth are not of the same instances")
    columns = collections.defaultdict(dict)
    for unit, (has, says) in enumerate(zip(truth, given)):
        for offset, found in ((0, has & says), (1, says), (2, has)):
            for label in found:
                columns[3 * label + offset][unit] = 1
    present = sorted(set().union(*truth))
    return noise.Counts(len(truth), [columns[3 * label + offset] for label in present for offset in range(3)])


def job(name):
    @functools.cache
    def prepared(session):
        place = session.place("label", name)
        xml = data("mulan", name, f"{name}.xml")
        labels = label_names(xml)
        files = Parts(data("mulan", name, f"{name}-train.arff.gz"), None, data("mulan", name, f"{name}-test.arff.gz"))
        if session.quick:
            arff = Arff(files.train)
            files = Parts(place / "train.arff", None, place / "test.arff")
            for path, rows in zip((files.train, files.test), cut(shuffled(range(len(arff.rows))), QUICK)):
                arff.write(path, range(len(arff.attributes)), rows)
        test = Arff(files.test)
        columns = test.columns(labels)
        truth = [{v for v, column in enumerate(columns) if float(row.get(column, 0)) > 0} for row in test.rows]
        return place, files, xml, labels, truth

    def own(session):
        place, files, xml, labels, truth = prepared(session)
        model, trained = session.train(place, "label", files.train, "--labels", xml)
        lines = session.trellis(place / "predict.log", "label", "predict", files.test, "--model", model).output.split("\n")[:-1]
        numbers = {label: v for v, label in enumerate(labels)}
        found = counts(truth, [{numbers[label] for label in line.split("\t") if label} for line in lines])
        agree(noise.macro_f1, found, 100 * json.loads(session.evaluate(place, "label", model, files.test))["macro_present_f1"])
        return Side(found, trained.cpu, chosen=chosen(trained))

    @functools.cache
    def sklearn(session):
        place, files, xml, _, _ = prepared(session)
        run = session.peer(place / "sklearn.log", "sklearn_label_sets.py", files.train, files.test, xml)
        return run, json.loads(run.output)

    def peer(session, way):
        """The process's seconds, less those of the search that C = 1 does without."""
        run, result = sklearn(session)
        truth, side = prepared(session)[-1], result[way]
        cpu = run.cpu - (result["searched"]["cpu"] - side["cpu"])
        return Side(counts(truth, [set(s) for s in side["sets"]]), cpu, side["cpu"], f"C={side['c']:g}")

    return Job("label", name, "macro-F1", noise.macro_f1, own,
               {FIXED: lambda session: peer(session, "fixed"), SEARCHED: lambda session: peer(session, "searched")})


def jobs():
    return [job(name) for name in SETS]
