"""What the tests of `trellis match` share: its calls, and small data."""

import json
import random

from program import ProgramTest, SOURCE

CREATURES = SOURCE / "data" / "creatures"


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


class MatchTest(ProgramTest):
    """Each test has a folder of its own."""

    TASK = "match"
    match = ProgramTest.run_program

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
