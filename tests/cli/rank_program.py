"""What the tests of `trellis rank` share: running the program as a user does, and small data.

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
SEARCH = pathlib.Path(os.environ["TRELLIS_SOURCE_DIR"]) / "data" / "search"
TRAIN, DEV, TEST = (SEARCH / f"{part}.txt" for part in ("train", "dev", "test"))


class RankTest(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trellis-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, content):
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return self.path(name)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def rank(self, *arguments, status=0, stdin=b""):
        """Runs `trellis rank ARGUMENTS`, expects the exit status, and returns the process."""
        done = subprocess.run(
            [PROGRAM, "rank", *map(str, arguments)], input=stdin, capture_output=True, timeout=300, check=False
        )
        done.out, done.err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        self.assertEqual(done.returncode, status, f"{done.args}\n{done.err}")
        return done

    def train(self, *arguments, model="m", status=0):
        return self.rank("train", TRAIN, "--model", self.path(model), *arguments, status=status)

    def evaluate(self, *arguments, model="m", file=TEST):
        return json.loads(self.rank("evaluate", file, "--model", self.path(model), "--json", *arguments).out)

    def refused(self, *arguments, saying, status=1, stdin=b""):
        """An error is one line that names the program, and not the trace of a crash."""
        done = self.rank(*arguments, status=status, stdin=stdin)
        lines = done.err.strip().splitlines()
        self.assertEqual(len(lines), 1, done.err)
        self.assertTrue(lines[0].startswith("trellis: "), done.err)
        self.assertIn(saying, done.err)
