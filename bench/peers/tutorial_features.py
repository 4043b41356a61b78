"""The features of CRFsuite's tutorials, for chunks and named entities, and plain ones for parts of speech, as item files.

Chunks: www.chokkan.org/software/crfsuite/tutorial.html. Named entities: the example notebook of python-crfsuite."""

import gzip

W = [((-2,), 0), ((-1,), 0), ((0,), 0), ((1,), 0), ((2,), 0), ((-1, 0), 0), ((0, 1), 0)]
P = [(o, 1) for o in ((-2,), (-1,), (0,), (1,), (2,), (-2, -1), (-1, 0), (0, 1), (1, 2), (-2, -1, 0), (-1, 0, 1), (0, 1, 2))]
NAMES = {0: "w", 1: "pos"}


def columns(path):
    """The sentences of a column file or of CoNLL-U: lists of fields. Lines that are no tokens of a sentence are left out."""
    rows = []
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            if not fields:
                if rows:
                    yield rows
                rows = []
            elif fields[0] != "-DOCSTART-":
                rows.append(fields)
    if rows:
        yield rows


def chunks(rows):
    """Words and tags in a window, and their n-grams."""
    items = []
    for t in range(len(rows)):
        token = []
        for offsets, column in W + P:
            if all(0 <= t + o < len(rows) for o in offsets):
                name = "|".join(f"{NAMES[column]}[{o}]" for o in offsets)
                token.append(name + "=" + "|".join(rows[t + o][column] for o in offsets))
        items.append(token)
    items[0].append("__BOS__")
    items[-1].append("__EOS__")
    return items


def entities(rows):
    """The word, its case and its end, its tag, and those of its neighbours."""

    def near(t, mark):
        word, tag = rows[t][:2]
        return [f"{mark}word.lower={word.lower()}", f"{mark}word.istitle={word.istitle()}", f"{mark}word.isupper={word.isupper()}",
                f"{mark}postag={tag}", f"{mark}postag[:2]={tag[:2]}"]

    items = []
    for t in range(len(rows)):
        word = rows[t][0]
        token = ["bias", *near(t, ""), f"word[-3:]={word[-3:]}", f"word[-2:]={word[-2:]}", f"word.isdigit={word.isdigit()}"]
        token += near(t - 1, "-1:") if t else ["BOS"]
        token += near(t + 1, "+1:") if t + 1 < len(rows) else ["EOS"]
        items.append(token)
    return items


def escape(text):
    """A name as item files have it."""
    return text.replace("\\", "\\\\").replace(":", "\\:")


def write_items(path, labelled):
    """labelled: for each sentence its items and its labels."""
    with open(path, "w", encoding="utf-8") as out:
        for items, labels in labelled:
            for token, label in zip(items, labels):
                out.write("\t".join([label, *map(escape, token)]) + "\n")
            out.write("\n")
