"""`trellis classify predict`, and Ctrl-C in the middle of training."""

import fcntl
import json
import os
import signal
import subprocess
import time
import unittest

from classify_program import TEST, TRAIN, ClassifyTest
from program import PROGRAM

SET_PIPE_SIZE = 1031  # F_SETPIPE_SZ, which the module names from Python 3.10 on
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

    def test_output_does_not_depend_on_the_way_in(self):
        self.train_model()
        whole = self.classify("predict", TEST, "--model", self.path("m"), "--scores", "--threads", 3).out
        piped = self.predict(TEST.read_text(), "--scores").out
        self.classify("predict", TEST, "--model", self.path("m"), "--scores", "--output", self.path("o"))
        self.assertEqual(whole, piped)
        self.assertEqual(self.read("o").decode("utf-8"), whole)

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
                saying="no log-probabilities", status=2,
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


class Interruption(ClassifyTest):
    def test_the_same_call_with_resume_gives_the_same_bytes(self):
        call = ["train", str(TRAIN), "--model", self.path("m"), "--learner", "dca", "--epochs", "400", "--c", "100"]
        self.classify(*call)
        whole = self.read("m")
        os.remove(self.path("m"))
        # The history goes into a pipe that holds some epochs: the run waits there until it is read,
        # so that the signal cannot come too late, however fast the run is.
        reader, writer = os.pipe()
        fcntl.fcntl(writer, SET_PIPE_SIZE, 4096)
        process = subprocess.Popen(
            [PROGRAM, "classify", *call, "--history", f"/dev/fd/{writer}"], pass_fds=[writer],
            stderr=subprocess.PIPE,
        )
        os.close(writer)
        os.read(reader, 1)
        process.send_signal(signal.SIGINT)
        time.sleep(2)  # the thread that hears the signal may have to wait for a core, and the run waits here
        with os.fdopen(reader, "rb") as rest:
            rest.read()
        _, error = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, error)
        self.assertEqual(self.files(), ["m.checkpoint"])
        self.refused(*call[:-1], "10", "--quiet", "--resume", saying="the state of another run")
        self.classify(*call, "--resume")
        self.assertEqual(self.read("m"), whole)
        self.assertEqual(self.files(), ["m"])


if __name__ == "__main__":
    unittest.main()
