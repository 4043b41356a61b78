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
        if not {"--c", "--lambda", "--grid"} & set(arguments):
            arguments = ("--grid", "0.003,0.03" if "--method" not in arguments else "1,10", *arguments)
        return self.label("train", file, *labels, "--model", self.path(model), "--cv", 3, *arguments, status=status)

    def test_every_method_is_better_than_guessing(self):
        for arguments, key in (
            ([], "macro_f1"),
            (["--method", "logistic"], "macro_f1"),
            (["--method", "svm"], "macro_f1"),
            (["--method", "chain"], "macro_f1"),
            (["--measure", "example-f1", "--grid", "0.1,1"], "example_f1"),
            (["--measure", "example-f1", "--learner", "bcfw", "--grid", "0.1"], "example_f1"),
            (["--measure", "example-f1", "--pairwise", "--grid", "0.1"], "example_f1"),
            (["--measure", "macro-f1", "--joint", "--grid", "0.01"], "macro_f1"),
        ):
            with self.subTest(arguments=arguments):
                self.train(*arguments)
                self.assertGreater(self.evaluate(TEST, model=self.path("m"))[key], 0.6)

    def test_json_has_the_promised_keys(self):
        done = json.loads(self.train("--json", "--quiet", "--dev", TEST).out)
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
        self.assertIn("<html", self.read("t.html").decode("utf-8"))
        epochs = [json.loads(line) for line in self.read("h.jsonl").splitlines()]
        self.assertEqual([e["epoch"] for e in epochs], list(range(1, len(epochs) + 1)))

    def test_what_does_not_go_together_is_said_before_any_work(self):
        for arguments, saying in (
            (["--pairwise"], "mean over instances"),
            (["--measure", "micro-f1"], "macro-f1"),
            (["--c", 1, "--lambda", 1], "give one of them"),
            (["--c", 0], "above 0"),
            (["--gap", 0], "between 0 and 1"),
            (["--resume"], "start again"),
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

    def test_training_label_by_label_leaves_nothing_behind(self):
        status, said = self.interrupt("--gap", 1e-9, "--c", 1e6, "--epochs", 100000)
        self.assertEqual(status, 130)
        self.assertIn("nothing was written", said)
        self.assertEqual(self.files(), [])

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
