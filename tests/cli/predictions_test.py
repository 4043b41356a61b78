"""`evaluate --predictions FILE` in every task: what `predict` wrote scores as the model itself does, and a file that does not fit
is refused with its name and line."""

import json
import os
import unittest

from match_program import graphs
from program import ProgramTest, SOURCE

DATA = SOURCE / "data"


class PredictionsTest(ProgramTest):
    """Each has a model m of its task, a file with the truth, and predictions p."""

    def call(self, *arguments, **more):
        return self.run_program(*arguments, **more)

    def train(self, *arguments):
        self.call("train", *arguments, "--model", self.path("m"), "--quiet")

    def predict(self, *arguments, to="p"):
        self.call("predict", *arguments, "--model", self.path("m"), "--output", self.path(to), "--quiet")
        return self.path(to)

    def by_model(self, *arguments):
        return json.loads(self.call("evaluate", *arguments, "--model", self.path("m"), "--json", "--quiet").out)

    def by_file(self, *arguments, predictions="p"):
        return json.loads(self.call("evaluate", *arguments, "--predictions", self.path(predictions), "--json").out)

    def assertSame(self, truth, *arguments, without=(), model=(), file=()):
        """The figures of both ways, as JSON and, where nothing is left out, as text."""
        expected, found = self.by_model(*truth, *arguments, *model), self.by_file(*truth, *arguments, *file)
        for key in without:
            expected.pop(key, None)
            found.pop(key, None)
        self.assertEqual(found, expected)
        if not without:
            text = [self.call("evaluate", *truth, *arguments, *way).out for way in
                    (("--model", self.path("m"), "--quiet", *model), ("--predictions", self.path("p"), *file))]
            self.assertEqual(*text)

    def assertRefused(self, truth, content, line, saying, *arguments):
        """Predictions with this content are refused at that line."""
        path = self.write("broken", content)
        done = self.refused("evaluate", *truth, "--predictions", path, *arguments, saying=saying)
        self.assertIn(f"{path}:{line}: " if line else f"{path}: ", done.err)
        self.assertEqual(done.out, "")

    def assertPage(self, truth, *arguments):
        self.call("evaluate", *truth, "--predictions", self.path("p"), *arguments, "--report", self.path("r.html"))
        self.assertIn("Evaluation of", self.page("r.html"))

    def lines(self, name="p"):
        return self.read(name).decode().splitlines(keepends=True)


class Tag(PredictionsTest):
    TASK = "tag"

    def setUp(self):
        super().setUp()
        blocks = (DATA / "travel" / "train.txt").read_text().strip().split("\n\n")
        self.write("train", "\n\n".join(blocks[:60]) + "\n\n")
        self.truth = [self.write("truth", "\n\n".join(blocks[60:90]) + "\n\n")]
        self.train(self.path("train"), "--epochs", 8, "--c", 1)
        self.predict(*self.truth)

    def test_the_same_figures(self):
        self.assertSame(self.truth)
        self.assertPage(self.truth)

    def test_labels_alone_and_in_the_place_of_the_truth(self):
        expected = self.by_file(*self.truth)
        fields = [line.split() for line in self.lines()]
        self.write("alone", "".join((f[-1] if f else "") + "\n" for f in fields))
        self.write("replaced", "".join(" ".join(f[:-2] + f[-1:]) + "\n" for f in fields))
        for name in ("alone", "replaced"):
            self.assertEqual(self.by_file(*self.truth, predictions=name), expected)

    def test_conlleval_of_a_model_of_predictions_and_of_both_columns(self):
        convention = ("--convention", "conlleval")
        self.write("both", "".join(" ".join(line.split()) + "\n" for line in self.lines()))
        texts = {self.call("evaluate", *self.truth, *convention, *way, "--quiet").out
                 for way in (("--model", self.path("m")), ("--predictions", self.path("p")))}
        texts.add(self.call("evaluate", self.path("both"), *convention).out)
        self.assertEqual(len(texts), 1, texts)
        self.refused("evaluate", *self.truth, *convention, "--json", saying="cannot be combined with --json", status=2)
        self.refused("evaluate", *self.truth, "--latex", "--model", self.path("m"), saying="--convention conlleval", status=2)

    def test_what_does_not_fit(self):
        lines = self.lines()
        other = ["Xyz" + lines[0]] + lines[1:]
        self.assertRefused(self.truth, "".join(other), 1, "as in")
        self.assertRefused(self.truth, "".join(lines[1:]), 1, "expected a sentence of")
        end = lines.index("\n")
        self.assertRefused(self.truth, "".join(lines[: end + 1]), 0, "found the end of the file")
        self.assertRefused(self.truth, "".join(lines + lines[: end + 1]), len(lines) + 1, "no more sentences")


