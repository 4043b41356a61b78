"""Every learner in every task: what docs/learners.md allows trains a model that `evaluate` loads, and the rest is refused.

A cell is a task and a learner, `dca` with either dual and `extragradient` with either geometry: the rows of that page. The data
are beginnings of the samples in data/, so small that even the joint convex program is quick.
"""

import pathlib
import unittest

from program import ProgramTest, SOURCE

DATA = SOURCE / "data"

ROWS = (
    ("perceptron",),
    ("mira",),
    ("sgd",),
    ("dca", "--dual", "online"),
    ("dca", "--dual", "stored"),
    ("lbfgs",),
    ("bmrm",),
    ("bcfw",),
    ("extragradient", "--geometry", "euclidean"),
    ("extragradient", "--geometry", "entropic"),
    ("projected-gradient",),
    ("smo",),
    ("structured-smo",),
    ("qp",),
)


def rows(*learners):
    """All rows of these learners; "dca stored" is one of two."""
    return {row for row in ROWS if row[0] in learners or f"{row[0]} {row[-1]}" in learners}


# What cannot be done, and why: for flat labels alone; no k best, no sums, weights of edges >= 0; costs that are not linear.
FLAT = rows("smo")
REFUSED = {
    "tag": FLAT,
    "classify": set(),
    "segment": FLAT | rows("mira", "lbfgs", "dca online", "extragradient entropic", "structured-smo"),
    "rank": FLAT,
    "match": FLAT,
    "parse": FLAT | rows("structured-smo"),
    "grammar": FLAT,
    "label": FLAT | rows("mira", "lbfgs", "extragradient", "projected-gradient", "structured-smo", "qp"),
    "factors": FLAT | rows("extragradient", "projected-gradient", "structured-smo", "qp"),
}
CELLS = {"tag": 13, "classify": 14, "segment": 8, "rank": 13, "match": 13, "parse": 12, "grammar": 13, "label": 6, "factors": 8}


def lines_of(*path):
    return DATA.joinpath(*path).read_text(encoding="utf-8").splitlines(keepends=True)


def tag_files(folder):
    sentences = "".join(lines_of("travel", "train.txt")).strip().split("\n\n")
    short = [text for text in sentences if text.count("\n") < 6][:3]
    (folder / "train.txt").write_text("\n\n".join(short) + "\n\n", encoding="utf-8")
    return ("train.txt",), ()


def classify_files(folder):
    (folder / "train.tsv").write_text("".join(lines_of("topics", "train.tsv")[:6]), encoding="utf-8")
    return ("train.tsv",), ()


def segment_files(folder):
    pictures = [line.split() for line in lines_of("blobs", "train.list")[:2]]
    (folder / "train.list").write_text("".join(f"{DATA}/blobs/{a} {DATA}/blobs/{b}\n" for a, b in pictures))
    return ("train.list",), ("--scale", 0.1)


def rank_files(folder):
    lines = [line for line in lines_of("search", "train.txt") if line.split()[1] in ("qid:1", "qid:2")]
    (folder / "train.txt").write_text("".join(lines))
    return ("train.txt",), ()


def match_files(folder):
    pairs = [line.replace(".png", ".txt").split() for line in lines_of("creatures", "train.list")[:2]]
    for name in {name for pair in pairs for name in pair}:
        (folder / name).write_text("".join(lines_of("creatures", name.replace(".txt", ".points"))[:5]))
    (folder / "train.list").write_text("".join(f"{a} {b}\n" for a, b in pairs))
    return ("train.list",), ("--pairs",)


def label_files(folder):
    lines = lines_of("recipes", "train.arff")
    data = next(k for k, line in enumerate(lines) if line.strip().lower() == "@data")
    (folder / "train.arff").write_text("".join(lines[: data + 21]), encoding="utf-8")
    return ("train.arff",), ("--labels", DATA / "recipes" / "recipes.xml")


def parse_files(folder):
    sentences = "".join(lines_of("garden", "train.conllu")).strip().split("\n\n")
    short = sorted(sentences, key=lambda text: text.count("\n"))[:3]
    (folder / "train.conllu").write_text("\n\n".join(short) + "\n\n", encoding="utf-8")
    return ("train.conllu",), ()


def grammar_files(folder):
    trees = [line for line in lines_of("kitchen", "train.mrg") if line.startswith("( (S ") and line.count("(") == line.count(")")]
    (folder / "train.mrg").write_text("".join(sorted(trees, key=len)[:3]), encoding="utf-8")
    return ("train.mrg",), ("--jackknife", 2)


def factors_files(folder):
    blocks = "".join(lines_of("outings", "train.txt")).strip().split("\n\n")
    (folder / "train.txt").write_text("\n\n".join(blocks[:4]) + "\n", encoding="utf-8")
    return ("train.txt",), ()


FILES = {
    "tag": tag_files,
    "classify": classify_files,
    "segment": segment_files,
    "rank": rank_files,
    "match": match_files,
    "parse": parse_files,
    "grammar": grammar_files,
    "label": label_files,
    "factors": factors_files,
}


class EveryCell(ProgramTest):
    """One test for each task, over all rows."""

    def try_rows(self, task):
        self.TASK = task  # pylint: disable=invalid-name
        names, options = FILES[task](self.folder)
        files = [self.path(name) for name in names]
        for row in ROWS:
            with self.subTest(task=task, cell=" ".join(row)):
                learner, *dials = row
                if learner != "perceptron":
                    dials += ["--c", 1]
                if learner != "qp":
                    dials += ["--epochs", 2]
                call = ("train", *files, *options, "--model", self.path("m"), "--threads", 1, "--learner", learner, *dials)
                pathlib.Path(self.path("m")).unlink(missing_ok=True)
                if row in REFUSED[task]:
                    done = self.run_program(*call, status=2)
                    self.assertOneSentence(done.err)
                    self.assertEqual(self.files().count("m"), 0)
                else:
                    self.run_program(*call, "--quiet")
                    self.run_program("evaluate", *files, "--model", self.path("m"))

    def test_tag(self):
        self.try_rows("tag")

    def test_classify(self):
        self.try_rows("classify")

    def test_segment(self):
        self.try_rows("segment")

    def test_rank(self):
        self.try_rows("rank")

    def test_match(self):
        self.try_rows("match")

    def test_parse(self):
        self.try_rows("parse")

    def test_grammar(self):
        self.try_rows("grammar")

    def test_label(self):
        self.try_rows("label")

    def test_factors(self):
        self.try_rows("factors")

    def test_there_are_100(self):
        allowed = {task: len(ROWS) - len(refused) for task, refused in REFUSED.items()}
        self.assertEqual(allowed, CELLS)
        self.assertEqual(sum(allowed.values()), 100)


if __name__ == "__main__":
    unittest.main()
