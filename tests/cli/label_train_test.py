"""`trellis label train` on the sample data: methods, measures, what it reports, what it refuses, and Ctrl-C."""

import json
import re
import signal
import subprocess
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
        self.assertLessEqual(done["gap"], 1e-3)
        self.assertEqual(done["measure"], "macro-f1")
        self.assertEqual(done["thresholds"], "both")
        self.assertAlmostEqual(done["dev"]["macro_f1"], self.evaluate(TEST, model=self.path("m"))["macro_f1"])
        self.assertIn("macro_f1", done["dev_at_threshold_0"])
        self.assertIn(done["c"], [row["c"] for row in done["cv"]])

    def test_what_a_generator_missed_is_part_of_the_gap(self):
        coupled = ("--measure", "example-f1", "--pairwise", "--c", 0.1, "--thresholds", "train", "--json", "--quiet")
        exact = json.loads(self.train(*coupled).out)
        self.assertEqual((exact["termination"], exact["certificate"]), ("converged", "exact inference"))
        self.assertNotIn("certified_calls", exact["pairwise"])
        rough = json.loads(self.train(*coupled, "--generator", "algorithm5", "--algorithm6", "--history", self.path("h")).out)
        self.assertEqual((rough["termination"], rough["certificate"]), ("stalled", "upper bounds"))
        self.assertGreater(rough["gap"], 1e-3)
        self.assertGreater(rough["objective"], rough["pairwise"]["found_objective"])
        self.assertLess(rough["bound"], exact["objective"])
        self.assertTrue(0 < rough["pairwise"]["certified_calls"] < 1)
        epochs = [json.loads(line) for line in self.read("h").splitlines()]
        self.assertEqual(len(epochs), rough["epochs"])
        for epoch in epochs:
            self.assertGreaterEqual(epoch["objective"], exact["bound"])
            self.assertAlmostEqual(epoch["gap"], (epoch["objective"] - epoch["bound"]) / epoch["objective"])
        self.assertGreater(epochs[-1]["missed"], 0)
        said = self.train(*coupled[:-2], "--generator", "algorithm5", "--algorithm6").err
        self.assertIn("only outputs that an inexact search may have missed can still improve the objective", said)
        self.assertRegex(said, r"relative gap 0\.\d+ \(certified from upper bounds\)")
        self.assertRegex(said, r"Algorithm 6 certifies the sets of \d+\.\d % of the calls at the end")
        self.assertIn("--algorithm6 requires --pairwise", self.train("--algorithm6", status=2).err)

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

    def test_libsvm_files_need_no_list_of_labels(self):
        self.train(file=RECIPES / "train.libsvm")
        self.assertGreater(self.evaluate(RECIPES / "test.libsvm", model=self.path("m"))["macro_f1"], 0.65)

    def test_the_labels_of_an_arff_file_are_looked_for_beside_it(self):
        content = TRAIN.read_bytes()
        for name, xml in (("r.arff", "r.xml"), ("r-train.arff", "r.xml"), ("rtest.arff", "r.xml"), ("r_train.arff", "r_train.xml")):
            with self.subTest(name=name):
                self.write(xml, LABELS.read_bytes())
                done = self.label("train", self.write(name, content), "--c", 0.1, "--thresholds", "train", "--model", self.path("m"))
                self.assertIn(f"{xml} next to the data", done.err)
                (self.folder / xml).unlink()
        call = ("train", self.path("r-train.arff"), "--model", self.path("n"))
        self.refused(*call, "--quiet", saying='use --labels LABELS.xml with a Mulan file (its content: <labels><label name="..."/> ... </labels>)')
        for xml in ("r.xml", "r-train.xml"):
            self.write(xml, LABELS.read_bytes())
        self.refused(*call, "--quiet", saying="--labels LABELS.xml")  # which of the two?

    def test_meka_names_labels_by_their_number(self):
        names = ("a", "b", "x", "y")
        rows = [(k % 2, k % 3 == 0, k % 2 + 0.1, (k % 3 == 0) * 2) for k in range(24)]
        for relation, order in (("'m: -C 2 -split-percentage 50'", names), ("'m: -C -2'", ("x", "y", "a", "b"))):
            with self.subTest(relation=relation):
                kinds = {name: "{0,1}" if name in "ab" else "numeric" for name in names}
                text = f"@relation {relation}\n" + "".join(f"@attribute {name} {kinds[name]}\n" for name in order) + "@data\n"
                for row in rows:
                    values = dict(zip(names, row))
                    text += ",".join(f"{float(values[name]):g}" for name in order) + "\n"
                done = self.label("train", self.write("m.arff", text), "--c", 1, "--thresholds", "train", "--model", self.path("m"))
                which = "first" if order == names else "last"
                self.assertIn(f"m.arff: the {which} 2 attributes are labels, as given in @relation (-C", done.err)
                labels = [row["label"] for row in self.evaluate(self.path("m.arff"), model=self.path("m"))["labels"]]
                self.assertEqual(labels, ["a", "b"])
        for relation in ("'m: -C 4'", "'m-C 2'", "'m: -C 99999999999999999999'", "m"):
            text = f"@relation {relation}\n" + "".join(f"@attribute {name} numeric\n" for name in names) + "@data\n1,0,1,0\n"
            self.refused("train", self.write("n.arff", text), "--model", self.path("n"), "--quiet", saying="--labels")

    def test_hamming_is_a_loss_wherever_it_is_named(self):
        done = self.train("--measure", "hamming", "--c", "0.01,0.1")
        figures = [float(word) for line in done.err.splitlines() for word in re.findall(r"(?<!- )hamming ([0-9.]+)", line)]
        self.assertEqual(len(figures), 3)  # two settings, and the training set
        self.assertLess(max(figures), 0.5)
        told = json.loads(self.train("--measure", "hamming", "--c", "0.01,0.1", "--json", "--quiet", "--report", self.path("t.html")).out)
        self.assertEqual(told["chosen_by"], "1 - hamming over 3 folds")
        self.assertGreater(min(row["figure"] for row in told["cv"]), 0.5)
        self.assertIn("1 - hamming over 3 folds", self.read("t.html").decode("utf-8"))

    def test_the_choice_of_c_is_drawn_by_default(self):
        done = self.label("train", RECIPES / "train.libsvm", "--model", self.path("m"), "--report", self.path("t.html"))
        page = self.read("t.html").decode("utf-8")
        self.assertIn("Choice of settings", page)
        self.assertIn("macro-f1 over 5 folds", page)

    def test_the_method_is_chosen_by_default(self):
        done = self.label("train", TRAIN, "--labels", LABELS, "--model", self.path("m"), "--cv", 3, "--report", self.path("t.html"))
        self.assertIn("choosing the method and c by 3 folds", done.err)
        chosen = re.search(r"chose (\w+), c = ", done.err).group(1)
        told = json.loads(self.label("train", TRAIN, "--labels", LABELS, "--model", self.path("n"), "--cv", 3, "--json", "--quiet").out)
        self.assertEqual(told["method"], chosen)
        self.assertEqual(set(told["methods"]), {"logistic", "bundle", "svm", "chain"})
        self.assertEqual({row["method"] for row in told["cv"]}, set(told["methods"]))
        self.assertIn("macro-f1 over 3 folds", self.read("t.html").decode("utf-8"))
        self.assertIn(f"method {chosen}", self.label("inspect", "--model", self.path("m")).out)
        self.assertGreater(self.evaluate(TEST, model=self.path("m"))["macro_f1"], 0.65)
        # Where something is said that only one method has, there is nothing to choose.
        self.assertNotIn("choosing the method", self.train("--c", 0.01, "--thresholds", "train").err)

    def test_a_best_value_at_the_edge_is_told(self):
        saying = "the best c is the {} evaluated: --c {} continues the search"
        done = self.train("--c", "1e-6,1e-5,1e-4", "--report", self.path("t.html"))
        self.assertIn(saying.format("largest", "0.0001,0.001,0.01"), done.err)
        self.assertIn(saying.format("largest", "0.0001,0.001,0.01"), self.read("t.html").decode("utf-8"))
        done = self.train("--c", "0.0001,100")  # one of two is at an edge whichever it is
        self.assertNotIn("continues the search", done.err)

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
            (["--c", 1, "--lambda", 1], "give only one of them"),
            (["--c", 0], "above 0"),
            (["--gap", -1], "from 0 on"),
            (["--learner", "lbfgs"], "a smooth loss requires sums over outputs"),
            (["--learner", "mira"], "k best outputs"),
            (["--learner", "bmrm", "--cache", 3], "--cache cannot be combined with the learner bmrm"),
            (["--method", "logistic", "--loss", "svm"], "choose --method svm"),
            (["--measure", "example-f1", "--pairwise", "--learner", "dca", "--dual", "online"], "negative"),
            (["--cv", 1], "--cv must be at least 2"),
            (["--learner", "perceptron", "--voters", "0,3"], "--voters is not possible"),
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
    lines = 1

    def interrupt(self, *arguments):
        """Ends `trellis label train` by SIGINT as soon as it has said something, and returns what it said."""
        with subprocess.Popen([PROGRAM, "label", "train", str(TRAIN), "--labels", str(LABELS), "--model", self.path("m"),
                               *map(str, arguments)], stderr=subprocess.PIPE) as process:
            for _ in range(self.lines):
                process.stderr.readline()
            process.send_signal(signal.SIGINT)
            said = process.stderr.read().decode("utf-8")
            return process.wait(), said

    def resumed(self, *arguments):
        """Interrupts a call once, and compares what it comes to with an uninterrupted one."""
        for _ in range(20):  # on a busy machine a signal may come when all is over
            status, said = self.interrupt(*arguments)
            if status != 0:
                break
            (self.folder / "m").unlink()
        self.assertEqual(status, 130, said)
        self.assertIn("--resume", said)
        self.assertIn("m.checkpoint", self.files())
        if "m" in self.files():
            self.assertIn("has the model of the best settings so far", said)
            self.assertGreater(self.evaluate(TEST, model=self.path("m"))["macro_f1"], 0.4)
            self.assertIn("interrupted", self.label("inspect", "--model", self.path("m")).out)
        self.label("train", TRAIN, "--labels", LABELS, "--model", self.path("m"), *arguments, "--resume")
        self.label("train", TRAIN, "--labels", LABELS, "--model", self.path("whole"), *arguments)
        self.assertEqual(self.read("m"), self.read("whole"))
        self.assertNotIn("m.checkpoint", self.files())

    def test_an_interrupted_choice_leaves_the_best_so_far(self):
        self.lines = 4  # what was recognised, what is chosen, and two settings
        self.resumed("--method", "svm", "--c", "0.01,0.1,1,10,100,1000", "--cv", 4, "--gap", 1e-7)


if __name__ == "__main__":
    unittest.main()