class Conllu(PredictionsTest):
    TASK = "tag"

    def test_labels_stand_in_their_column(self):
        truth = [DATA / "garden" / "test.conllu"]
        self.train(DATA / "garden" / "dev.conllu", "--epochs", 4, "--c", 1)
        self.predict(*truth)
        self.assertSame(truth, without=("unseen_labels",))


class Items(PredictionsTest):
    TASK = "tag"

    def test_labels_of_items(self):
        text = "".join(f"{y}\tf{(x + k) % 3}\tg{x}\n" for k in range(20) for x, y in ((0, "a"), (1, "b"), (2, "a"))) + "\n"
        truth = [self.write("truth", text * 3)]
        self.train(*truth, "--format", "items", "--epochs", 5, "--c", 1)
        self.predict(*truth)
        self.assertSame(truth, file=("--format", "items"))


class Classify(PredictionsTest):
    TASK = "classify"
    TRUTH = [DATA / "topics" / "test.tsv"]

    def setUp(self):
        super().setUp()
        self.train(DATA / "topics" / "train.tsv", "--c", 1)
        self.predict(*self.TRUTH)

    def test_the_same_figures(self):
        self.assertSame(self.TRUTH)
        self.assertPage(self.TRUTH)
        self.predict(*self.TRUTH, "--json", to="j")
        self.assertEqual(self.by_file(*self.TRUTH, predictions="j"), self.by_file(*self.TRUTH))

    def test_what_does_not_fit(self):
        lines = self.lines()
        self.assertRefused(self.TRUTH, "".join(lines[:-1]), len(lines), "found the end of the file")
        self.assertRefused(self.TRUTH, "".join(lines + lines[:1]), len(lines) + 1, "no more documents")
        self.assertRefused(self.TRUTH, "\n" + "".join(lines[1:]), 1, "expected a")
        self.assertRefused(self.TRUTH, b"\xff\n" + "".join(lines[1:]).encode(), 1, "expected UTF-8, found an invalid byte in column 1")


class Label(PredictionsTest):
    TASK = "label"
    LABELS = ("--labels", DATA / "recipes" / "recipes.xml")

    def test_the_same_figures(self):
        for form, labels in (("arff", self.LABELS), ("libsvm", ())):
            truth = [DATA / "recipes" / f"test.{form}"]
            self.train(DATA / "recipes" / f"train.{form}", "--c", 1, *labels)
            self.predict(*truth)
            self.assertSame(truth, without=("ranking_loss", "unseen_labels"), file=labels)
            self.call("predict", *truth, "--model", self.path("m"), "--json", "--scores", "--output", self.path("p"))
            self.assertAlmostEqual(self.by_file(*truth, *labels)["ranking_loss"], self.by_model(*truth)["ranking_loss"], 12)
        self.assertPage(truth)
        conventions = [self.call("evaluate", *truth, "--convention", "sklearn", *way).out for way in
                       (("--model", self.path("m")), ("--predictions", self.path("p")))]
        self.assertEqual(*map(self.without_per_label, conventions))

    @staticmethod
    def without_per_label(text):
        """The order of labels is that of the model, or of the files."""
        return [line for line in text.splitlines() if "per_label" not in line and "average_precision_macro" not in line
                and "_macro" not in line and "_weighted" not in line]

    def test_what_does_not_fit(self):
        truth = [DATA / "recipes" / "test.arff"]
        self.train(DATA / "recipes" / "train.arff", "--c", 1, *self.LABELS)
        self.predict(*truth)
        lines = self.lines()
        self.assertRefused(truth, "".join(lines[:-1]), len(lines), "found the end of the file", *self.LABELS)
        self.assertRefused(truth, "".join(lines + ["\n"]), len(lines) + 1, "found more", *self.LABELS)
        self.assertRefused(truth, "elephant\n" + "".join(lines[1:]), 1, "expected a label of the file", *self.LABELS)
        self.refused("evaluate", *truth, "--predictions", self.path("p"), "--at-threshold-0", saying="predictions have no thresholds", status=2)

    def test_matrices(self):
        true = [self.write("true", "1 0 1\n0 1 0\n")]
        self.assertRefused(true, "1 0 1\n0 1\n", 2, "expected 3 columns", "--matrix")
        self.assertRefused(true, "1 0 2\n0 1 0\n", 1, "expected 0 or 1", "--matrix")
        self.assertRefused(true, "1 0 1\n", 0, "expected 2 rows of 3 columns", "--matrix")
        self.write("p", "1 0 1\n0 1 0\n")
        self.assertEqual(self.by_file(*true, "--matrix")["subset_accuracy"], 1)


