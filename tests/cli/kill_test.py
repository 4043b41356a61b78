"""kill -9 at any moment of any training, then --resume: the model of an undisturbed run, and never half of one.

A run is killed again and again, and resumed each time, until it comes to its end before the next blow does. What is killed
may leave a temporary file behind, which stays for the runs after it to stumble over, if they would.
"""

import json
import random
import re
import signal
import unittest

from resume_calls import TASKS
from resume_program import ResumeTest

KILLS = 50  # at random moments, over all tasks
AIMED = 12  # as soon as a file is seen being written
OLD = b"an older model"
TEMPORARY = re.compile(r"\.m(\.checkpoint)?\.tmp-[0-9a-f]{12}")


class Killed(ResumeTest):
    def setUp(self):
        super().setUp()
        self.draw = random.Random(1)
        self.kills = 0
        self.gone_on = 0  # runs that went on from a checkpoint to the end

    def temporaries(self):
        return {name for name in self.files() if TEMPORARY.fullmatch(name)}

    def check_folder(self, models, known, killed):
        """The model is whole or was not touched; a killed run leaves at most the file that it was writing."""
        model = self.folder / "m"
        self.assertIn(model.read_bytes() if model.exists() else None, models)
        temporary = self.temporaries()
        self.assertLessEqual(
            set(self.files()) - temporary, {"m", "m.history", "m.checkpoint", "whole", "whole.history"}
        )
        self.assertLessEqual(len(temporary - known), int(killed))

    def call(self, task, options, model="m"):
        return [*super().call(task, options, model), "--history", self.path(f"{model}.history")]

    def history(self, model):
        """What was told of each epoch; all but the seconds, which no two runs share."""
        epochs = [json.loads(line) for line in self.read(model + ".history").splitlines()]
        for epoch in epochs:
            del epoch["seconds"]
        return epochs

    def kill_until_the_end(self, task, options, aimed):
        self.clear()
        whole, seconds = self.undisturbed(task, options)
        call = [*self.call(task, options), "--save-every", "0.05", "--resume"]
        before = self.draw.choice((None, OLD))
        if before is not None:
            self.write("m", before)
        while True:
            known = self.temporaries()
            saved = "m.checkpoint" in self.files()
            ended = self.signal_after(
                call,
                signal.SIGKILL,
                self.draw.uniform(0, seconds),
                until=(lambda seen=known: self.temporaries() - seen) if aimed else lambda: True,
            )
            killed = ended.status == -signal.SIGKILL
            self.check_folder((before, whole), known, killed)
            if not killed:
                break
            self.kills += 1
        self.assertEqual(ended.status, 0, ended.err)
        self.assertEqual("starting from the beginning" in ended.err, not saved, ended.err)
        self.gone_on += saved
        self.assertEqual(self.read("m"), whole)
        self.assertEqual(self.history("m"), self.history("whole"))
        self.assertNotIn("m.checkpoint", self.files())
        self.run_program(*TASKS[task].loads.split(), "--model", self.path("m"), cwd=self.data)

    def kill_all_over(self, kills, aimed):
        """Calls of all tasks in turn, each drawn from those of its task, until so many runs were killed."""
        while self.kills < kills:
            for task, about in TASKS.items():
                options = self.draw.choice(about.calls)
                with self.subTest(task=task, call=options):
                    self.kill_until_the_end(task, options, aimed)
            if not self._outcome.success:
                return
        self.assertGreater(self.gone_on, 0)

    def test_at_random_moments(self):
        self.kill_all_over(KILLS, aimed=False)

    def test_while_a_file_is_written(self):
        self.kill_all_over(AIMED, aimed=True)


if __name__ == "__main__":
    unittest.main()
