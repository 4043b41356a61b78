"""Ctrl-C while the training file is read from a pipe. Interruption while training is in resume_test.py."""

import signal
import subprocess
import time
import unittest

from tag_program import TagTest
from program import PROGRAM


class Interruption(TagTest):
    TRAIN_SENTENCES = 20

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


if __name__ == "__main__":
    unittest.main()
