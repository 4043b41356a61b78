"""Golden models: what the program of some day made of a few lines of data, tests/golden/models/TASK/VERSION.

Each folder has all that its calls name:

    calls.txt                  trellis TASK train … --model model.trellis, and trellis TASK predict … --model model.trellis
    model.trellis              the model of the first call, undisturbed
    model.trellis.checkpoint   its state, when Ctrl-C came in the middle
    predictions.txt            what the second call prints

VERSION begins with the version of the model's format. Files that are large are compressed (.gz).

    python3 -B tests/cli/golden_models.py FOLDER

makes what is missing in a folder with calls.txt and data, by $TRELLIS_PROGRAM. What is there is never made again: programs to come
have to read it.
"""

import gzip
import pathlib
import shutil
import subprocess
import sys
import tempfile

from program import PROGRAM, SOURCE
from waiting_run import interrupt_waiting

FOLDER = SOURCE / "tests" / "golden" / "models"
MODEL = "model.trellis"
CHECKPOINT = "model.trellis.checkpoint"
PREDICTIONS = "predictions.txt"
LARGE = 8000  # bytes that are kept as they are


class GoldenModel:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.name = "/".join(self.folder.parts[-2:])
        self.task = self.folder.parts[-2]
        self.train, self.predict = (line.split()[1:] for line in (self.folder / "calls.txt").read_text(encoding="utf-8").splitlines())

    def __contains__(self, name):
        return (self.folder / name).exists() or (self.folder / f"{name}.gz").exists()

    def read(self, name):
        path = self.folder / name
        return path.read_bytes() if path.exists() else gzip.decompress((self.folder / f"{name}.gz").read_bytes())

    def version(self):
        """Of the format of its model (trellis/data/model_file.h)."""
        return int.from_bytes(self.read(MODEL)[12:16], "little")

    def checkpoint_version(self):
        """Of the format of its checkpoint (trellis/learn/frame/checkpoint_file.cc); none: 0."""
        return int.from_bytes(self.read(CHECKPOINT)[12:16], "little") if CHECKPOINT in self else 0

    def copy_data(self, folder):
        """All that is read, and nothing that is made."""
        for path in self.folder.iterdir():
            if not path.name.startswith((MODEL, PREDICTIONS, "calls.txt")):
                shutil.copy(path, folder)

    def make(self):
        with tempfile.TemporaryDirectory(prefix="trellis-golden-") as name:
            there = pathlib.Path(name)
            self.copy_data(there)
            status, said = interrupt_waiting(self.train, str(there / "history.pipe"), cwd=there)
            assert status == 130, said
            self.keep(CHECKPOINT, (there / CHECKPOINT).read_bytes())
            subprocess.run([PROGRAM, *self.train], cwd=there, check=True)
            self.keep(MODEL, (there / MODEL).read_bytes())
            self.keep(PREDICTIONS, subprocess.run([PROGRAM, *self.predict], cwd=there, check=True, stdout=subprocess.PIPE).stdout)

    def keep(self, name, content):
        if name in self:
            return
        if len(content) > LARGE:
            (self.folder / f"{name}.gz").write_bytes(gzip.compress(content, mtime=0))
        else:
            (self.folder / name).write_bytes(content)


def golden_models():
    return [GoldenModel(path.parent) for path in sorted(FOLDER.glob("*/*/calls.txt"))]


if __name__ == "__main__":
    for given in sys.argv[1:]:
        GoldenModel(pathlib.Path(given).resolve()).make()
