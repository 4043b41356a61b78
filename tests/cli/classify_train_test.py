"""`trellis classify train`, `evaluate` and `inspect` on the sample data."""

import json
import unittest

from classify_program import TEST, TOPICS, TRAIN, ClassifyTest


class Training(ClassifyTest):
    def test_every_learner_is_better_than_guessing(self):
        for arguments in (
            [],
            ["--loss", "maxent"],
            ["--learner", "dca"],
            ["--learner", "dca", "--dual", "stored"],
            ["--learner", "sgd", "--epochs", 5],
            ["--learner", "perceptron"],
            ["--learner", "mira"],
            ["--learner", "bcfw"],
            ["--learner", "bmrm"],
            ["--learner", "extragradient"],
            ["--learner", "extragradient", "--geometry", "euclidean"],
            ["--learner", "projected-gradient"],
            ["--learner", "smo"],
            ["--learner", "smo", "--loss", "maxent"],
            ["--learner", "smo", "--loss", "softmax-margin"],
            ["--learner", "structured-smo"],
            ["--learner", "qp"],
            ["--kernel", "poly:2"],
            ["--kernel", "rbf:1", "--kernel-rank", 150, "--loss", "maxent"],
            ["--kernel", "rbf:1", "--learner", "extragradient", "--implicit"],
            ["--learner", "naive-bayes"],
            ["--learner", "naive-bayes", "--complement"],
            ["--learner", "naive-bayes", "--bernoulli"],
            ["--ngrams", 2, "--weighting", "binary", "--normalize", "none", "--keep-case"],
        ):
            with self.subTest(arguments=arguments):
                self.train_model(*arguments)
                self.assertGreater(self.evaluate()["accuracy"], 50)

    def test_json_has_the_promised_keys(self):
        done = json.loads(self.train_model("--json", "--quiet").out)
        for key in ("objective", "bound", "gap", "epochs", "seconds", "c", "lambda"):
            self.assertIsNotNone(done[key], key)
        self.assertEqual(done["learner"], "smo")
        self.assertEqual(done["dials"]["gap"], 0.001)
        self.assertLessEqual(done["gap"], 1e-3)
        scores = self.evaluate()
        self.assertAlmostEqual(scores["accuracy"] + scores["error"], 100)
        self.assertEqual(scores["examples"], 50)
        self.assertEqual(set(scores["labels"]), {"cooking", "computing", "gardening", "sport", "weather"})
        self.assertEqual(scores["unseen_labels"], [])

    def test_another_seed_is_another_run(self):
        self.train_model(model="a")
        self.train_model("--seed", 2, model="b")
        self.assertNotEqual(self.read("a"), self.read("b"))

    def test_vectors_and_several_files(self):
        one = self.write("one.svm", "+1 1:1 3:0.5\n-1 2:1\n# a comment\n")
        two = self.write("two.svm", "1 1:0.9\n-1 2:0.8 1:0.1\n")
        self.train_model(files=[one, two])
        self.assertEqual(self.predict("7:1 1:2\n-1 2:1\n").out, "1\n-1\n")

    def measured(self):
        """Two columns in units of their own; the second decides."""
        lines = []
        for k in range(60):
            lines.append(f"{'ab'[k % 2]} 1:{5000 + 997 * (7 * k % 11)} 2:{0.002 + 0.001 * (k % 2) + 0.00001 * (k % 7):.6f}\n")
        return self.write("measured.svm", "".join(lines))

    def test_measured_values_are_brought_to_one_scale(self):
        file = self.measured()
        done = self.train_model(files=[file])
        self.assertIn("scaled 2 columns to mean 0 and standard deviation 1 (use --scale none to keep them unchanged)", done.err)
        self.assertEqual(self.evaluate(file)["accuracy"], 100)
        self.assertEqual(self.predict("1:6000 2:0.002\n1:6000 2:0.0031\n").out, "a\nb\n")
        found = json.loads(self.classify("inspect", "--model", self.path("m"), "--json").out)
        self.assertTrue(found["scaled"])
        self.assertEqual(found["training"]["scale"], "deviation")
        strongest = found["strongest"]["b"]["for"][0]
        self.assertEqual(strongest["feature"], "2")
        self.assertGreater(strongest["weight"], 100)  # for one unit, and the column has thousandths
        self.assertIn("-1 ... 1", self.train_model("--scale", "range", files=[file]).err)
        self.assertNotIn("scaled", self.train_model("--scale", "none", "--c", 1, files=[file]).err)

    def test_a_run_that_does_not_arrive_says_so(self):
        done = self.train_model("--scale", "none", "--c", 1, "--epochs", 3, files=[self.measured()])
        self.assertIn("--epochs 3 ended the run before its tolerance was reached", done.err)
        self.assertIn("--scale deviation", done.err)
        short = ("--epochs", 1, "--gap", 1e-9)
        for scale in ("auto", "deviation"):  # which auto comes to here
            done = self.train_model("--scale", scale, "--c", 1, *short, files=[self.measured()])
            self.assertIn("--epochs 1 ended the run before its tolerance was reached", done.err)
            self.assertNotIn("--scale deviation", done.err)
        self.assertIn("a larger --lambda", self.train_model("--lambda", 0.01, *short).err)
        # Without a gap to prove it by, who says --epochs is not told what that means.
        self.assertNotIn("ended the run", self.train_model("--loss", "maxent", "--epochs", 2).err)
        self.assertNotIn("ended the run", self.train_model().err)
        self.assertNotIn("ended the run", self.train_model("--learner", "sgd", "--epochs", 2).err)

    def test_the_report_is_one_page(self):
        self.train_model("--dev", TEST, "--report", self.path("t.html"), "--history", self.path("h.jsonl"))
        page = self.read("t.html").decode("utf-8")
        for heading in ("Training", "Scores by label", "Confusion", "Mistakes", "Strongest features"):
            self.assertIn(heading, page)
        epochs = [json.loads(line) for line in self.read("h.jsonl").splitlines()]
        self.assertEqual([e["epoch"] for e in epochs], list(range(1, len(epochs) + 1)))
        self.classify("evaluate", TEST, "--model", self.path("m"), "--report", self.path("e.html"))
        self.assertIn("Macro-F1", self.read("e.html").decode("utf-8"))

    def test_inspect_names_the_words_of_a_topic(self):
        self.train_model()
        found = json.loads(self.classify("inspect", "--model", self.path("m"), "--json", "--top", 40).out)
        self.assertEqual(found["training"]["learner"], "smo")
        self.assertIn("goal", [f["feature"] for f in found["strongest"]["sport"]["for"]])
        self.assertIn("rain", self.classify("inspect", "--model", self.path("m"), "--top", 40).out)

    def test_a_dev_set_is_watched(self):
        done = json.loads(self.train_model("--learner", "perceptron", "--dev", TEST, "--json").out)
        self.assertGreaterEqual(done["best_epoch"], 1)
        self.assertAlmostEqual(done["dev"]["accuracy"], self.evaluate()["accuracy"])

    def test_a_dial_is_chosen_by_folds_or_by_the_dev_set(self):
        done = json.loads(self.train_model("--c", "0.001,1,10", "--cv", 4, "--json").out)
        self.assertEqual([row["c"] for row in done["choices"]], [0.001, 1, 10])
        best = max(done["choices"], key=lambda row: row["figure"])
        self.assertEqual(done["c"], best["c"])
        self.assertGreater(best["figure"], 25)  # five labels
        done = json.loads(self.train_model("--learner", "mira", "--k", "1,3", "--dev", TEST, "--json").out)
        self.assertEqual(len(done["choices"]), 2)
        self.assertIn("dev", done["chosen_by"])

    def test_a_kernel_is_part_of_the_model(self):
        exclusive = self.write("xor.svm", "a 1:1 2:1\na 1:-1 2:-1\nb 1:1 2:-1\nb 1:-1 2:1\n")
        for arguments in ([], ["--learner", "extragradient", "--implicit"]):
            with self.subTest(arguments=arguments):
                done = json.loads(self.train_model(
                    "--kernel", "poly:2", "--c", 100, *arguments, "--json", files=[exclusive]).out)
                self.assertLessEqual(done["pivots"], 4)
                self.assertEqual(self.evaluate(exclusive)["accuracy"], 100)
                found = json.loads(self.classify("inspect", "--model", self.path("m"), "--json").out)
                self.assertEqual(found["kernel"], "poly:2:1")
                self.assertTrue(found["strongest"]["a"]["for"][0]["feature"].startswith("like "))

    def test_labels_that_training_has_not_seen_count_as_missed(self):
        self.train_model()
        other = self.write("other.tsv", "sport\tthe goal in the last match\nmusic\ta song\n")
        done = self.classify("evaluate", other, "--model", self.path("m"), "--json")
        self.assertIn("no label 'music'", done.err)
        self.assertEqual(json.loads(done.out)["accuracy"], 50)
        self.assertEqual(json.loads(done.out)["unseen_labels"], ["music"])

    def test_help_says_what_there_is(self):
        text = self.classify("train", "--help").out
        for word in ("--learner", "naive-bayes", "--weighting", "--columns", "--resume", "--c "):
            self.assertIn(word, text)


