"""What the tests of `trellis rank` share: its calls, and small data."""

import json

from program import held, ProgramTest, SOURCE

SEARCH = SOURCE / "data" / "search"
TRAIN, DEV, TEST = (SEARCH / f"{part}.txt" for part in ("train", "dev", "test"))


class RankTest(ProgramTest):
    """Each test has a folder of its own."""

    TASK = "rank"
    rank = ProgramTest.run_program

    def train(self, *arguments, model="m", status=0):
        usual = () if "--dev" in arguments else held(arguments, "--lambda", 0.1)
        usual += () if "--expand" in arguments else ("--expand", "none")
        return self.rank("train", TRAIN, "--model", self.path(model), *arguments, *usual, status=status)

    def evaluate(self, *arguments, model="m", file=TEST):
        return json.loads(self.rank("evaluate", file, "--model", self.path(model), "--json", *arguments).out)
