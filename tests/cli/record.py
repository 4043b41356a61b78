"""What the program does today, in the files of tests/cli/record (record_files.py), which record_test.py compares it with.

Of a training call the record has what `train --json` prints, less all that is seconds; checksums of the model, of the
history and of what the model predicts; what else the model says of how it was made; and what `evaluate --json` prints.
Of a call that is refused it has the exit status and the message, of `--help` the text. Calls are kept by their command
lines, less --model, --history, --json, --quiet and --threads 1.

TRELLIS_RECORD_CALLS, a regular expression, leaves the calls in which it is found.
"""

import concurrent.futures
import hashlib
import os
import pathlib
import re
import struct
import subprocess
import zlib

from program import PROGRAM
from record_calls import TASKS, help_calls
from record_data import write_data
from record_files import Number, json_line, parse

WORKERS = 2
PATIENCE = 1800  # seconds for a call: some machines are emulated
CALLS = re.compile(os.environ.get("TRELLIS_RECORD_CALLS", ""))

# What results say of each label, picture, graph, query, sentence or iteration is kept as a checksum: the figures over all of them are enough
# to see what has changed.
TABLES = ("types", "labels", "confusions", "per_image", "per_graph", "per_query", "per_sentence", "per_domain", "iterations", "by_label",
          "by_distance", "categories", "lengths", "looks", "topic_npmi", "topic_umass", "history", "confusion")

# Trained first, for the calls that start from them.
OLDER_MODELS = (
    "tag train travel/dev.txt --template travel/words.template --epochs 5 --c 1 --model travel/old.model",
    "tag train travel/few-dev.txt --template travel/words.template --epochs 5 --c 1 --model travel/few.model",
    "align train harbour/more.bars --unsupervised --model harbour/old.model",
)


# Running.


def checksum(data):
    """The first half of what sha256sum prints."""
    return "sha256:" + hashlib.sha256(data).hexdigest()[:32]


