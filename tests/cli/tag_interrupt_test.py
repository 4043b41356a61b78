"""Ctrl-C in the middle of training, and going on from there to the same bytes."""

import signal
import subprocess
import time
import unittest

from tag_program import TagTest
from program import held, PROGRAM
from waiting_run import interrupt_waiting


class Interruption(TagTest):
    TRAIN_SENTENCES = 20
    EPOCHS = 80
    INSEPARABLE = ("--template", "none", "--columns", 1)  # where a perceptron never comes to rest

    def call(self, model, *arguments):
        return [
            "train", self.train, "--model", self.path(model), "--epochs", str(self.EPOCHS), *map(str, (*arguments, *held(arguments, "--c", 1))),
        ]

    def interrupt(self, *call, signal_number=signal.SIGINT):
        return interrupt_waiting(["tag", *call], self.path("history.pipe"), signal_number)

    def resumed_equals_uninterrupted(self, *arguments):
        self.tag(*self.call("whole", *arguments))
        status, error = self.interrupt(*self.call("m", *arguments))
        self.assertEqual(status, 130, error)
        self.assertIn(f"the state is in {self.path('m.checkpoint')}", error)
        self.assertNotIn("m", self.files())
        self.assertIn("m.checkpoint", self.files())
        self.tag(*self.call("m", *arguments, "--resume"))
        self.assertEqual(self.read("m"), self.read("whole"))
        self.assertNotIn("m.checkpoint", self.files())

    def test_lbfgs_goes_on_to_the_same_model(self):
        self.resumed_equals_uninterrupted("--epsilon", 0, "--delta", 0)

    def test_owlqn_goes_on_to_the_same_model(self):
        self.resumed_equals_uninterrupted("--epsilon", 0, "--delta", 0, "--l1", 0.1)

    def test_dca_goes_on_to_the_same_model(self):
        self.resumed_equals_uninterrupted("--learner", "dca")

    def test_dca_with_a_stored_dual_goes_on_to_the_same_model(self):
        self.resumed_equals_uninterrupted("--learner", "dca", "--dual", "stored", "--certify")

    def test_sgd_goes_on_to_the_same_model(self):
        self.resumed_equals_uninterrupted("--learner", "sgd", "--loss", "softmax-margin")

    def test_perceptron_goes_on_to_the_same_model(self):
        self.resumed_equals_uninterrupted("--learner", "perceptron", *self.INSEPARABLE)

    def test_voted_perceptron_goes_on_to_the_same_model(self):
        self.resumed_equals_uninterrupted("--learner", "perceptron", "--voters", 10, *self.INSEPARABLE)

    def test_mira_goes_on_to_the_same_model(self):
        self.resumed_equals_uninterrupted("--learner", "mira")

    def test_the_best_epoch_on_a_dev_set_is_remembered(self):
        self.resumed_equals_uninterrupted("--learner", "dca", "--dev", self.dev, "--patience", 100)

    def test_resuming_takes_any_number_of_threads(self):
        self.tag(*self.call("whole", "--epsilon", 0, "--delta", 0, "--threads", 1))
        status, error = self.interrupt(*self.call("m", "--epsilon", 0, "--delta", 0, "--threads", 2))
        self.assertEqual(status, 130, error)
        self.tag(*self.call("m", "--epsilon", 0, "--delta", 0, "--threads", 1, "--resume"))
        self.assertEqual(self.read("m"), self.read("whole"))

    def test_an_interruption_while_reading_loses_nothing(self):
        text = self.read("train.txt")
        folds = ["--c", "1,2", "--cv", 2]
        for arguments in ([], ["--learner", "sgd", "--dev", self.dev], ["--learner", "perceptron"], folds):
            with self.subTest(arguments=arguments):
                call = ["train", "-", "--model", self.path("m"), "--epochs", 6, *arguments]
                process = subprocess.Popen(
                    [PROGRAM, "tag", *map(str, call)], stdin=subprocess.PIPE, stderr=subprocess.PIPE
                )
                process.stdin.write(text[:100])
                process.stdin.flush()
                time.sleep(0.5)  # for the program to come up and wait for more
                process.send_signal(signal.SIGINT)
                time.sleep(0.2)
                error = process.communicate(text[100:], timeout=60)[1].decode()
                self.assertEqual(process.returncode, 130, error)
                self.assertIn("m.checkpoint", self.files())
                self.tag(*call, "--resume", stdin=text)
                resumed = self.read("m")
                self.tag(*call, stdin=text)
                self.assertEqual(self.read("m"), resumed)

    def test_termination_saves_the_state_as_well(self):
        status, error = self.interrupt(*self.call("m", "--learner", "dca"), signal_number=signal.SIGTERM)
        self.assertEqual(status, 130, error)
        self.assertIn("m.checkpoint", self.files())

    def test_an_interrupted_run_leaves_the_old_model(self):
        old = self.write("m", b"an older model")
        status, error = self.interrupt(*self.call("m", "--learner", "dca"))
        self.assertEqual(status, 130, error)
        with open(old, "rb") as file:
            self.assertEqual(file.read(), b"an older model")

    def test_a_checkpoint_of_another_run_is_refused(self):
        status, error = self.interrupt(*self.call("m", "--learner", "dca"))
        self.assertEqual(status, 130, error)
        other = self.write("other.txt", self.read("train.txt").replace(b"Cork", b"Rome"))
        others = [
            ["--learner", "sgd"],
            ["--learner", "dca", "--c", 2],
            ["--learner", "dca", "--seed", 2],
            ["--learner", "dca", "--loss", "svm"],
            ["--learner", "dca", "--label-weight", "O=2"],
            ["--learner", "dca", "--dev", self.dev],
        ]
        for arguments in others:
            with self.subTest(arguments=arguments):
                self.refused(
                    *self.call("m", *arguments), "--quiet", "--resume", saying="the state of another run"
                )
        changed = self.call("m", "--learner", "dca", "--quiet", "--resume")
        changed[1] = other
        self.refused(*changed, saying="the state of another run")
        self.assertIn("m.checkpoint", self.files())

    def test_a_damaged_checkpoint_is_refused(self):
        status, error = self.interrupt(*self.call("m", "--learner", "dca"))
        self.assertEqual(status, 130, error)
        self.write("m.checkpoint", self.read("m.checkpoint")[:-20])
        self.refused(*self.call("m", "--learner", "dca", "--quiet", "--resume"), saying="m.checkpoint")


if __name__ == "__main__":
    unittest.main()