class Rank(PredictionsTest):
    TASK = "rank"
    TRUTH = [DATA / "search" / "test.txt"]

    def setUp(self):
        super().setUp()
        self.train(DATA / "search" / "train.txt", "--expand", "none", "--lambda", 0.1)
        self.predict(*self.TRUTH)

    def test_the_same_figures(self):
        self.assertSame(self.TRUTH, "--per-query")
        self.assertSame(self.TRUTH, "--ndcg", "letor", "--empty", "skip")
        self.assertPage(self.TRUTH)
        self.predict(*self.TRUTH, "--scores", to="s")
        self.assertEqual(self.by_file(*self.TRUTH, predictions="s"), self.by_file(*self.TRUTH))

    def test_conventions_of_a_model_and_of_predictions(self):
        call = ("evaluate", *self.TRUTH, "--convention", "mslr", "--per-query")
        texts = [self.call(*call, *way).out for way in (("--model", self.path("m")), ("--predictions", self.path("p")))]
        self.assertEqual(*texts)
        self.refused(*call, "--predictions", self.path("p"), "--ndcg", "linear", saying="--ndcg", status=2)
        self.refused(*call, "--predictions", self.path("p"), "--json", saying="cannot be combined with --json", status=2)

    def test_what_does_not_fit(self):
        lines = self.lines()
        self.assertRefused(self.TRUTH, "".join(lines[:-1]), len(lines), "found the end of the file")
        self.assertRefused(self.TRUTH, "".join(lines + lines[:1]), len(lines) + 1, "no more documents")
        self.assertRefused(self.TRUTH, "x" + "".join(lines), 1, "expected query")
        self.assertRefused(self.TRUTH, "high\n", 1, "a number")


class Segment(PredictionsTest):
    TASK = "segment"

    def test_masks(self):
        truth = [DATA / "blobs" / "test.list"]
        self.train(DATA / "blobs" / "train.list", "--epochs", 3, "--c", 30)
        self.predict(*truth)
        self.assertSame(truth)
        self.call("evaluate", *truth, "--predictions", self.path("p"), "--report", self.path("r.html"))
        self.assertIn(b"Segmentation of blob12", self.read("r.html"))
        os.remove(self.path("p/blob12.mask.png"))
        self.refused("evaluate", *truth, "--predictions", self.path("p"), saying="blob12.mask.png")

    def test_graphs(self):
        graph = "graph a 4 3\n1 1.5\n1 1\n0 -1\n0 -2\n0 1 1\n1 2 0\n2 3 1\ngraph b 2 1\n1 2\n0 -1\n0 1 0\n"
        truth = [self.write("truth", graph), "--graph"]
        self.train(*truth, "--epochs", 3, "--c", 1)
        self.predict(*truth)
        self.assertSame(truth)
        lines = self.lines()
        self.assertRefused(truth, "".join(lines[:-1]), len(lines), "found the end of the file")
        self.assertRefused(truth, "".join(lines[:1] + ["2\n"] + lines[2:]), 2, "0 or 1")
        self.assertRefused(truth, "".join(lines[5:]), 1, "graph a 4")


class Match(PredictionsTest):
    TASK = "match"

    def test_graphs(self):
        self.write("train", graphs(20))
        truth = [self.write("truth", graphs(10, seed=2, noise=0.8))]
        self.train(self.path("train"), "--lambda", 0.1)
        self.predict(*truth)
        self.assertSame(truth)
        self.assertSame(truth, "--per-graph")
        self.assertPage(truth)
        lines = self.lines()
        self.assertRefused(truth, "".join(lines[6:]), 1, "graph g0 4 4")
        self.assertRefused(truth, lines[0] + lines[1] * 2, 3, "once")
        self.assertRefused(truth, lines[0] + "9 0 1\n", 2, "expected a left node")
        self.assertRefused(truth, "".join(lines[:6]), 7, "found the end of the file")

    def test_pairs_of_shapes(self):
        truth = [DATA / "creatures" / "test.list"]
        self.train("--pairs", DATA / "creatures" / "train.list", "--lambda", 0.1, "--centre", "none")
        self.predict(*truth)
        self.assertSame(truth, file=("--pairs",))


