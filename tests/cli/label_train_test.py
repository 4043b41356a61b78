"""`trellis label train` on the sample data: methods, measures, what it reports, what it refuses, and Ctrl-C."""

import json
import pathlib
import signal
import subprocess
import time
import unittest

from label_program import LABELS, RECIPES, TEST, TRAIN, LabelTest
from program import PROGRAM


class Training(LabelTest):
    def train(self, *arguments, model="m", file=TRAIN, status=0):
        labels = ["--labels", LABELS] if str(file).endswith(".arff") else []
        if not {"--c", "--lambda"} & set(arguments) and "perceptron" not in arguments:
            arguments = ("--c", "0.003,0.03" if "--method" not in arguments else "1,10", *arguments)
        if not {"--dev", "--cv"} & set(arguments):
            arguments = ("--cv", 3, *arguments)
        return self.label("train", file, *labels, "--model", self.path(model), *arguments, status=status)

    def test_every_method_is_better_than_guessing(self):
        for arguments, key in (
            ([], "macro_f1"),
            (["--method", "logistic"], "macro_f1"),
            (["--method", "svm"], "macro_f1"),
            (["--method", "chain"], "macro_f1"),
            (["--measure", "example-f1", "--c", "0.1,1"], "example_f1"),
            (["--measure", "example-f1", "--learner", "bcfw", "--c", "0.1"], "example_f1"),
            (["--measure", "example-f1", "--pairwise", "--c", "0.1"], "example_f1"),
            (["--measure", "macro-f1", "--joint", "--c", "0.01"], "macro_f1"),
        ):
            with self.subTest(arguments=arguments):
                self.train(*arguments)
                self.assertGreater(self.evaluate(TEST, model=self.path("m"))[key], 0.6)

    def test_every_learner_of_a_method_can_be_called(self):
        cuts = "bmrm bcfw dca sgd perceptron"
        for arguments, learners in (
            ([], cuts),
            (["--joint"], cuts),
            (["--measure", "example-f1"], cuts),
            (["--measure", "example-f1", "--pairwise", "--pairs", "0.2"], cuts),
            (["--method", "logistic"], "lbfgs dca sgd bcfw bmrm"),
            (["--method", "chain"], "lbfgs dca sgd bcfw bmrm"),
            (["--method", "svm"], cuts + " mira extragradient projected-gradient qp"),
        ):
            for learner in learners.split():
                with self.subTest(arguments=arguments, learner=learner):
                    few = [] if learner == "qp" else ["--epochs", 10]
                    held = [] if learner == "perceptron" else ["--c", 0.1]
                    done = self.train(*arguments, *held, *few, "--learner", learner, "--thresholds", "train", "--json", "--quiet")
                    self.assertEqual(json.loads(done.out)["learner"], learner)

    def test_settings_are_chosen_by_the_dev_set_where_there_is_one(self):
        done = json.loads(self.train("--json", "--quiet", "--dev", TEST, "--c", "0.001,0.03", "--learner", "bcfw", "--cache", "5,20").out)
        self.assertEqual(done["chosen_by"], "macro-f1 on the dev set")
        self.assertEqual(len(done["choices"]), 4)
        self.assertNotIn("folds", done)
        best = [row["figure"] for row in done["choices"] if row["c"] == done["c"] and row["cache"] == done["dials"]["cache"]]
        self.assertAlmostEqual(best[0], done["dev"]["macro_f1"])

    def test_one_run_is_watched_on_the_dev_set(self):
        self.train("--measure", "example-f1", "--c", 1, "--dev", TEST, "--history", self.path("h"), "--patience", 3)
        dev = [json.loads(line)["dev"] for line in self.read("h").splitlines()]
        self.assertTrue(all(0 < figure <= 1 for figure in dev))
        self.assertLessEqual(len(dev), dev.index(max(dev)) + 1 + 3)

    def test_json_has_the_promised_keys(self):
        done = json.loads(self.train("--json", "--quiet", "--dev", TEST, "--cv", 3).out)
        for key in ("objective", "bound", "gap", "epochs", "seconds", "c", "lambda", "cv"):
            self.assertIsNotNone(done[key], key)
        self.assertLessEqual(done["gap"], 1e-3 * done["objective"])
        self.assertEqual(done["measure"], "macro-f1")
        self.assertEqual(done["thresholds"], "both")
        self.assertAlmostEqual(done["dev"]["macro_f1"], self.evaluate(TEST, model=self.path("m"))["macro_f1"])
        self.assertIn("macro_f1", done["dev_at_threshold_0"])
        self.assertIn(done["c"], [row["c"] for row in done["cv"]])

    def test_lambda_is_one_over_c_times_labels(self):
        done = json.loads(self.train("--json", "--quiet", "--lambda", 2).out)
        self.assertAlmostEqual(done["c"], 1 / (2 * 7))
        self.assertAlmostEqual(done["lambda"], 2)

    def test_the_measure_that_is_trained_for_wins(self):
        figures = {}
        for measure in ("macro-fbeta:0.2", "macro-fbeta:5"):
            self.train("--measure", measure)
            figures[measure] = [self.evaluate(TEST, "--beta", beta, model=self.path("m"))["macro_f_beta"] for beta in (0.2, 5)]
        self.assertGreater(figures["macro-fbeta:0.2"][0], figures["macro-fbeta:5"][0])
        self.assertGreater(figures["macro-fbeta:5"][1], figures["macro-fbeta:0.2"][1])

    def test_same_call_same_bytes(self):
        self.train("--threads", 1, model="a")
        self.train("--threads", 3, model="b")
        self.assertEqual(self.read("a"), self.read("b"))

    def test_libsvm_files_need_no_list_of_labels(self):
        self.train(file=RECIPES / "train.libsvm")
        self.assertGreater(self.evaluate(RECIPES / "test.libsvm", model=self.path("m"))["macro_f1"], 0.65)

    def test_the_report_is_one_page(self):
        self.train("--measure", "example-f1", "--c", 0.1, "--dev", TEST, "--report", self.path("t.html"), "--history",
                   self.path("h.jsonl"))
        self.assertNotIn("Choice of settings", self.read("t.html").decode("utf-8"))
        self.train("--c", "0.1,1", "--dev", TEST, "--report", self.path("c.html"))
        self.assertIn("Choice of settings", self.read("c.html").decode("utf-8"))
        epochs = [json.loads(line) for line in self.read("h.jsonl").splitlines()]
        self.assertEqual([e["epoch"] for e in epochs], list(range(1, len(epochs) + 1)))

    def test_what_does_not_go_together_is_said_before_any_work(self):
        for arguments, saying in (
            (["--pairwise"], "mean over instances"),
            (["--measure", "micro-f1"], "macro-f1"),
            (["--c", 1, "--lambda", 1], "give one of them"),
            (["--c", 0], "above 0"),
            (["--gap", -1], "from 0 on"),
            (["--learner", "lbfgs"], "no sums over its outputs"),
            (["--learner", "mira"], "k best outputs"),
            (["--learner", "bmrm", "--cache", 3], "bmrm has no --cache"),
            (["--method", "logistic", "--loss", "svm"], "choose the method svm"),
            (["--measure", "example-f1", "--pairwise", "--learner", "dca", "--dual", "online"], "negative"),
            (["--cv", 1], "at least 2 folds"),
            (["--learner", "perceptron", "--voters", "0,3"], "cannot keep voters"),
            (["--joint", "--method", "svm"], "joint"),
            (["--scale", "standard"], "sparse"),
        ):
            with self.subTest(arguments=arguments):
                done = self.label("train", TRAIN, "--labels", LABELS, "--model", self.path("m"), "--quiet", *arguments, status=2)
                self.assertIn(saying, done.err)
                self.assertEqual(self.files(), [])

    def test_bad_data_is_refused_with_its_place(self):
        empty = self.write("empty.svm", " 1:1\n 2:1\n")
        self.refused("train", empty, "--model", self.path("m"), "--quiet", saying="expected instances with labels")
        few = self.write("few.svm", "1 1:1\n2 2:1\n")
        self.refused("train", few, "--model", self.path("m"), "--quiet", saying="5 folds of 2 instances", status=2)
        self.refused("train", TRAIN, "--labels", LABELS, "--model", self.path("no/such/m"), "--quiet", saying="no/such")
        self.assertNotIn("m", self.files())


