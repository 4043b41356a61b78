"""tag compared with CRFsuite with equal features: those of our template, which `trellis tag features` exports, and those of CRFsuite's tutorials.

Chunks, named entities, parts of speech, and handwritten words, of which each fold trains and the other nine test."""

import collections
import functools
import gzip
import json

import pos
from peers import data
from peers.conlleval import span_counts, token_counts
from peers.tutorial_features import chunks, columns, entities, write_items
from untuned import noise
from untuned.parts import Parts, agree, blocks, chosen, cut, dev_option, shuffled, write_parts
from untuned.rows import Job, Side

QUICK = (500, 150, 400)  # sentences
FOLDS = range(10)
PEER = "CRFsuite, grid of c1, c2"


def column_labels(features):
    """Tutorial features of a column file with the label in its last column."""
    return lambda path: ((features(rows), [row[-1] for row in rows]) for rows in columns(path))


def plain_pos(path):
    for words in pos.sentences(path):
        yield [pos.features(words, t) for t in range(len(words))], [tag for _, tag in words]


# Folder, names of the parts, what counts, and the features of the tutorial.
SETS = {"conll2000": ("conll2000", ("train.txt.gz", None, "test.txt.gz"), "f1", column_labels(chunks)),
        "conll2003_en": ("conll2003_en", ("train.txt.gz", "dev.txt.gz", "test.txt.gz"), "f1", column_labels(entities)),
        **{bank: (f"ud/{bank}", ("train.conllu.gz", "dev.conllu.gz", "test.conllu.gz"), "accuracy", plain_pos)
           for bank in ("en_ewt", "fr_sequoia", "el_gdt", "cs_cltt")}}


def files(session, place, folder, names):
    """The parts of a data set; in a quick run, of its training file."""
    train, dev, test = (name and data(folder, name) for name in names)
    if not session.quick:
        return Parts(train, dev, test)
    held, watched, tested = cut(blocks(train), QUICK)
    return write_parts(place, ".txt", held, tested, watched if dev else None)


def read_labels(path):
    """The labels of an item file."""
    sentences = (block.split("\n") for block in blocks(path))
    return [[line.split("\t", 1)[0] for line in lines if line] for lines in sentences if lines[0]]


def counts(measure, gold, guess):
    if [len(g) for g in gold] != [len(g) for g in guess]:
        raise ValueError("predictions and truth are not of the same sentences")
    count = span_counts if measure == "f1" else token_counts
    return noise.Counts.of_units(count(a, b) for a, b in zip(gold, guess))


FIGURES = {"f1": noise.f1, "accuracy": noise.ratio}


def ours(session, place, parts, gold, measure, options, name="model"):
    """Trained, then the test part is tagged: a Side with the counts of each sentence."""
    model, trained = session.train(place, "tag", parts.train, *dev_option(parts), *options, name=name)
    tagged = session.trellis(place / f"{name}-predict.log", "tag", "predict", parts.test, "--model", model, "--json").output
    found = counts(measure, gold, [json.loads(line)["labels"] for line in tagged.splitlines()])
    agree(FIGURES[measure], found, json.loads(session.evaluate(place, "tag", model, parts.test, name=name))[measure])
    return Side(found, trained.cpu, chosen=chosen(trained))


def crfsuite(session, place, items, gold, measure, name="crfsuite"):
    run = session.peer(place / f"{name}.log", "crfsuite_grid.py", items.train, items.dev or "-", items.test, place / f"{name}.model",
                       "--measure", measure)
    result = json.loads(run.output)
    return Side(counts(measure, gold, result["labels"]), run.cpu, result["cpu"], result["chosen"])


