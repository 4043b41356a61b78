"""What the tests of `trellis label` share: running the program as a user does, and small data.

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
SOURCE = pathlib.Path(os.environ["TRELLIS_SOURCE_DIR"])
RECIPES = SOURCE / "data" / "recipes"
LABELS = RECIPES / "recipes.xml"
TRAIN = RECIPES / "train.arff"
TEST = RECIPES / "test.arff"

# Models with labels a, b, c and features x, y, one of each form (tests/tasks/label/small_labeller.h):
# a is x above 1/2, b is y above 1, c is −x + y/2 above −1/4. In the pairwise one a brings b along.
MODELS = SOURCE / "tests" / "tasks" / "label" / "label_model_fuzz"
INDEPENDENT = MODELS / "independent.model"
PAIRWISE = MODELS / "pairwise.model"
CHAIN = MODELS / "chain.model"
CENTRED = MODELS / "centred.model"


class LabelTest(unittest.TestCase):
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

    def label(self, *arguments, status=0, stdin=b""):
        """Runs `trellis label ARGUMENTS`, expects the exit status, and returns the process."""
        if isinstance(stdin, str):
            stdin = stdin.encode("utf-8")
        done = subprocess.run(
            [PROGRAM, "label", *map(str, arguments)], input=stdin, capture_output=True, timeout=300, check=False
        )
        done.out = done.stdout.decode("utf-8")
        done.err = done.stderr.decode("utf-8")
        self.assertEqual(done.returncode, status, f"{done.args}\n{done.err}")
        return done

    def refused(self, *arguments, saying, status=1, stdin=b""):
        """The call fails with one line on standard error that has `saying` in it, and nothing else."""
        done = self.label(*arguments, status=status, stdin=stdin)
        self.assertIn(saying, done.err)
        self.assertEqual(done.out, "")
        self.assertEqual(len(done.err.strip().splitlines()), 1, done.err)
        return done

    def predict(self, content, *arguments, model=INDEPENDENT, status=0):
        return self.label("predict", "--model", model, *arguments, stdin=content, status=status)

    def evaluate(self, file, *arguments, model=INDEPENDENT):
        return json.loads(self.label("evaluate", file, "--model", model, "--json", *arguments).out)
