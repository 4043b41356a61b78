"""Training runs that are ended by a signal: what the tests of interruption and of being killed share."""

import pathlib
import shutil
import subprocess
import tempfile
import time
from typing import NamedTuple

from program import PROGRAM, ProgramTest
from record_training import held
from resume_calls import TASKS, write_hard_data


class Ended(NamedTuple):
    status: int  # as Popen has it: -9 after SIGKILL
    err: str


class ResumeTest(ProgramTest):
    """All calls run in one folder with the data; models are written into the folder of the test."""

    @classmethod
    def setUpClass(cls):
        cls.data = pathlib.Path(tempfile.mkdtemp(prefix="trellis-data-"))
        cls.addClassCleanup(shutil.rmtree, cls.data, ignore_errors=True)
        write_hard_data(cls.data)

    def call(self, task, options, model="m"):
        self.TASK = task  # pylint: disable=invalid-name
        call = held(f"{task} train {TASKS[task].train} {options}")
        return [*call.split()[1:], "--model", self.path(model)]

    def finish(self, call, **options):
        return self.run_program(*call, cwd=self.data, **options)

    def undisturbed(self, task, options):
        """The bytes of the model, and the seconds that it took."""
        start = time.monotonic()
        self.finish(self.call(task, options, "whole"))
        seconds = time.monotonic() - start
        return self.read("whole"), seconds

    def signal_after(self, call, number, delay, until=lambda: True):
        """Sends the signal after so many seconds, as soon as `until` says so, unless the run is over by then."""
        command = [PROGRAM, self.TASK, *call]
        with subprocess.Popen(command, cwd=self.data, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            try:
                process.wait(delay)
            except subprocess.TimeoutExpired:
                while process.poll() is None and not until():
                    pass
                process.send_signal(number)  # does nothing to a process that was waited for
            error = process.communicate()[1].decode()
        return Ended(process.returncode, error)

    def clear(self):
        for name in self.files():
            (self.folder / name).unlink()
