"""What the tests of all commands share: running the program as a user does, in a folder of their own.

TRELLIS_PROGRAM is the program, TRELLIS_SOURCE_DIR the source tree.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["TRELLIS_PROGRAM"]
SOURCE = pathlib.Path(os.environ["TRELLIS_SOURCE_DIR"])


def held(arguments, *usual):
    """`usual` (--c 1), unless a training call says how its weights are held, or has nothing to hold them by. Without it C is
    chosen: for tests that are about other things."""
    said = {"--c", "--lambda", "--radius", "--cv", "--path", "perceptron", "naive-bayes"}
    return () if said & set(map(str, arguments)) else usual


class ProgramTest(unittest.TestCase):
    """Each test has a folder of its own."""

    TASK = ""  # of a subclass: the first argument of the program

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

    def page(self, name):
        """The text of a page: one file that needs no other, and runs no script but its own."""
        text = self.read(name).decode("utf-8")
        self.assertTrue(text.startswith("<!DOCTYPE html>"), text[:40])
        for outside in ("http:", "https:", "src=", "<link", "url(", "@import"):
            self.assertNotIn(outside, text)
        if "<script" in text:
            self.assertIn("script-src &#39;sha256-", text)
        return text

    def files(self):
        return sorted(p.name for p in self.folder.iterdir())

    def run_program(self, *arguments, status=0, stdin=b"", **options):
        """Runs `trellis TASK ARGUMENTS`, expects the exit status, and returns the process."""
        if isinstance(stdin, str):
            stdin = stdin.encode("utf-8")
        done = subprocess.run(
            [PROGRAM, self.TASK, *map(str, arguments)],
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

    def assertOneSentence(self, text):
        """An error is one line; it names the program and is not the trace of a crash."""
        lines = text.strip().splitlines()
        self.assertEqual(len(lines), 1, text)
        self.assertTrue(lines[0].startswith("trellis: "), text)

    def refused(self, *arguments, saying, status=1, stdin=b""):
        done = self.run_program(*arguments, status=status, stdin=stdin)
        self.assertOneSentence(done.err)
        self.assertIn(saying, done.err)
        return done
