"""Ctrl-C in the middle of a training, and --resume: to the same bytes, or a refusal, by the same code for each task.

Every learner and every way to choose settings is interrupted in resume_test.py; runs are killed in kill_test.py.
"""

import random
import signal
import unittest

from conformance import Conformance, data, for_each_task, trained
from conformance_tasks import training
from waiting_run import interrupt_waiting

INTERRUPTED = 130
CHECKPOINTS = {}  # of (task, further options)


def damages(state, draw):
    """(what it is, bytes that are no state of a run)."""
    yield "empty", b""
    yield "text", b"no checkpoint\n"
    yield "longer", state + b"x"
    for at in sorted(draw.sample(range(len(state)), 4)):
        yield f"only {at} bytes", state[:at]
    for at in sorted(draw.sample(range(len(state)), 6)):
        yield f"another byte {at}", state[:at] + bytes([state[at] ^ 16]) + state[at + 1 :]


def instead(call, option):
    """The call with this option; what it says of the same one is left out."""
    words = option.split()
    kept = list(call)
    for name in words:
        if name.startswith("--") and name in kept:
            k = kept.index(name)
            del kept[k : k + 2]
    return [*kept, *words]


class Resumption(Conformance):
    def call(self, more=""):
        return [*training(self.TASK, f"{self.runs.calls[0]} {more}"), "--model", self.path("m")]

    def interrupt(self, call, number=signal.SIGINT):
        status, said = interrupt_waiting([self.TASK, "train", *call], self.path("history.pipe"), number, cwd=data())
        self.assertEqual(status, INTERRUPTED, said)
        self.assertIn(f"the training state is in {self.path('m.checkpoint')}", said)
        self.assertIn("--resume", said)

    def checkpoint(self, more=""):
        """That of the first call, interrupted while an older model lay there; it lies at m.checkpoint."""
        if (self.TASK, more) not in CHECKPOINTS:
            self.write("m", b"an older model")
            self.interrupt(self.call(more))
            self.assertEqual(self.read("m"), b"an older model")
            self.assertEqual(self.files(), ["m", "m.checkpoint"])
            CHECKPOINTS[self.TASK, more] = self.read("m.checkpoint")
            (self.folder / "m").unlink()
        self.write("m.checkpoint", CHECKPOINTS[self.TASK, more])
        return CHECKPOINTS[self.TASK, more]

    def test_an_interrupted_run_comes_to_the_same_model(self):
        self.checkpoint()
        done = self.run_program("train", *self.call(), "--resume")
        self.assertNotIn("from the beginning", done.err)
        self.assertEqual(self.read("m"), trained(self.TASK, self.runs.calls[0]).model)
        self.assertEqual(self.files(), ["m"])

    def test_it_is_resumed_on_any_number_of_threads_and_may_be_terminated_again(self):
        self.checkpoint()
        self.interrupt([*self.call(), "--threads", "2", "--resume"], signal.SIGTERM)
        self.run_program("train", *self.call(), "--threads", "2", "--resume", "--quiet")
        self.assertEqual(self.read("m"), trained(self.TASK, self.runs.calls[0]).model)

    def test_without_a_checkpoint_the_run_starts_afresh_and_says_so(self):
        done = self.run_program("train", *self.call(), "--resume")
        self.assertIn(f"there is no checkpoint {self.path('m.checkpoint')}: starting from the beginning", done.err)
        self.assertEqual(self.read("m"), trained(self.TASK, self.runs.calls[0]).model)

    def refuses(self, call, state, saying="this checkpoint belongs to another run"):
        self.write("m.checkpoint", state)
        self.refused("train", *call, "--quiet", "--resume", saying=saying)
        self.assertEqual(self.read("m.checkpoint"), state)
        self.assertEqual(self.files(), ["m.checkpoint"])

    def test_a_checkpoint_of_other_options_is_refused(self):
        state = self.checkpoint()
        for option in ("--seed 2", *self.runs.dials, *self.runs.own):
            with self.subTest(option=option):
                self.refuses(instead(self.call(), option), state)

    def test_a_checkpoint_of_other_data_is_refused(self):
        state = self.checkpoint()
        name, old, new = self.runs.data
        text = (data() / name).read_text(encoding="utf-8")
        self.assertIn(old, text)
        other = name.replace(".", "-other.")
        (data() / other).write_text(text.replace(old, new, 1), encoding="utf-8")
        self.refuses([other if word == name else word for word in self.call()], state)

    def test_a_checkpoint_of_another_dev_set_is_refused(self):
        if not self.runs.watches:
            self.skipTest("it has no dev set that ends training")
        name = self.runs.loads.split()[-1]
        more = f"--dev {name} --patience 0"
        state = self.checkpoint(more)
        # The training file is another of the same kind.
        self.refuses([self.runs.data[0] if word == name else word for word in self.call(more)], state)

    def test_a_damaged_checkpoint_is_refused(self):
        state = self.checkpoint()
        for what, damaged in damages(state, random.Random(self.TASK)):
            with self.subTest(damage=what):
                self.refuses(self.call(), damaged, saying=self.path("m.checkpoint"))


for_each_task(Resumption, globals())
del Resumption, Conformance


if __name__ == "__main__":
    unittest.main()
