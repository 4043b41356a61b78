"""Defaults: every task with file names only, on every data set, compared with peers with their users' usual tuning.

Trellis gets file names and the options that the data need to be read (`--format items`, `--labels LABELS.xml`, `--pairs`):

| task | data | peer, and how it is tuned |
|---|---|---|
| tag | conll2000, conll2003_en, four UD treebanks (UPOS), ocr_letters (each fold trains, nine test) | CRFsuite's L-BFGS, 100 iterations, over (c1, c2) = (0, 1), (0, 0.1), (0, 0.01), (0.1, 0.1), (0.1, 0.01), (1, 0.01), by the dev part; without one by every fifth sentence, then trained on all |
| classify | 20news as text and as tf-idf vectors; connect4, whole and 5 000 rows; letters one by one; OHSUMED's grades from raw columns; scene (instances of one label); emotions (its first label) | LIBLINEAR by its own `-C`, the better of `-s 2` and `-s 0`, columns scaled to 0 … 1; for text scikit-learn's tf-idf and LinearSVC over five C by five folds; on small data also an RBF SVM over 3 × 3 of C and gamma by five folds |
| label | Mulan's seven | scikit-learn's logistic regression for each label with thresholds tuned by three folds: at C = 1, and with C from 0.1, 1, 10 by the same folds; macro-F1 over the labels that occur in the test part |
| rank | OHSUMED, five folds | LightGBM and XGBoost, eight settings each, early stopping and choice by the validation part |
| segment | horses, 100 / 50 / 178 | scikit-learn on filters of each pixel: logistic regression over three C, a forest over two sizes of leaves, by the dev pictures |
| match | CMU house, 30, 60 and 90 frames apart with a dev part; 30 apart in blocks, without | the distance of shape contexts, unlearned; max-margin with λ and scaling tuned by hand |

CRFsuite has equal features: `template` is what `trellis tag features` exports of our default, `tutorial` what its own tutorials make; both
programs read them as item files. In `blocks` the first half of the frames trains and the second tests, so no test frame has a neighbour in
the training part.

A row has the scores of both in percent (higher is better), the difference, and its noise: half of the interval that holds 95 % of the
differences in a paired bootstrap over the units of the test part (sentences, words, documents, queries, instances, pictures, pairs), 1000
draws. `level` means that this interval contains 0. It shows what another test part of the same kind could change, not what another training
part could.

Our score is computed from predictions and must agree with `evaluate`. Seconds are CPU seconds (user and system) of whole processes that
train, with all searches, on one thread each; a separate process for prediction of the test part does not count. For peers in Python *fits
alone* is the time without starting Python and reading files; ours is always the whole program. Test parts are read once, at the end of a
job, with what the training and dev parts chose.

Each finished row is stored as a line of JSON, and `--continue FILE` resumes from this file. A process that takes more than `--limit` CPU
seconds is ended, and its row says so. `--quick` is for development: it refuses to open a test part.

    ./dev bench defaults                                      what ends within minutes (SOON)
    ./dev bench defaults --full                               all of it, for hours
    ./dev bench defaults --list                               list the jobs
    ./dev bench defaults --only tag:conll2000,rank            some of it
    ./dev bench defaults --quick                              minutes: small parts of the training parts only
    ./dev bench defaults --keep FOLDER                        where files, models and a log of every run go
    ./dev bench defaults --continue FOLDER/rows.jsonl         what this file has is not measured again
"""

import argparse
import pathlib
import sys

from peers import WORK, closed, note, save, sized, table
from untuned import classifying, labelling, matching, ranking, segmenting, tagging
from untuned.rows import HEADER, Kept, cells, line
from untuned.session import Session

REPORT = {
    "title": "Defaults compared with tuned peers",
    "chapter": "Every task",
    "claims": {"tag": ["Tagging: on no data set are the defaults worse, beyond the noise, than a tuned CRFsuite on equal features, and they take no "
                       "more time.", "--only tag"],
               "classify": ["Classifying: on no data set are the defaults worse, beyond the noise, than tuned linear SVMs or an RBF SVM.",
                            "--only classify"],
               "label": ["Sets of labels: on no data set are the defaults worse, beyond the noise, than logistic regression with tuned thresholds.", "--only label"],
               "rank": ["Ranking: the defaults are better, beyond the noise, than trees of LightGBM and XGBoost with the best of eight settings on the "
                        "validation part.", "--only rank"],
               "segment": ["Segmenting with defaults, compared with classifiers of single pixels.", "--full --only segment"],
               "match": ["Matching: on no data set are the defaults worse, beyond the noise, than λ and a scaling tuned by hand, nor than the unlearned"
                         " distance.", "--only match"]},
    "minutes": [9, 240],
    "default": "there are the data sets that take a minute or two, and no pictures",
    "needs": ["data", "pypi", "debian"],
}
SOON = ("tag:cs_cltt,classify:emotions,classify:scene,classify:ohsumed_grades,"
        "label:emotions,label:scene,label:yeast,label:medical,label:enron,rank,match")
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
    parser.add_argument("--only", default=SOON, help="task or task:data, with commas between; nothing: all")
    parser.add_argument("--quick", action="store_true", help="cut-down training parts; a part of them is the test part")
    parser.add_argument("--keep", type=pathlib.Path, help="where files, models and logs go [build/bench/defaults]")
    parser.add_argument("--continue", type=pathlib.Path, dest="resume", metavar="FILE", help="JSON lines of a run that was broken off")
    parser.add_argument("--limit", type=int, help="CPU seconds of one process, after which its row has failed; 0: none [7200; quick: 300]")
    call = sized(parser, only="")
    only = [word for word in call.only.split(",") if word]
    jobs = [job for task in TASKS for job in task.jobs() if job.wanted(only)]
    if not jobs:
        parser.error(f"nothing is called {call.only}; --list says what there is")
    if call.list:
        for job in jobs:
            print(f"{job.name:32} {'; '.join(job.peers)}", flush=True)
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
    for task in dict.fromkeys(row["task"] for row in kept.rows):
        rows = [row for row in kept.rows if row["task"] == task]
        table(f"{task}, one thread each; figures in percent, the more the better" + ("; quick: parts of training parts" if call.quick else ""),
              HEADER[1:], [cells(row)[1:] for row in rows], claim=task)
        note(summary(rows))
    print(summary(kept.rows))
    save({"rows": kept.rows, "quick": call.quick})


if __name__ == "__main__":
    main()