class Refusals(ClassifyTest):
    def call(self, *arguments, files=(TRAIN,)):
        return ["train", *files, "--model", self.path("m"), "--quiet", *arguments]

    def test_what_does_not_fit_together(self):
        for arguments, saying in (
            (["--learner", "lbfgs", "--loss", "svm"], "lbfgs needs a gradient"),
            (["--learner", "mira", "--loss", "maxent"], "requires the hinge"),
            (["--learner", "naive-bayes", "--scale", "range"], "it cannot be combined with --scale"),
            (["--scale", "much"], "much"),
            (["--learner", "naive-bayes", "--loss", "svm"], "it cannot be combined with --loss"),
            (["--learner", "naive-bayes", "--c", 2], "its only setting is --alpha"),
            (["--learner", "naive-bayes", "--epochs", 2], "its only setting is --alpha"),
            (["--learner", "naive-bayes", "--c", "1,2", "--cv", 2], "its only setting is --alpha"),
            (["--alpha", 2], "--alpha requires --learner naive-bayes"),
            (["--complement"], "--complement requires --learner naive-bayes"),
            (["--bernoulli"], "--bernoulli requires --learner naive-bayes"),
            (["--learner", "naive-bayes", "--bernoulli", "--complement"], "--complement and --bernoulli cannot be combined"),
            (["--learner", "naive-bayes", "--bernoulli", "--weighting", "count"], "it cannot be combined with --weighting or --normalize"),
            (["--learner", "naive-bayes", "--bernoulli", "--no-bias"], "it cannot be combined with --no-bias"),
            (["--learner", "naive-bayes", "--alpha", "0.1,1"], "--alpha is '0.1,1': expected one number above 0 (naive Bayes takes one value"),
            (["--learner", "naive-bayes", "--alpha", "much"], "--alpha is 'much': expected one number above 0"),
            (["--kernel", "rbf"], "unknown kernel 'rbf'"),
            (["--kernel-rank", 3], "--kernel-rank requires --kernel"),
            (["--kernel", "rbf:1", "--implicit"], "only extragradient"),
            (["--learner", "smo", "--dual", "stored"], "--dual cannot be combined with the learner smo"),
            (["--learner", "sgd", "--cache", 3], "--cache cannot be combined with the learner sgd"),
            (["--learner", "perceptron", "--voters", 3], "--voters is not possible"),
            (["--loss", "hinge"], "hinge"),
            (["--c", 0], "--c is '0': expected a number above 0"),
            (["--columns", "label,words"], "unknown column 'words'"),
            (["--format", "libsvm", "--columns", "label,text"], "no columns"),
            (["--label-weight", "sport"], "expected LABEL=WEIGHT"),
            (["--label-weight", "fish=2"], "does not occur"),
        ):
            with self.subTest(arguments=arguments):
                self.refused(*self.call(*arguments), saying=saying, status=2)

    def test_bad_files(self):
        for content, saying in (
            ("", "expected examples to learn from, found none"),
            ("a\tb\na\tc\n", "expected at least two labels"),
            ("a\tb\n\nc\td\n", "bad:2: expected an example, found an empty line"),
            ("1 1:1\n2 1:nan\n", 'bad:2: column 3: expected a finite number after the colon, found "1:nan"'),
            ("1 1:1\n2 1:1 1:2\n", "bad:2: expected each index once, found 1 twice"),
            ("1 1:1\n2 99999999999:1\n", "bad:2: column 3: expected an index up to 4294967295"),
            ("1 qid:2 1:1\n0 qid:2 2:1\n", "bad:1: column 3: this is ranking data: use"),
            (b"a\t\xff\n", "bad:1: expected UTF-8"),
        ):
            with self.subTest(content=content):
                self.refused(*self.call(files=[self.write("bad", content)]), saying=saying)
        self.refused(*self.call(files=[self.path("none")]), saying="none: cannot open")
        self.assertNotIn("m", self.files())

    def test_a_folder_that_does_not_exist_is_found_before_training(self):
        self.refused("train", TRAIN, "--model", self.path("no/m"), saying="no/")

    def test_sample_files_have_what_the_page_says(self):
        self.assertEqual(len(TRAIN.read_text().splitlines()), 160)
        self.assertEqual(len((TOPICS / "test.tsv").read_text().splitlines()), 50)


if __name__ == "__main__":
    unittest.main()
