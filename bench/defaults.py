"""Defaults: every task with nothing but file names, on every data set, beside peers with their users' usual tuning.

One table: figure of ours and of the peer on the test part, their difference with what a paired bootstrap of the test part calls noise, and
the CPU seconds of both, searches included, on one thread each. What is said to Trellis beyond file names is what the data need to be read
(the format of item files, the file with the names of the labels, that files are lists of pairs). Test parts are read once, at the end of a job.

    ./dev bench defaults                                      all of it, for hours
    ./dev bench defaults --list                               what there is
    ./dev bench defaults --only tag:conll2000,rank            some of it
    ./dev bench defaults --quick                              minutes: small parts of the training parts to train, choose and test on
    ./dev bench defaults --keep FOLDER                        where files, models and a log of every run go
    ./dev bench defaults --continue FOLDER/rows.jsonl         what this file has is not measured again
"""

import argparse
import pathlib
import sys

from peers import WORK, closed, save
from untuned import classifying, labelling, matching, ranking, segmenting, tagging
from untuned.rows import HEADER, Kept, cells, line
from untuned.session import Session

TASKS = (tagging, classifying, labelling, ranking, segmenting, matching)


def summary(rows):
    """How many rows are at least level, and how many take no more time."""
    measured = [r for r in rows if "failed" not in r]
    count = {v: sum(r["verdict"] == v for r in measured) for v in ("better", "level", "worse")}
    ratios = [r["ratio"] for r in measured if r["ratio"] is not None]
    return (f"{len(measured)} rows: {count['better']} better, {count['level']} level within noise, {count['worse']} worse; "
            f"{sum(ratio <= 1 for ratio in ratios)} of {len(ratios)} in at most the peer's CPU time; {len(rows) - len(measured)} failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print the jobs, and what each is compared with")
    parser.add_argument("--only", default="", help="task or task:data, with commas between")
    parser.add_argument("--quick", action="store_true", help="cut-down training parts; a part of them is the test part")
    parser.add_argument("--keep", type=pathlib.Path, help="where files, models and logs go [build/bench/defaults]")
    parser.add_argument("--continue", type=pathlib.Path, dest="resume", metavar="FILE", help="JSON lines of a run that was broken off")
    parser.add_argument("--limit", type=int, help="CPU seconds of one process, after which its row has failed; 0: none [7200; quick: 300]")
    call = parser.parse_args()
    only = [word for word in call.only.split(",") if word]
    jobs = [job for task in TASKS for job in task.jobs() if job.wanted(only)]
    if not jobs:
        parser.error(f"nothing is called {call.only}; --list says what there is")
    if call.list:
        for job in jobs:
            print(f"{job.name:32} {'; '.join(job.peers)}")
        return
    if call.quick:
        sys.addaudithook(closed)
    folder = call.keep or WORK / ("defaults-quick" if call.quick else "defaults")
    limit = call.limit if call.limit is not None else 300 if call.quick else 7200
    kept = Kept(call.resume or folder / "rows.jsonl", call.quick, call.resume is not None)
    session = Session(folder.absolute(), call.quick, limit)
    print("One thread each; figures in percent, the more the better; quick: parts of training parts" if call.quick else
          "One thread each; figures in percent, the more the better")
    print(line(HEADER), flush=True)
    while jobs:
        job = jobs.pop(0)  # which keeps its data in memory
        missing = kept.missing(job)
        for row in (r for r in kept.of(job) if r["peer_name"] not in missing):
            print(line(cells(row)), flush=True)
        for row in job.rows(session, missing):
            print(line(cells(kept.write(row))), flush=True)
    print(summary(kept.rows))
    save({"rows": kept.rows, "quick": call.quick})


if __name__ == "__main__":
    main()