class Parse(PredictionsTest):
    TASK = "parse"
    TRUTH = [DATA / "garden" / "test.conllu"]

    def test_the_same_figures(self):
        self.train(DATA / "garden" / "train.conllu", "--epochs", 2)
        self.predict(*self.TRUTH)
        self.assertSame(self.TRUTH, without=("unseen_labels",))
        for official in ("conllx", "conll07", "ud"):
            texts = [self.call("evaluate", *self.TRUTH, "--official", official, *way).out for way in
                     (("--model", self.path("m"), "--quiet"), ("--predictions", self.path("p")))]
            self.assertEqual(*texts)
        self.assertPage(self.TRUTH)
        score = self.call("score", *self.TRUTH, self.path("p"), "--json").out
        self.assertEqual(score, self.call("evaluate", *self.TRUTH, "--predictions", self.path("p"), "--json").out)
        lines = self.lines()
        broken = [line.replace("\t", "\tX", 1) if line.startswith("1\t") else line for line in lines]
        self.assertRefused(self.TRUTH, "".join(broken), next(i for i, l in enumerate(broken, 1) if l.startswith("1\t")), "the same word as at")


class Grammar(PredictionsTest):
    TASK = "grammar"
    TRUTH = [DATA / "kitchen" / "test.mrg"]

    def test_the_same_figures(self):
        self.train(DATA / "kitchen" / "train.mrg", "--generative")
        self.predict(*self.TRUTH)
        self.assertSame(self.TRUTH, without=("unseen_labels", "partial", "flat"))
        self.assertPage(self.TRUTH)
        lines = self.lines()
        self.assertRefused(self.TRUTH, "".join(lines[:-1]), 0, "found the end")
        self.assertRefused(self.TRUTH, "".join(lines[1:2] + lines[1:]), 1, "with the words of line 1")


class Align(PredictionsTest):
    TASK = "align"

    def test_the_same_figures(self):
        harbour = DATA / "harbour"
        truth = [harbour / "test.en", harbour / "test.fr"]
        gold = ("--gold", harbour / "test.links")
        self.train(harbour / "train.en", harbour / "train.fr", "--unsupervised")
        self.predict(*truth)
        self.assertSame(truth, *gold)
        self.assertSame(truth, *gold, "--per-sentence")
        self.assertPage(truth, *gold)
        self.predict(*truth, "--format", "naacl", to="n")
        self.assertEqual(self.by_file(*truth, *gold, predictions="n"), self.by_file(*truth, *gold))
        lines = self.lines()
        self.assertRefused(truth, "99-0\n" + "".join(lines[1:]), 1, "99", *gold)
        self.assertRefused(truth, "".join(lines[:-1]), len(lines) - 1, "sentence pairs", *gold)


class Factors(PredictionsTest):
    TASK = "factors"

    def by_model(self, *arguments):
        """Without what the search says of its answers: files of predictions do not have it."""
        found = super().by_model(*arguments)
        return {key: found[key] for key in found if key not in ("not_proven", "largest_gap")}

    def test_the_same_figures(self):
        blocks = {part: (DATA / "outings" / f"{part}.txt").read_text().strip().split("\n\n") for part in ("train", "test")}
        self.write("train", "\n\n".join(blocks["train"][:8]) + "\n")
        truth = [self.write("truth", "\n\n".join(blocks["test"][:6]) + "\n")]
        self.train(self.path("train"), "--epochs", 3, "--c", 1)
        self.predict(*truth)
        self.assertSame(truth)
        self.assertPage(truth)
        self.predict(*truth, "--inference", "relaxed", "--marginals", "beliefs", to="r")
        relaxed = self.by_model(*truth, "--inference", "relaxed")
        self.assertEqual(self.by_file(*truth, predictions="r"), relaxed)
        lines = self.lines()
        self.assertRefused(truth, "".join(lines[1:]), 1, "a line with the variable")
        name = lines[0].split()[0]
        self.assertRefused(truth, f"{name} nowhere\n" + "".join(lines[1:]), 1, "expected")
        self.assertRefused(truth, "".join(lines) + "x y\n", len(lines) + 1, "no more graphs")