def text_job(name, features):
    """A data set with our template, or with the features of a tutorial."""
    folder, names, measure, tutorial = SETS[name]
    variant = f"{name}:{features}"

    @functools.cache
    def prepared(session):
        place = session.place("tag", variant.replace(":", "-"))
        parts = files(session, place, folder, names)
        items = Parts(*(part and place / f"{part_name}.items" for part, part_name in
                        ((parts.train, "train"), (parts.dev, "dev"), (parts.test, "test"))))
        for source, target in zip((parts.train, parts.dev, parts.test), (items.train, items.dev, items.test)):
            if source and features == "template":
                session.trellis(f"{target}.log", "tag", "features", source, "--output", target)
            elif source:
                write_items(target, tutorial(source))
        return place, parts, items, read_labels(items.test)

    def own(session):
        place, parts, items, gold = prepared(session)
        if features == "template":
            return ours(session, place, parts, gold, measure, [])
        return ours(session, place, items, gold, measure, ["--format", "items"])

    def peer(session):
        place, _, items, gold = prepared(session)
        return crfsuite(session, place, items, gold, measure)

    return Job("tag", variant, measure, FIGURES[measure], own, {PEER: peer})


def read_words():
    """The letters of each word, with the names of their black pixels; by fold."""
    words = collections.OrderedDict()
    with gzip.open(data("ocr_letters", "letter.data.gz"), "rt") as lines:
        for line in lines:
            field = line.rstrip("\n").split("\t")
            fold, letters = words.setdefault(field[3], (int(field[5]), []))
            letters.append((field[1], [f"p{i}" for i in range(128) if field[6 + i] == "1"]))
    folds = collections.defaultdict(list)
    for fold, letters in words.values():
        folds[fold].append(letters)
    return folds


def fold_words(session):
    """(fold, training words, test words, the test words' numbers); a quick run knows no fold but the first."""
    folds = read_words()
    if session.quick:
        train, test = cut(shuffled(folds[0]), (450, 200))
        yield 0, train, test, range(len(test))
        return
    begin = {fold: sum(len(folds[f]) for f in range(fold)) for fold in folds}
    for fold in FOLDS:
        others = [f for f in sorted(folds) if f != fold]
        yield (fold, folds[fold], [word for f in others for word in folds[f]],
               [begin[f] + k for f in others for k in range(len(folds[f]))])


def handwriting_job():
    """Units are words, each with what the runs that it is tested in make of it."""

    def over_folds(session, tag):
        place, totals, cpu, fits, settings = session.place("tag", "ocr_letters"), collections.defaultdict(lambda: [0, 0]), 0, 0, []
        for fold, train, test, numbers in fold_words(session):
            items = []
            for part, words in (("train", train), ("test", test)):
                items.append(place / f"fold{fold}-{part}.items")
                write_items(items[-1], (([pixels for _, pixels in word], [letter for letter, _ in word]) for word in words))
            gold = [[letter for letter, _ in word] for word in test]
            side = tag(session, place, Parts(items[0], None, items[1]), gold, fold)
            (right_of, right), (all_of, everything) = side.counts.columns
            for column, units, values in ((0, right_of, right), (1, all_of, everything)):
                for unit, value in zip(units, values):
                    totals[numbers[unit]][column] += value
            cpu, fits, settings = cpu + side.cpu, fits + (side.fits or 0), settings + [side.chosen]
        rows = [totals[number] for number in sorted(totals)]
        return Side(noise.Counts.of_units(rows), cpu, fits or None, "; ".join(settings))

    def own(session):
        return over_folds(session, lambda session, place, parts, gold, fold: ours(
            session, place, parts, gold, "accuracy", ["--format", "items"], f"fold{fold}"))

    def peer(session):
        return over_folds(session, lambda session, place, parts, gold, fold: crfsuite(
            session, place, parts, gold, "accuracy", f"crfsuite{fold}"))

    return Job("tag", "ocr_letters", "accuracy", noise.ratio, own, {PEER: peer})


def jobs():
    """Every data set with either kind of features, and the letters."""
    found = [text_job(name, features) for name in SETS for features in ("template", "tutorial")]
    return [*found, handwriting_job()]
