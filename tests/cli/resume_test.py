"""Ctrl-C in the middle of any training, and --resume: to the same bytes, or a refusal, in every task alike."""

import random
import signal
import unittest

from resume_calls import TASKS
from resume_program import ResumeTest

INTERRUPTED = 130
TRIES = 40  # to meet a run at work


def damages(state, draw):
    """(what it is, bytes that are no state of a run)."""
    yield "empty", b""
    yield "text", b"no checkpoint\n"
    yield "longer", state + b"x"
    for at in sorted(draw.sample(range(len(state)), 4)):
        yield f"only {at} bytes", state[:at]
    for at in sorted(draw.sample(range(len(state)), 6)):
        yield f"another byte {at}", state[:at] + bytes([state[at] ^ 16]) + state[at + 1 :]


class Resumption(ResumeTest):
    def lasting_files(self):
        """A run that dies while it writes leaves a temporary file, under a name that no other has."""
        return [name for name in self.files() if ".tmp-" not in name]

    def interrupt(self, call, delay):
        """Ctrl-C after some seconds; what that leaves behind is what it should be. The status, 0 where there is a model."""
        saved = "m.checkpoint" in self.files()
        ended = self.signal_after(call, signal.SIGINT, delay)
        if ended.status == INTERRUPTED:
            self.assertIn(f"the state is in {self.path('m.checkpoint')}", ended.err)
            self.assertIn("m.checkpoint", self.files())
            if "m" in self.files():  # the best so far, which is said, and a model as any
                self.assertIn(f"{self.path('m')} has the best of the settings tried so far", ended.err)
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
                self.assertNotIn("afresh", done.err)
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

    def first_interrupted(self, task, more=""):
        """The first call of a task, interrupted, and its checkpoint."""
        self.clear()
        options = f"{TASKS[task].calls[0]} {more}"
        _, seconds = self.undisturbed(task, options)
        call = self.call(task, options)
        self.assertTrue(self.interrupt_somewhere(call, seconds), "no moment at which the run could be interrupted")
        return call, self.read("m.checkpoint")

    def refuses(self, call, state, saying="the state of another run"):
        self.write("m.checkpoint", state)
        (self.folder / "m").unlink(missing_ok=True)
        done = self.run_program(*call, "--quiet", "--resume", status=1, cwd=self.data)
        self.assertOneSentence(done.err)
        self.assertIn(saying, done.err)
        self.assertEqual(self.read("m.checkpoint"), state)
        self.assertNotIn("m", self.files())

    @staticmethod
    def instead(call, option):
        """The call with this option; what it says of the same one is left out."""
        words = option.split()
        kept = list(call)
        for name in words:
            if name.startswith("--") and name in kept:
                k = kept.index(name)
                del kept[k : k + 2]
        return [*kept, *words]

    def test_a_checkpoint_of_other_options_is_refused(self):
        for task, about in TASKS.items():
            with self.subTest(task=task):
                call, state = self.first_interrupted(task)
                for option in ("--seed 2", *about.dials, *about.own):
                    with self.subTest(option=option):
                        self.refuses(self.instead(call, option), state)

    def test_a_checkpoint_of_other_data_is_refused(self):
        for task, about in TASKS.items():
            with self.subTest(task=task):
                call, state = self.first_interrupted(task)
                name, old, new = about.data
                text = (self.data / name).read_text(encoding="utf-8")
                self.assertIn(old, text)
                other = name.replace(".", "-other.")
                (self.data / other).write_text(text.replace(old, new, 1), encoding="utf-8")
                self.refuses([other if word == name else word for word in call], state)

    def test_a_checkpoint_of_another_dev_set_is_refused(self):
        for task, about in TASKS.items():
            if not about.watches:
                continue
            with self.subTest(task=task):
                name = about.loads.split()[-1]
                call, state = self.first_interrupted(task, f"--dev {name} --patience 0")
                # The training file is another of the same kind.
                self.refuses([about.data[0] if word == name else word for word in call], state)

    def test_without_a_checkpoint_the_run_starts_afresh_and_says_so(self):
        for task, about in TASKS.items():
            with self.subTest(task=task):
                self.clear()
                whole, _ = self.undisturbed(task, about.calls[0])
                done = self.finish([*self.call(task, about.calls[0]), "--resume"])
                self.assertIn(f"there is no checkpoint {self.path('m.checkpoint')}: starting afresh", done.err)
                self.assertEqual(self.read("m"), whole)

    def test_a_damaged_checkpoint_is_refused(self):
        for task in TASKS:
            with self.subTest(task=task):
                call, state = self.first_interrupted(task)
                for what, damaged in damages(state, random.Random(task)):
                    with self.subTest(damage=what):
                        self.refuses(call, damaged, saying=self.path("m.checkpoint"))


if __name__ == "__main__":
    unittest.main()
