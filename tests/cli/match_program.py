"""What the tests of `trellis match` share: running the program as a user does, and small data.

TRELLIS_PROGRAM is the program, TRELLIS_SOURCE_DIR the source tree.
"""

import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["TRELLIS_PROGRAM"]
CREATURES = pathlib.Path(os.environ["TRELLIS_SOURCE_DIR"]) / "data" / "creatures"


def graphs(count, size=4, seed=1, noise=0.3):
    """Graphs whose true edges have a large first feature and a small second one."""
    rng = random.Random(seed)
    text = ""
    for n in range(count):
        mates = rng.sample(range(size), size)
        text += f"graph g{n} {size} {size}\n"
        for i in range(size):
            for j in range(size):
                true = mates[i] == j
                a, b = (1, 0) if true else (0, 1)
                text += f"{i} {j}{' *' if true else ''} {a + rng.gauss(0, noise):.3f} {b + rng.gauss(0, noise):.3f}\n"
        text += "\n"
    return text


class MatchTest(unittest.TestCase):
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

    def match(self, *arguments, status=0, stdin=b""):
        """Runs `trellis match ARGUMENTS`, expects the exit status, and returns the process."""
        done = subprocess.run(
            [PROGRAM, "match", *map(str, arguments)], input=stdin, capture_output=True, timeout=300, check=False
        )
        done.out = done.stdout.decode("utf-8")
        done.err = done.stderr.decode("utf-8")
        self.assertEqual(done.returncode, status, f"{done.args}\n{done.err}")
        return done

    def train_json(self, *arguments):
        return json.loads(self.match("train", *arguments, "--model", self.path("m"), "--json").out)

    def evaluate(self, *files):
        return json.loads(self.match("evaluate", *files, "--model", self.path("m"), "--json").out)

    def refused(self, *arguments, saying, status=1):
        """An error is one line that names the program, and not the trace of a crash."""
        done = self.match(*arguments, status=status)
        lines = [line for line in done.err.strip().splitlines() if line.startswith("trellis: ")]
        self.assertEqual(len(lines), 1, done.err)
        self.assertIn(saying, lines[0])