class Interruption(LabelTest):
    def interrupt(self, *arguments):
        """Ends `trellis label train` by SIGINT as soon as it has said something, and returns what it said."""
        with subprocess.Popen([PROGRAM, "label", "train", str(TRAIN), "--labels", str(LABELS), "--model", self.path("m"),
                               *map(str, arguments)], stderr=subprocess.PIPE) as process:
            process.stderr.readline()
            self.before_signal()
            process.send_signal(signal.SIGINT)
            said = process.stderr.read().decode("utf-8")
            return process.wait(), said

    def before_signal(self):
        pass

    def resumed(self, *arguments):
        """Interrupts a call once, and compares what it comes to with an uninterrupted one."""
        status, said = self.interrupt(*arguments)
        if status == 0:
            self.skipTest("training was over before the signal came")
        self.assertEqual(status, 130, said)
        self.assertIn("--resume", said)
        self.assertEqual(self.files(), ["m.checkpoint"])
        self.label("train", TRAIN, "--labels", LABELS, "--model", self.path("m"), *arguments, "--resume")
        self.label("train", TRAIN, "--labels", LABELS, "--model", self.path("whole"), *arguments)
        self.assertEqual(self.read("m"), self.read("whole"))
        self.assertNotIn("m.checkpoint", self.files())

    def test_training_label_by_label_goes_on_to_the_same_model(self):
        self.resumed("--gap", 1e-9, "--c", 1e3, "--epochs", 500, "--thresholds", "train")

    def test_cross_validation_goes_on_to_the_same_model(self):
        self.resumed("--gap", 1e-5, "--c", "0.1,1,10", "--cv", 4)

    def test_other_data_or_options_are_refused(self):
        status, _ = self.interrupt("--gap", 1e-9, "--c", 1e6, "--epochs", 100000)
        self.assertEqual(status, 130)
        call = ("train", TEST, "--labels", LABELS, "--model", self.path("m"), "--gap", 1e-9, "--epochs", 100000, "--resume", "--quiet")
        self.refused(*call, "--c", 1e6, saying="another run")
        self.refused("train", TRAIN, *call[2:], "--c", 1e5, saying="another run")

    def test_one_run_goes_on_to_the_same_model(self):
        arguments = ("--measure", "example-f1", "--c", 30, "--thresholds", "train", "--history", self.path("h"), "--gap", 1e-5)
        self.before_signal = self.wait_for_epochs
        status, said = self.interrupt(*arguments)
        if status == 0:
            self.skipTest("training was over before the signal came")
        self.assertEqual(status, 130, said)
        self.assertIn("--resume", said)
        self.assertNotIn("m", self.files())
        self.label("train", TRAIN, "--labels", LABELS, "--model", self.path("m"), *arguments, "--resume")
        whole = [a if a != self.path("h") else self.path("h2") for a in arguments]
        self.label("train", TRAIN, "--labels", LABELS, "--model", self.path("whole"), *whole)
        self.assertEqual(self.read("m"), self.read("whole"))
        self.assertNotIn("m.checkpoint", self.files())

    def wait_for_epochs(self):
        history = pathlib.Path(self.path("h"))
        for _ in range(3000):
            if history.exists() and history.read_bytes().count(b"\n") > 2:
                return
            time.sleep(0.01)


if __name__ == "__main__":
    unittest.main()
