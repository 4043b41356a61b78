"""The jobs of the measurement, their rows, the table, and the file of JSON lines from which a run is continued."""

import dataclasses
import json
import pathlib
import typing

from untuned import noise
from untuned.session import Failed

HEADER = ("task", "data", "metric", "ours", "peer", "", "difference", "± 95 %", "", "CPU s", "peer's", "fits alone", "ratio")
WIDTHS = (8, 22, 9, 7, 26, 7, 10, 7, 6, 9, 9, 10, 6)


@dataclasses.dataclass
class Side:
    """What one of the two has found: counts over the units of the test part, CPU seconds with the search, and what was chosen."""
    counts: noise.Counts
    cpu: float  # None where nothing is trained
    fits: float = None  # the peer's without starting Python and reading files; ours is always the whole program
    chosen: str = ""


@dataclasses.dataclass
class Job:
    """One data set of a task. `ours(session)` and each of `peers`, by its name, train, predict the test part and return a Side."""
    task: str
    data: str
    metric: str
    figure: typing.Callable  # of noise
    ours: typing.Callable
    peers: dict

    @property
    def name(self):
        return f"{self.task}:{self.data}"

    def wanted(self, only):
        """only: names, or what stands before a colon of them; nothing means everything."""
        return not only or any(self.name == word or self.name.startswith(word + ":") for word in only)

    def rows(self, session, missing):
        """A row for each peer of `missing`; one that failed says so, and takes no other with it."""
        ours = None
        for name in missing:
            try:
                ours = ours or self.ours(session)
                yield self.row(ours, name, self.peers[name](session))
            except (Failed, ValueError, KeyError) as reason:  # the latter two: output that is not what was expected
                side = name if ours else "ours"
                yield {"name": self.name, "task": self.task, "data": self.data, "peer_name": name, "failed": f"{side}: {reason}"}
                if not ours:
                    return

    def row(self, ours, peer_name, peer):
        """One line of the table, as it is kept."""
        found = noise.compare(self.figure, ours.counts, peer.counts)
        return {"name": self.name, "task": self.task, "data": self.data, "metric": self.metric, "value": found.ours,
                "peer_name": peer_name, "peer": found.peer, "difference": found.value, "noise": found.noise, "low": found.low,
                "high": found.high, "verdict": found.verdict, "units": ours.counts.size, "seconds": ours.cpu,
                "peer_seconds": peer.cpu, "peer_fit_seconds": peer.fits, "ratio": ours.cpu / peer.cpu if peer.cpu else None,
                "chosen": ours.chosen, "peer_chosen": peer.chosen}


def line(cells):
    """Left where there are words, right where there are numbers."""
    words = (0, 1, 2, 4, 8)
    return "  ".join(str(c).ljust(w) if k in words else str(c).rjust(w) for k, (c, w) in enumerate(zip(cells, WIDTHS))).rstrip()


def number(x, digits=2):
    return "-" if x is None else f"{x:.{digits}f}"


def cells(row):
    if "failed" in row:
        return (row["task"], row["data"], "failed: " + row["failed"]) + ("",) * (len(HEADER) - 3)
    return (row["task"], row["data"], row["metric"], number(row["value"]), row["peer_name"], number(row["peer"]),
            f"{row['difference']:+.2f}", number(row["noise"]), row["verdict"], number(row["seconds"], 1),
            number(row["peer_seconds"], 1), number(row["peer_fit_seconds"], 1), number(row["ratio"]))


class Kept:
    """Rows as JSON lines, each written as soon as it is there; what a file has already is not measured again."""

    def __init__(self, path, quick, resume):
        self.path, self.quick, self.rows = pathlib.Path(path), quick, []
        if resume and self.path.exists():
            for text in self.path.read_text(encoding="utf-8").splitlines():
                self.add(json.loads(text))
        else:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text("", encoding="utf-8")

    def add(self, row):
        if row["quick"] != self.quick:
            raise SystemExit(f"{self.path} has rows of a {'quick' if row['quick'] else 'full'} run: it cannot be continued by this one")
        self.rows = [r for r in self.rows if (r["name"], r["peer_name"]) != (row["name"], row["peer_name"])] + [row]

    def write(self, row):
        row = {**row, "quick": self.quick}
        self.add(row)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        return row

    def of(self, job):
        return [row for row in self.rows if row["name"] == job.name]

    def missing(self, job):
        """The peers whose rows are not there yet; what failed is tried again."""
        have = {row["peer_name"] for row in self.of(job) if "failed" not in row}
        return [name for name in job.peers if name not in have]
