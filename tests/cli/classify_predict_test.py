"""`trellis classify predict`."""

import json
import subprocess
import unittest

from classify_program import TEST, TRAIN, ClassifyTest
from program import PROGRAM

RAIN = "heavy rain and a storm from the west"
GOAL = "the striker scored a goal in the match"


class Prediction(ClassifyTest):
    def test_a_label_for_each_line(self):
        self.train_model()
        self.assertEqual(self.predict(f"{RAIN}\n\n{GOAL}\n").out.splitlines()[::2], ["weather", "sport"])
        labelled = self.classify("predict", TEST, "--model", self.path("m")).out.splitlines()
        gold = [line.split("\t")[0] for line in TEST.read_text().splitlines()]
        right = sum(a == b for a, b in zip(labelled, gold))
        self.assertEqual(len(labelled), len(gold))
        self.assertAlmostEqual(100 * right / len(gold), self.evaluate()["accuracy"])

    def test_the_best_labels_with_their_probabilities(self):
        self.train_model("--loss", "maxent")
        fields = self.predict(RAIN + "\n", "--probabilities", "--top-k", 9).out.strip().split("\t")
        self.assertEqual(fields[0], "weather")
        numbers = [float(x) for x in fields[1::2]]
        self.assertEqual(len(numbers), 5)
        self.assertAlmostEqual(sum(numbers), 1, places=5)
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        done = json.loads(self.predict(RAIN + "\n", "--probabilities", "--top-k", 2, "--json").out)
        self.assertEqual(done["label"], "weather")
        self.assertEqual(len(done["top"]), 2)
        self.assertAlmostEqual(done["top"][0]["probability"], numbers[0], places=5)

    def test_naive_bayes_has_probabilities_and_an_svm_has_none(self):
        self.train_model("--learner", "naive-bayes", model="nb")
        self.assertGreater(float(self.predict(GOAL + "\n", "--probabilities", model="nb").out.split("\t")[1]), 0.5)
        for arguments in ([], ["--learner", "naive-bayes", "--complement"]):
            self.train_model(*arguments)
            self.refused(
                "predict", "--model", self.path("m"), "--probabilities", stdin=GOAL,
                saying="not log-probabilities", status=2,
            )

    def test_ids_come_back(self):
        lines = [f"d{i}\t{line}" for i, line in enumerate(TRAIN.read_text().splitlines())]
        train = self.write("ids.tsv", "\n".join(lines) + "\n")
        self.train_model(files=[train])
        self.assertEqual(self.predict(f"x7\t{RAIN}\n").out, "x7\tweather\n")
        self.assertEqual(self.predict(f"{RAIN}\n", "--columns", "text").out, "weather\n")

    def test_lines_before_a_bad_one_are_written(self):
        self.train_model()
        done = self.predict(f"{RAIN}\na\tb\tc\n", status=1)
        self.assertEqual(done.out, "weather\n")
        self.assertIn("<stdin>:2: expected 2 columns (label,text), or the same without the label, found 3", done.err)

    def test_vectors_come_out_as_they_come_in(self):
        train = self.write("v.svm", "+1 1:1 3:0.5\n-1 2:1\n1 1:0.9\n-1 2:0.8 1:0.1\n")
        for arguments in ([], ["--kernel", "rbf:1"]):
            with self.subTest(arguments=arguments):
                self.train_model(*arguments, files=[train])
                process = subprocess.Popen(
                    [PROGRAM, "classify", "predict", "--model", self.path("m")],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                )
                for line, label in ((b"1:2 7:1\n", b"1\n"), (b"-1 2:1\n", b"-1\n")):
                    process.stdin.write(line)
                    process.stdin.flush()
                    self.assertEqual(process.stdout.readline(), label)  # before the next line is there
                out, error = process.communicate(b"1:1\n1:x\n1:1\n", timeout=60)
                self.assertEqual(out, b"1\n")
                self.assertEqual(process.returncode, 1)
                self.assertIn(b"<stdin>:4: ", error)


if __name__ == "__main__":
    unittest.main()
