"""What the tests of `trellis tag` share: running the program as a user does, and small data.

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
TRAVEL = SOURCE / "data" / "travel"
TRAVEL_TEMPLATE = TRAVEL / "travel.template"


def sentences(name, count, first=0):
    """`count` sentences of a file of the sample data, as text."""
    blocks = (TRAVEL / name).read_text(encoding="utf-8").strip().split("\n\n")
    return "\n\n".join(blocks[first : first + count]) + "\n\n"


def last_fields(text):
    """The last column of each token line."""
    return [line.split()[-1] for line in text.splitlines() if line.strip()]


class TagTest(unittest.TestCase):
    """Each test has a folder of its own, with train.txt and dev.txt in it."""

    TRAIN_SENTENCES = 60

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trellis-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.train = self.write("train.txt", sentences("train.txt", self.TRAIN_SENTENCES))
        self.dev = self.write("dev.txt", sentences("dev.txt", 30))

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

    def tag(self, *arguments, status=0, stdin=b"", **options):
        """Runs `trellis tag ARGUMENTS`, expects the exit status, and returns the process."""
        if isinstance(stdin, str):
            stdin = stdin.encode("utf-8")
        done = subprocess.run(
            [PROGRAM, "tag", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            timeout=300,
            check=False,
            **options,
        )
        done.out = done.stdout.decode("utf-8")
        done.err = done.stderr.decode("utf-8")
        self.assertEqual(done.returncode, status, f"{done.args}\n{done.err}")
        return done

    def train_model(self, *arguments, model="m", epochs=8, files=None, status=0):
        epochs_option = ["--epochs", epochs] if epochs else []
        return self.tag(
            "train", *(files or [self.train]), "--model", self.path(model), *epochs_option, *arguments,
            status=status,
        )

    def predict(self, content, *arguments, model="m", status=0):
        return self.tag("predict", "--model", self.path(model), *arguments, stdin=content, status=status)

    def evaluate(self, model="m", file=None):
        done = self.tag("evaluate", file or self.dev, "--model", self.path(model), "--json")
        return json.loads(done.out)

    def inspect(self, model="m", top=10):
        return json.loads(self.tag("inspect", "--model", self.path(model), "--json", "--top", top).out)

    def assertOneSentence(self, text):
        """An error is one line; it names the program and is not the trace of a crash."""
        lines = text.strip().splitlines()
        self.assertEqual(len(lines), 1, text)
        self.assertTrue(lines[0].startswith("trellis: "), text)

    def refused(self, *arguments, saying, status=1, stdin=b""):
        done = self.tag(*arguments, status=status, stdin=stdin)
        self.assertOneSentence(done.err)
        self.assertIn(saying, done.err)
        return done
