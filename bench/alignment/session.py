"""Prepared text, the programs that align it, ours and peers, and the links that they find."""

import dataclasses
import functools
import json
import os
import pathlib
import subprocess
import sys

from peers import WORK, data, links, parallel_text, peer_python, run, trellis

PEERS = pathlib.Path(__file__).parent.with_name("peers")
ONE_WAY = ("forward", "reverse")
WAYS = {"forward": "English to French", "reverse": "French to English", "intersection": "intersected", "product": "posteriors multiplied",
        "grow-diag-final-and": "grow-diag-final-and"}
DEFAULT_WAYS = (*ONE_WAY, "intersection", "grow-diag-final-and", "product")  # in which our default is shown
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)  # of posteriors that are then intersected or grown
MODEL2 = ["--aligner", "model2", "--no-agree"]
BENEATH = {"default": [], "model2": MODEL2}  # Model 2 is what the thesis has
THOT = "sil-thot==3.3.4"  # the last that can be built from what PyPI has


@dataclasses.dataclass
class Found:
    """Links of the judged pairs, and who found them how. `counts` are filled in at the end."""
    name: str
    way: str
    links: list
    trained_on: int  # pairs
    seconds: float  # of CPU
    more: dict = dataclasses.field(default_factory=dict)
    counts: list = None

    def figures(self, first=0):
        sums = links.total(self.counts[first:])
        return links.precision(sums), links.recall(sums), links.aer(sums)

    @property
    def aer(self):
        return self.figures()[2]


