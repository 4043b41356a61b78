"""Runs programs on one thread each, counts their CPU seconds, and keeps what they say in a folder."""

import dataclasses
import os
import pathlib
import resource
import shlex
import subprocess
import time

from peers import PROGRAM, peer_python

PEERS = pathlib.Path(__file__).parent.parent / "peers"
PACKAGES = ("numpy", "scipy", "scikit-learn", "python-crfsuite", "lightgbm", "xgboost", "pillow")
# What numerical libraries go by; the peers are asked for one thread where they take an argument, too.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")}


class Failed(Exception):
    """A program that did not end well; the row says so, and the others go on."""


@dataclasses.dataclass
class Run:
    output: str
    cpu: float  # user and system, of the process and its children
    wall: float
    memory: float  # MB


class Session:
    """quick: parts of the training data alone. folder: where files, models and logs go. limit: CPU seconds of one process."""

    def __init__(self, folder, quick, limit):
        self.folder, self.quick, self.limit = pathlib.Path(folder), quick, limit
        self.python = peer_python(*PACKAGES)

    def place(self, *names):
        """A folder for the files of one row."""
        path = self.folder.joinpath(*names)
        path.mkdir(parents=True, exist_ok=True)
        return path

    def run(self, log, *command):
        """log: where the command, all that it prints and what it used are kept."""
        command = [str(word) for word in command]
        start = time.monotonic()
        with open(log, "w", encoding="utf-8") as file:
            file.write("$ " + shlex.join(command) + "\n")
            file.flush()
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=file, text=True, env={**os.environ, **ONE_THREAD},
                                       preexec_fn=self.hold)
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            done = Run(output, usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024)
            file.seek(0, os.SEEK_END)
            file.write(output + f"\nstatus {process.returncode}, {done.cpu:.2f} CPU s, {done.wall:.2f} s, {done.memory:.0f} MB\n")
        if process.returncode:
            held = f" at its limit of {self.limit} CPU seconds" if self.limit and done.cpu >= self.limit else ""
            raise Failed(f"status {process.returncode}{held}: see {log}")
        return done

    def hold(self):
        if self.limit:
            resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit + 5))

    def trellis(self, log, *arguments):
        return self.run(log, PROGRAM, *arguments)

    def train(self, place, task, *arguments, name="model"):
        """Ours, on one thread: the model, and the run."""
        model = place / f"{name}.trellis"
        return model, self.trellis(place / f"{name}-train.log", task, "train", *arguments, "--model", model, "--json", "--threads", 1)

    def evaluate(self, place, task, model, *arguments, name="model"):
        """Our own figures of the test part, as JSON."""
        return self.trellis(place / f"{name}-evaluate.log", task, "evaluate", *arguments, "--model", model, "--json").output

    def peer(self, log, script, *arguments):
        """A script of bench/peers, in the environment that has the peers."""
        return self.run(log, self.python, PEERS / script, *arguments)
