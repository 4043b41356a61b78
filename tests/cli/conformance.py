"""What the conformance tests of tasks share: data, and trainings that are run once for all of them."""

import atexit
import json
import pathlib
import shutil
import subprocess
import tempfile
from typing import NamedTuple

import resume_calls
from conformance_tasks import TASKS, training
from program import PROGRAM, ProgramTest

SHARED = {}  # (task, options): Trained
FOLDERS = []


def data():
    """The folder in which all calls run."""
    if not FOLDERS:
        FOLDERS.append(pathlib.Path(tempfile.mkdtemp(prefix="trellis-data-")))
        atexit.register(shutil.rmtree, FOLDERS[0], ignore_errors=True)
        resume_calls.write_hard_data(FOLDERS[0])
    return FOLDERS[0]


class Trained(NamedTuple):
    model: bytes
    told: dict  # what `train --json` prints
    history: list  # an object for each epoch
    page: bytes


def trained(task, options=None):
    """A training that has run to its end, on one thread, with all that it can write."""
    if (task, options) not in SHARED:
        with tempfile.TemporaryDirectory(prefix="trellis-trained-") as name:
            folder = pathlib.Path(name)
            told = subprocess.run(
                [PROGRAM, task, "train", *training(task, options), "--model", folder / "m", "--history", folder / "h", "--report", folder / "r.html",
                 "--threads", "1", "--json", "--quiet"],
                cwd=data(), capture_output=True, check=True, timeout=300,
            )
            history = [json.loads(line) for line in (folder / "h").read_bytes().splitlines()]
            SHARED[task, options] = Trained((folder / "m").read_bytes(), json.loads(told.stdout), history, (folder / "r.html").read_bytes())
    return SHARED[task, options]


class Conformance(ProgramTest):
    """Calls run in the folder of the data. Each test has a folder of its own to write into."""

    def setUp(self):
        super().setUp()
        self.about = TASKS[self.TASK]
        self.runs = resume_calls.TASKS[self.TASK]

    def run_program(self, *arguments, **more):
        return super().run_program(*arguments, cwd=data(), **more)

    def train(self, *more, options=None, model="m", status=0):
        return self.run_program("train", *training(self.TASK, options), "--model", self.path(model), *more, status=status)

    def trained(self):
        """The shared training; its model is `m`."""
        shared = trained(self.TASK)
        self.write("m", shared.model)
        return shared

    def predict(self, *more, **expected):
        return self.run_program("predict", *self.about.asks.split(), *more, "--model", self.path("m"), **expected)

    def truth(self):
        return [*self.about.asks.split(), *self.about.truth.split()]

    def evaluate(self, *more, **expected):
        return self.run_program("evaluate", *self.truth(), *more, **expected)

    def commands(self):
        """Each command, and a call of it that uses `m`."""
        further = {call.split()[0]: tuple(call.split()) for call in self.about.more}
        return {"predict": ("predict", *self.about.asks.split()), "evaluate": ("evaluate", *self.truth()), "inspect": ("inspect",), **further}


def for_each_task(suite, module):
    """Makes a class of tests for each task, named after it, from a class that is for any."""
    for task in TASKS:
        module[task.capitalize()] = type(task.capitalize(), (suite,), {"TASK": task, "__module__": module["__name__"]})
