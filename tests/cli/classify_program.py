"""What the tests of `trellis classify` share: running the program as a user does, and small data.

TRELLIS_PROGRAM is the program, TRELLIS_SOURCE_DIR the source tree.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["TRELLIS_PROGRAM"]
TOPICS = pathlib.Path(os.environ["TRELLIS_SOURCE_DIR"]) / "data" / "topics"
TRAIN = TOPICS / "train.tsv"
TEST = TOPICS / "test.tsv"


class ClassifyTest(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trellis-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, content):
        data = content if isinstance(content, bytes) else content.encode("utf-8")
        (self.folder / name).write_bytes(data)
        return self.path(name)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def files(self):
        return sorted(p.name for p in self.folder.iterdir())

    def classify(self, *arguments, status=0, stdin=b""):
        """Runs `trellis classify ARGUMENTS`, expects the exit status, and returns the process."""
        if isinstance(stdin, str):
            stdin = stdin.encode("utf-8")
        done = subprocess.run(
            [PROGRAM, "classify", *map(str, arguments)], input=stdin, capture_output=True, timeout=300, check=False
        )
        done.out = done.stdout.decode("utf-8")
        done.err = done.stderr.decode("utf-8")
        self.assertEqual(done.returncode, status, f"{done.args}\n{done.err}")
        return done

    def train_model(self, *arguments, model="m", files=(TRAIN,), status=0):
        return self.classify("train", *files, "--model", self.path(model), *arguments, status=status)

    def predict(self, content, *arguments, model="m", status=0):
        return self.classify("predict", "--model", self.path(model), *arguments, stdin=content, status=status)

    def evaluate(self, file=TEST, model="m"):
        return json.loads(self.classify("evaluate", file, "--model", self.path(model), "--json").out)

    def refused(self, *arguments, saying, status=1, stdin=b""):
        """An error is one line that names the program, and not the trace of a crash."""
        done = self.classify(*arguments, status=status, stdin=stdin)
        lines = done.err.strip().splitlines()
        self.assertEqual(len(lines), 1, done.err)
        self.assertTrue(lines[0].startswith("trellis: "), done.err)
        self.assertIn(saying, done.err)
        return done