class Session:
    """Prepared text, and every program that is run on it. judged: the part of the Hansards whose figures are shown; pairs, longest: of
    text, and most words of a side, None for all; resume: what an earlier run has left in the folder is not made again."""

    def __init__(self, folder, judged, pairs=None, repeats=1, longest=45, resume=False):
        self.folder, self.judged, self.pairs, self.repeats = folder, judged, pairs, repeats
        self.longest, self.resume = longest, resume
        self.made = {}
        self.folder.mkdir(parents=True, exist_ok=True)
        self.trial_gold = links.read_gold(data("hansards", "trial.align.gz"))
        self.trial_links = self.folder / "trial.links"
        links.write_gold(self.trial_links, self.trial_gold)

    @property
    def part_names(self):
        return ("trial",) if self.judged == "trial" else ("trial", "test")

    @functools.cached_property
    def text(self):
        return parallel_text.prepare(self.folder, self.part_names, self.pairs, self.longest)

    @functools.cached_property
    def parts(self):
        return {part: self.text.part_files(part) for part in self.part_names}

    @property
    def size(self):
        return len(self.text.pairs)

    def kept(self, name, files, make):
        """What make() returns, and makes in `files`: once, and from an earlier run on the same text where there is one."""
        if name in self.made:
            return self.made[name]
        record = self.folder / f"{name}.made.json"
        text = {"judged": self.judged, "longest": self.longest, "pairs": self.size}
        if self.resume and record.exists() and all(pathlib.Path(file).exists() for file in files):
            known = json.loads(record.read_text(encoding="utf-8"))
            if known["text"] == text:
                self.made[name] = known["made"]
                return known["made"]
        record.unlink(missing_ok=True)
        self.made[name] = make()
        record.write_text(json.dumps({"text": text, "made": self.made[name]}) + "\n", encoding="utf-8")
        return self.made[name]

    # Ours.

    def train(self, name, options, files=None, threads=0, with_trial=True):
        """The model, and what training took."""
        model = self.folder / f"{name.replace(' ', '-').replace(',', '')}.trellis"
        trial = ["--dev", *self.parts["trial"], "--dev-gold", self.trial_links] if with_trial else []
        return model, trellis("align", "train", *(files or self.text.files()), "--unsupervised", "--model", model, *trial, *options,
                              "--threads", threads, "--json", "--quiet")

    def base(self, beneath):
        """What lies beneath aligners that learn from links: a model of all text, and what the text says of words."""
        model = self.folder / f"base-{beneath}.trellis"
        self.kept(f"base-{beneath}", [model],
                  lambda: self.train(f"base-{beneath}", ["--statistics", *BENEATH[beneath]], with_trial=False)[1])
        return model

    def predict(self, model, part, options, parse=links.parse):
        output = trellis("align", "predict", *self.parts[part], "--model", model, *options)["output"]
        return [parse(line) for line in output.splitlines()]

    def on_trial(self, found):
        return links.aer(links.total(map(links.counts, found, self.trial_gold)))

    def decodings(self, model, way, tuned):
        """(AER on the trial pairs, options) of each way to decode that comes into question; where it is not tuned there is one. The
        threshold of the product is the model's."""
        combination = ["--symmetrise", way]
        if way == "product":
            yield self.on_trial(self.predict(model, "trial", combination)), combination
            return
        viterbi = [*combination, "--decode", "viterbi"]
        yield self.on_trial(self.predict(model, "trial", viterbi)), viterbi
        if not tuned:
            return
        posterior = [*combination, "--decode", "posterior", "--threshold"]
        if way in ONE_WAY:
            scored = self.predict(model, "trial", [*posterior, 0.001, "--probabilities"], links.parse_scored)
            threshold, figure = links.best_threshold(scored, self.trial_gold)
            yield figure, [*posterior, f"{threshold:.6f}"]
            return
        for threshold in THRESHOLDS:
            yield self.on_trial(self.predict(model, "trial", [*posterior, threshold])), [*posterior, threshold]

    def decode(self, name, model, way, tuned, trained, pairs=None):
        """The best way by the trial pairs, applied to the judged ones."""
        figure, options = min(self.decodings(model, way, tuned), key=lambda one: one[0])
        return Found(name, way, self.predict(model, self.judged, options), pairs or self.size, trained["cpu"],
                     {"trial": figure, "decoding": " ".join(map(str, options[2:]))})

    @functools.cached_property
    def default(self):
        """By default: no option but files, and no labelled pair chooses a threshold."""
        model, trained = self.train("default", [], with_trial=False)
        return [self.decode("default", model, way, False, trained) for way in DEFAULT_WAYS]

    # Peers, on one thread; links of all text in two files.

    def peer(self, python, script, name):
        files = [self.folder / f"{name}.{way}" for way in ONE_WAY]

        def align():
            for file in files:
                file.unlink(missing_ok=True)
            return run(python, PEERS / script, *self.text.files(), *files, env={**os.environ, "OMP_NUM_THREADS": "1"})

        done = self.kept(name, files, align)
        first, end = self.text.parts[self.judged]
        forward, reverse = (links.read(file, first, end) for file in files)
        if len(forward) != end - first or len(reverse) != end - first:
            sys.exit(f"{name} has not aligned all pairs")
        return {**done, "alone": json.loads(done["output"]), "forward": forward, "reverse": reverse}

    @functools.cached_property
    def eflomal(self):
        """It draws another alignment each time."""
        python = peer_python("eflomal")
        return [self.peer(python, "eflomal_align.py", f"eflomal-{k}") for k in range(self.repeats)]

    @functools.cached_property
    def fast_align(self):
        """Nothing where it cannot be had."""
        python = thot_python()
        return [self.peer(python, "fast_align.py", "fast_align")] if python else []

    @property
    def peers(self):
        return {"eflomal": self.eflomal, "fast_align": self.fast_align}

    def peer_rows(self, name, done, run_number=1):
        combined = {"forward": done["forward"], "reverse": done["reverse"]}
        for way, combine in (("intersection", links.intersection), ("grow-diag-final-and", links.grow_diag_final_and)):
            combined[way] = [combine(f, r) for f, r in zip(done["forward"], done["reverse"])]
        for way, found in combined.items():
            yield Found(name, way, found, self.size, done["cpu"], {"run": run_number, "memory": done["memory"]})


def thot_python():
    """SIL's Thot has fast_align's model, and wheels for x86-64 alone; its source asks GitHub for pybind11, which PyPI has as well."""
    python = peer_python("pybind11")
    if not subprocess.run([python, "-m", "pip", "show", "-q", "sil-thot"], capture_output=True).returncode:
        return python
    folder = subprocess.run([python, "-m", "pybind11", "--cmakedir"], capture_output=True, text=True, check=True).stdout.strip()
    settings = WORK / "thot.cmake"
    # Its warnings are errors, of which newer compilers have more, and it forgets headers that older ones did not miss.
    settings.write_text(f"""set(FETCHCONTENT_TRY_FIND_PACKAGE_MODE ALWAYS CACHE STRING "")
set(pybind11_DIR "{folder}" CACHE PATH "")
set(CMAKE_CXX_FLAGS_INIT "-w -include stddef.h -include limits")
""")
    built = subprocess.run([python, "-m", "pip", "install", "-q", THOT], capture_output=True, text=True,
                           env={**os.environ, "CMAKE_TOOLCHAIN_FILE": str(settings)})
    if built.returncode:
        print(f"{THOT} (fast_align's model) cannot be installed here: {(built.stderr.strip().splitlines() or ['no reason given'])[-1]}")
        return None
    return python
