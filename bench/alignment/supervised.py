"""Aligners that learn from labelled pairs (table 3.1, discriminative rows): M, M+F, M+Q and M+F+Q, with and without eflomal's links as
features, on our generative default and on IBM Model 2, for the thesis's split and for random splits.

A job is one training and one test. Its row is written as soon as it is done, so that a run that was broken off can be continued."""

import concurrent.futures
import dataclasses
import functools
import json
import pathlib
import shutil
import sys
import threading

from alignment import splits
from alignment.labelled import Labelled, evaluate, figures, trellis
from peers import links

EXTERNALS = ("none", "eflomal")
TOLD = ("learner", "dials", "cost", "offset", "chosen_by", "objective", "gap", "epochs")  # of training, kept in rows


@dataclasses.dataclass(frozen=True)
class Job:
    shape: str
    beneath: str
    external: str
    trained_on: int
    draw: int

    @property
    def stem(self):
        return "-".join(map(str, dataclasses.astuple(self)))


def all_jobs(shapes, beneath, externals, sizes, draws):
    """Whole tables first: of the thesis's split, then of one choice after the other."""
    return [Job(shape, below, external, size, draw) for draw in range(draws + 1) for below in beneath for external in externals
            for size in sizes for shape in shapes]


class Kept:
    """Rows as JSON lines. settings: what else they depend on; rows of other settings cannot be continued."""

    def __init__(self, path, settings, resume):
        self.path, self.settings, self.rows = pathlib.Path(path), settings, {}
        self.lock = threading.Lock()
        if resume and self.path.exists():
            for text in self.path.read_text(encoding="utf-8").splitlines():
                row = json.loads(text)
                if row["settings"] != settings:
                    raise SystemExit(f"{self.path} has rows of {row['settings']}: they cannot be continued with {settings}")
                self.rows[Job(**row["job"])] = row
        else:
            self.path.write_text("", encoding="utf-8")

    def write(self, job, row):
        row = {"job": dataclasses.asdict(job), **row, "settings": self.settings}
        with self.lock:
            self.rows[job] = row
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


@dataclasses.dataclass
class Plan:
    """What is asked for."""
    shapes: list
    beneath: list
    externals: list
    draws: int  # of chance, beside the thesis's split
    most: int  # links of a word, in the shapes with F
    side_by_side: int  # jobs
    options: list  # further ones of `train`


class Supervised:
    """The jobs of a plan, and what is beside them in the table."""

    def __init__(self, session, plan):
        self.session, self.plan = session, plan
        self.folder = session.folder / "labelled"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.sizes = splits.TRAINED_ON[session.judged]
        # One at a time has all threads; the model has the same bits for any number.
        self.threads = 1 if plan.side_by_side > 1 else 0

    @functools.cached_property
    def rows(self):
        settings = {"judged": self.session.judged, "pairs": self.session.size, "longest": self.session.longest, "most": self.plan.most,
                    "options": self.plan.options}
        return Kept(self.folder / "rows.jsonl", settings, self.session.resume)

    @functools.cached_property
    def labelled(self):
        done = self.session.eflomal[0] if "eflomal" in self.plan.externals else None
        return Labelled(self.session, {f"eflomal-{way}": done[way] for way in ("forward", "reverse")} if done else {})

    def split(self, size, draw):
        return splits.split(len(self.labelled.pairs), size, draw)

    def train(self, job, place):
        """The model, and what training took. The pairs that test are not among its files."""
        files = self.labelled.files(place / "train", self.split(job.trained_on, job.draw)[0], job.external != "none")
        model = place / "model.trellis"
        done = trellis(place / "train.log", "align", "train", *files.text, "--gold", files.gold, "--generative",
                       self.session.base(job.beneath), *splits.shape_options(job.shape, self.plan.most), *files.external,
                       *self.plan.options, "--model", model, "--threads", self.threads, "--json", "--quiet")
        return model, done

    def run(self, job):
        place = self.folder / job.stem
        place.mkdir(exist_ok=True)
        model, trained = self.train(job, place)
        numbers = self.split(job.trained_on, job.draw)[1]
        files = self.labelled.files(place / "test", numbers, job.external != "none")
        output = trellis(place / "predict.log", "align", "predict", *files.text, "--model", model, *files.external, "--threads",
                         self.threads)["output"]
        sums = self.labelled.sums([links.parse(line) for line in output.splitlines()], numbers)
        precision, recall, aer = figures(sums)
        ours = evaluate(place / "evaluate.log", model, files, threads=self.threads)[2]
        if abs(ours - aer) > 1e-9:
            sys.exit(f"{job.stem}: trellis align evaluate says AER {ours}, and the counts here {aer}")
        result = json.loads(trained["output"])
        self.rows.write(job, {"aer": aer, "precision": precision, "recall": recall, "seconds": trained["cpu"],
                              "memory": trained["memory"], "chosen": {key: result[key] for key in TOLD if key in result}})
        print(f"  {job.stem}: AER {aer:.2f}, {trained['cpu']:.0f} CPU s", file=sys.stderr, flush=True)
        shutil.rmtree(place)  # each model has all of the generative one in it

    def measure(self):
        """All rows of the plan."""
        jobs = all_jobs(self.plan.shapes, self.plan.beneath, self.plan.externals, self.sizes, self.plan.draws)
        for beneath in self.plan.beneath:
            self.session.base(beneath)
        missing = [job for job in jobs if job not in self.rows.rows]
        print(f"{len(missing)} of {len(jobs)} trainings are to be done", file=sys.stderr, flush=True)
        self.labelled  # before threads ask for it
        with concurrent.futures.ThreadPoolExecutor(self.plan.side_by_side) as pool:
            waiting = [pool.submit(self.run, job) for job in missing]
            try:
                for one in concurrent.futures.as_completed(waiting):
                    one.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return [self.row(*key) for key in dict.fromkeys((job.shape, job.beneath, job.external, job.trained_on) for job in jobs)]

    def row(self, shape, beneath, external, size):
        jobs = [Job(shape, beneath, external, size, draw) for draw in range(self.plan.draws + 1)]
        done = {job.draw: self.rows.rows[job] for job in jobs}
        found = splits.summary({draw: (row["precision"], row["recall"], row["aer"]) for draw, row in done.items()})
        seconds = [row["seconds"] for row in done.values()]
        return {"name": shape, "metric": "aer", "trained_on": size, "beneath": beneath, "external": external, **found,
                "published": splits.PUBLISHED.get((shape, size, external != "none"), (None, None, None))[2],
                "seconds": sum(seconds) / len(seconds), "chosen": [row["chosen"] for row in done.values()]}

    def unsupervised(self):
        """The generative models beneath, and eflomal's runs, on the same pairs that test."""
        found = {}
        for beneath in self.plan.beneath:
            found["generative", beneath] = self.session.predict(self.session.base(beneath), self.session.judged, [])
        if "eflomal" in self.plan.externals:
            for k, done in enumerate(self.session.eflomal):
                for one in self.session.peer_rows("eflomal", done):
                    found[f"eflomal, {one.way}, run {k + 1}", "none"] = one.links
        rows = []
        for size in self.sizes:
            for (name, beneath), every in found.items():
                by_draw = {}
                for draw in range(self.plan.draws + 1):
                    numbers = self.split(size, draw)[1]
                    by_draw[draw] = figures(self.labelled.sums([every[k] for k in numbers], numbers))
                rows.append({"name": name, "metric": "aer", "trained_on": size, "beneath": beneath, "external": "none",
                             **splits.summary(by_draw), "published": None})
        return rows