class Hmm(PredictionsTest):
    TASK = "hmm"
    TRUTH = [DATA / "lighthouse" / "test.tsv"]
    PROBABILITIES = ("log_likelihood", "joint_log_likelihood")

    def test_the_same_figures(self):
        self.train(DATA / "lighthouse" / "train.tsv")
        self.predict(*self.TRUTH)
        self.assertSame(self.TRUTH, without=self.PROBABILITIES)
        self.assertSame(self.TRUTH, "--loss", "ring", without=self.PROBABILITIES)
        self.refused("evaluate", *self.TRUTH, "--predictions", self.path("p"), "--report", self.path("r.html"),
                     saying="a report requires a model", status=2)
        lines = self.lines()
        self.assertRefused(self.TRUTH, "".join(lines[1:]), 1, "expected a sequence of")
        self.assertRefused(self.TRUTH, "X" + "".join(lines), 1, "in column 1")
        end = lines.index("\n")
        self.assertRefused(self.TRUTH, "".join(lines[:end]), 0, "found the end of the file")

    def test_tables_with_a_header(self):
        rows = [line.split("\t") for line in self.TRUTH[0].read_text().split("\n\n")[0].splitlines()]
        header = ",".join([f"c{k}" for k in range(len(rows[0]))])
        truth = [self.write("truth.csv", header + "\n" + "".join(",".join(row) + "\n" for row in rows))]
        self.train(*truth)
        self.predict(*truth, to="p.csv")
        found, expected = self.by_file(*truth, predictions="p.csv"), self.by_model(*truth)
        self.assertEqual(found["error"], expected["error"])


class Bayes(PredictionsTest):
    TASK = "bayes"
    TRUTH = [DATA / "ferry" / "test.csv"]
    HIDE = ("--hide", "departure,queue")

    def test_the_same_figures(self):
        self.train(DATA / "ferry" / "train.csv")
        self.predict(*self.TRUTH, *self.HIDE)
        self.assertSame(self.TRUTH, *self.HIDE, without=("log_likelihood", "joint_log_likelihood"))
        self.refused("evaluate", *self.TRUTH, "--predictions", self.path("p"), saying="--hide", status=2)
        lines = self.lines()
        self.assertRefused(self.TRUTH, "".join(lines[:1] + lines[2:]), 2, "as in", *self.HIDE)
        self.assertRefused(self.TRUTH, "".join(lines[:-1]), len(lines) - 1, "found fewer", *self.HIDE)
        self.assertRefused(self.TRUTH, lines[0].replace("queue", "Queue") + "".join(lines[1:]), 1, "queue", *self.HIDE)


class Topics(PredictionsTest):
    TASK = "topics"
    TRUTH = [DATA / "pastimes" / "test.tsv"]

    def test_classes_of_documents(self):
        self.train(DATA / "pastimes" / "train.tsv", "--kind", "disclda", "--class-topics", 2, "--shared-topics", 1, "--sweeps", 30)
        expected = self.by_model(*self.TRUTH)["classes"]
        for form in ("text", "csv", "json"):
            self.predict(*self.TRUTH, "--as", form)
            found = self.by_file(*self.TRUTH)["classes"]
            self.assertEqual(found, {key: expected[key] for key in found})
        self.predict(*self.TRUTH)
        lines = self.lines()
        self.assertRefused(self.TRUTH, "".join(lines[:-1]), len(lines), "found the end of the file")
        self.assertRefused(self.TRUTH, "".join(lines[1:]), 1, "the class of document")
        self.assertRefused(self.TRUTH, "".join(lines + lines[:1]), len(lines) + 1, "no more documents")

    def test_shares_are_no_classes(self):
        self.train(DATA / "pastimes" / "train.tsv", "--topics", 4, "--sweeps", 5)
        self.predict(*self.TRUTH)
        self.assertRefused(self.TRUTH, self.read("p"), 1, "an id and a class")

    def test_topics_by_their_words(self):
        words = self.write("words", "boat sail wind\nflour oven bread\n")
        found = json.loads(self.call("evaluate", *self.TRUTH, "--topic-words", words, "--json").out)
        self.assertEqual(len(found["topic_npmi"]), 2)
        self.assertIn("mean", self.call("evaluate", *self.TRUTH, "--topic-words", words).out)
        self.refused("evaluate", *self.TRUTH, "--topic-words", self.write("none", "\n"), saying="found none")
        self.refused("evaluate", *self.TRUTH, "--topic-words", words, "--model", "m", saying="--topic-words cannot be combined", status=2)


if __name__ == "__main__":
    unittest.main()