def summary(value):
    """A result of JSON without the keys that are about time, wherever they stand, and with checksums of its tables."""
    if isinstance(value, list):
        return [summary(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    kept = {key: summary(entry) for key, entry in value.items() if "seconds" not in key}
    for key in TABLES:
        if isinstance(kept.get(key), (dict, list)):
            kept[key] = checksum(json_line(kept[key]).encode())
    return kept


def picture_content(path):
    """What a PNG shows: its header and its rows, whichever way this machine's zlib has packed them."""
    data, place, header, rows = path.read_bytes(), 8, b"", b""
    while place < len(data):
        (length,) = struct.unpack(">I", data[place : place + 4])
        kind, content = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        header += content if kind == b"IHDR" else b""
        rows += content if kind == b"IDAT" else b""
        place += 12 + length
    return header + zlib.decompress(rows)


def learned_content(path):
    """The sections of a model (trellis/data/model_file.h) that are no JSON: all but how it was made, which `made` has."""
    data = path.read_bytes()
    (sections,) = struct.unpack("<I", data[24:28])
    content = b""
    for place in range(64, 64 + 64 * sections, 64):
        name = data[place : place + 32].rstrip(b"\0")
        offset, size = struct.unpack("<QQ", data[place + 32 : place + 48])
        section = data[offset : offset + size]
        content += b"" if section.startswith(b"{") else name + b":" + section
    return content


class Runner:
    """Runs calls in a folder that has the data; models lie there as well, each under the name of its call."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def prepare(self):
        write_data(self.folder)
        for call in OLDER_MODELS:
            self.run(*call.split(), "--quiet").check_returncode()

    def run(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, timeout=PATIENCE, check=False)

    def help(self, call):
        done = self.run(*call.split())
        return (done.stdout + done.stderr).decode("utf-8").splitlines()

    def refusal(self, call):
        done = self.run(*call.split(), "--model", "refused.model", "--quiet")
        return {"status": Number(done.returncode), "says": done.stderr.decode("utf-8").splitlines()}

    def training(self, training):
        """The entry of a training call and of the commands after it; one that fails has its status and what it said."""
        name = re.sub("[^a-z0-9.]+", "-", training.call)
        name = f"{name[:60]}-{hashlib.sha256(training.call.encode()).hexdigest()[:12]}"
        model, history = f"{name}.model", f"{name}.history"
        threads = () if "--threads" in training.call else ("--threads", "1")
        done = self.run(*training.call.split(), *threads, "--model", model, "--history", history, "--json", "--quiet")
        if done.returncode != 0:
            return self.failure(done)
        entry = {
            "train": summary(parse(done.stdout)),
            "model": checksum(learned_content(self.folder / model)),
            "history": checksum(self.history(history)),
        }
        task = training.call.split()[0]
        entry["made"] = self.made(task, model, entry["train"])
        for command in training.after:
            entry[command] = self.after(task, command, model)
        return entry

    def made(self, task, model, told):
        """What the model says of its training and `train` did not."""
        top = () if task in ("hmm", "bayes") else ("--top", "0")  # it has no strongest weights
        done = self.run(task, "inspect", "--model", model, "--json", *top)
        if done.returncode != 0:
            return self.failure(done)
        return {key: value for key, value in parse(done.stdout)["training"].items() if told.get(key) != value}

    def after(self, task, command, model):
        call = [task, *command.split(), "--model", model]
        if "--threads" not in call:
            call += ["--threads", "1"]
        if call[1] == "evaluate":
            done = self.run(*call, "--json", "--quiet")
            return summary(parse(done.stdout)) if done.returncode == 0 else self.failure(done)
        if task == "segment" and call[1] == "predict" and "--graph" not in call:
            return self.masks(call, f"{model}.{'overlay' if '--overlay' in call else 'masks'}")
        done = self.run(*call, "--quiet")
        # A model that is named in what is printed has a name of this file's making.
        return checksum(done.stdout.replace(model.encode(), b"MODEL")) if done.returncode == 0 else self.failure(done)

    def masks(self, call, output):
        done = self.run(*call, "--output", output, "--quiet")
        if done.returncode != 0:
            return self.failure(done)
        files = sorted((self.folder / output).iterdir())
        return checksum(b"".join(path.name.encode() + picture_content(path) for path in files))

    def history(self, name):
        lines = (self.folder / name).read_text(encoding="utf-8").splitlines()
        return "".join(json_line(summary(parse(line))) + "\n" for line in lines).encode()

    @staticmethod
    def failure(done):
        return {"failed": Number(done.returncode), "says": done.stderr.decode("utf-8").splitlines()}


def write_down(folder):
    """What the program does now, as the files have it."""
    runner = Runner(folder)
    runner.prepare()
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as workers:

        def begin(work, calls):
            begun = {}
            for call in calls:
                name = getattr(call, "call", call)
                if not CALLS.search(name):
                    continue
                assert name not in begun, f"twice in the record: {name}"
                begun[name] = workers.submit(work, call)
            return begun

        sections = {"help": begin(runner.help, help_calls())}
        for task, calls in TASKS.items():
            sections[task] = begin(runner.training, calls.trainings())
        for task, calls in TASKS.items():
            sections[f"{task} refuses"] = begin(runner.refusal, calls.refusals())
    record = {}
    for section, begun in sections.items():
        record[section] = {name: future.result() for name, future in begun.items()}
    return record


# Comparing.

TOLERANCE = 1e-6


def to_the_bit(call):
    """Whether the entry of a training call is promised to the last bit, or its numbers to TOLERANCE alone.

    The same bits on every machine is promised of all but `--learner qp`, whose program is solved by Ipopt and the BLAS
    that happens to be installed.
    """
    return "--learner qp" not in call


def differences(expected, found, exact=True, scale=0.0):
    """(keys, expected, found) for each leaf that is not the same. `scale`: what a number is small against."""
    if isinstance(expected, dict) and isinstance(found, dict):
        # A gap is a difference, and rounded like what it is a difference of; `gap` is relative to that.
        sizes = {"gap": 1.0, "gap_absolute": magnitude(expected.get("objective"))}
        for key in [*expected, *(key for key in found if key not in expected)]:
            pair = (values.get(key, "(no such key)") for values in (expected, found))
            there = differences(*pair, exact, sizes.get(key, 0.0))
            yield from (((key, *keys), *values) for keys, *values in there)
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for place, pair in enumerate(zip(expected, found)):
            yield from (((str(place), *keys), *values) for keys, *values in differences(*pair, exact, scale))
    elif not (expected == found or (not exact and alike(expected, found, scale))):
        yield (), expected, found


def alike(expected, found, scale):
    if isinstance(expected, Number) and isinstance(found, Number):
        size = max(magnitude(expected), magnitude(found), scale)
        return abs(float(expected) - float(found)) <= TOLERANCE * size
    return all(isinstance(value, str) and value.startswith("sha256:") for value in (expected, found))


def magnitude(value):
    return abs(float(value)) if isinstance(value, Number) else 0.0
