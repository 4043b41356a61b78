"""Ctrl-C in the middle of every kind of training, and --resume: to the same bytes. What is refused is in conformance_resume_test.py."""

import random
import signal
import unittest

from resume_calls import TASKS
from resume_program import ResumeTest

INTERRUPTED = 130
TRIES = 40  # to meet a run at work


class Resumption(ResumeTest):
    def lasting_files(self):
        """A run that dies while it writes leaves a temporary file, under a name that no other has."""
        return [name for name in self.files() if ".tmp-" not in name]

    def interrupt(self, call, delay):
        """Ctrl-C after some seconds; what that leaves behind is what it should be. The status, 0 where there is a model."""
        saved = "m.checkpoint" in self.files()
        ended = self.signal_after(call, signal.SIGINT, delay)
        if ended.status == INTERRUPTED and "interrupted before a first state was saved" in ended.err:
            self.assertEqual("m.checkpoint" in self.files(), saved)  # while it prepared, as filters of arcs are trained
            return -signal.SIGINT
        if ended.status == INTERRUPTED:
            self.assertIn(f"the training state is in {self.path('m.checkpoint')}", ended.err)
            self.assertIn("m.checkpoint", self.files())
            if "m" in self.files():  # the best so far, which is said, and a model as any
                self.assertIn(f"{self.path('m')} has the model of the best settings so far", ended.err)
                self.run_program(*TASKS[self.TASK].loads.split(), "--model", self.path("m"), cwd=self.data)
                (self.folder / "m").unlink()
            return INTERRUPTED
        # Too late, or when the program does not listen: before it has begun, or on its way out.
        self.assertIn(ended.status, (0, -signal.SIGINT), ended.err)
        finished = "m" in self.files()
        self.assertTrue(finished or ended.status != 0)
        self.assertEqual("m.checkpoint" in self.files(), saved and not finished)
        return 0 if finished else ended.status

    def interrupt_somewhere(self, call, seconds):
        """Ctrl-C that meets the run at work; False where it is over too soon for that, time and again."""
        early, late = 0.0, seconds
        for _ in range(TRIES):
            middle = (early + late) / 2
            status = self.interrupt(call, middle)
            if status == INTERRUPTED:
                return True
            if status == 0:
                late = middle
                (self.folder / "m").unlink()
            else:
                early = middle
            if late - early < 0.001:
                early, late = 0.0, seconds  # the machine was busy with something else
        return False

    def comes_to_the_same_model(self, task, options):
        moments = random.Random(f"{task} {options}")
        whole, seconds = self.undisturbed(task, options)
        call = self.call(task, options)
        met = self.interrupt_somewhere(call, seconds * moments.uniform(0.4, 1.6))
        for _ in range(3):
            if self.interrupt([*call, "--resume"], seconds * moments.uniform(0.1, 0.6)) == 0:
                break
        else:
            done = self.finish([*call, "--resume"])
            if met:
                self.assertNotIn("from the beginning", done.err)
        self.assertEqual(self.read("m"), whole)
        self.assertEqual(self.lasting_files(), ["m", "whole"])
        self.finish(self.call(task, f"{options} --save-every 0.01", "saved"))
        self.assertEqual(self.read("saved"), whole)
        self.assertEqual(self.lasting_files(), ["m", "saved", "whole"])
        return met

    def test_interrupted_and_saved_runs_come_to_the_same_model(self):
        for task, about in TASKS.items():
            met = 0
            for options in about.calls:
                with self.subTest(task=task, call=options):
                    self.clear()
                    met += self.comes_to_the_same_model(task, options)
            # On a busy machine a signal may come too late for those that are over in a hundredth of a second.
            self.assertGreaterEqual(met, len(about.calls) // 2, task)


if __name__ == "__main__":
    unittest.main()
