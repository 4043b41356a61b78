"""Lacoste-Julien 2009, chapter 4: DiscLDA on 20 Newsgroups, compared with LDA.

    ./dev bench paper-disclda [--only data table words tasks calibration maps] [--seeds 1 2 3] [--pairs 2]

data: table 4.2, the data.
table: table 4.4, percentage of wrong test documents by seed: a linear SVM on LDA's mixtures of 110 topics, the same on DiscLDA's reduced
representations (5 topics for each class, 10 shared), and DiscLDA's own p(class | words).
tasks: figure 4.7, the same on five pairs of groups, 20 topics for each class and 20 shared, with T fixed by blocks and learned; LDA has 60.
words: table 4.3, the words of each class.
maps: figures 4.5 and 4.6, pages with maps of the test documents.
calibration: not in the thesis; mean log-probability of the true class of test documents, without and with the correlation of a document's
words that training fits, for all 20 groups and for the genres of documents of UD English EWT (an answer, an email, a newsgroup, a review, a
weblog; 540 to learn from, 316 test documents).

Groups and their split are those of the data set by date; the thesis used a variant of it (11 269 and 7 500 documents). Words that occur in
one training document only are left out, and so are English stop words; 200 sweeps, alpha and beta as in the thesis. Nothing is chosen on the
test part: the start of T (--contrast) was chosen on the last quarter, by number, of the training part of two pairs.

Differences from the thesis: documents have headers (1.83 million training words; 1.3 million in the thesis). Blocks learn from all training
documents and predict by the mean over the topics of five sweeps, by the collapsed filter; the thesis has one sweep and bridge sampling.
Learned T has one Phi and 80 % of the documents, since the others choose the round; "start" is the same without a round, i.e. smoothed blocks:
the baseline for learning. The step size is one number (--rate 10), not chosen by the validation error, and the contrast of the start is 8,
not 3.
"""

import argparse
import gzip
import json
import statistics
import sys

from peers import WORK, data, save, sized, table, trellis

REPORT = {
    "title": "DiscLDA",
    "chapter": "Topics",
    "claims": {"data": ["Table 4.2: the data.", "--only data"],
               "table": ["After table 4.4, with headers in the texts and means over five sweeps: DiscLDA makes fewer errors than an SVM "
                         "on LDA's mixtures.", "--only table"],
               "words": ["Table 4.3: the words of each class.", "--only words"],
               "tasks": ["After figure 4.7: two groups at a time. Blocks have all documents and five sweeps; start and learned have 80 % and one sweep.", "--only tasks"],
               "calibration": ["Calibration on a fifth of the training documents makes the true classes of test documents more probable.",
                               "--only calibration"],
               "maps": ["Figures 4.5 and 4.6: maps of the test documents.", "--full --only maps"]},
    "minutes": [10, 75],
    "default": "there is one seed instead of three, two of the five pairs of groups, and no map",
    "needs": ["data"],
}
# The thesis numbers groups in the order of their names.
PAIRS = {"1 vs. 20": ("alt.atheism", "talk.religion.misc"), "16 vs. 20": ("soc.religion.christian", "talk.religion.misc"),
         "4 vs. 5": ("comp.sys.ibm.pc.hardware", "comp.sys.mac.hardware"), "4 vs. 3": ("comp.sys.ibm.pc.hardware", "comp.os.ms-windows.misc"),
         "10 vs. 11": ("rec.sport.baseball", "rec.sport.hockey")}
PUBLISHED = {"LDA + SVM": 27.0, "DiscLDA + SVM": 19.2, "DiscLDA": 19.2}
TEXT = ["--min-documents", 2]
CHAIN = ["--sweeps", 200, "--watch-every", 0, "--beta", 0.01]
UNCALIBRATED = ["--validation", 0]  # which errors do not depend on
ALL_BLOCKS = ["--kind", "disclda", "--class-topics", 5, "--shared-topics", 10, "--alpha", 10 / 110]
ALL_GROUPS = {"lda": ["--topics", 110, "--alpha", 10 / 110, "--fixed-alpha", "--beta-prior", "fixed"],
              "disclda": [*ALL_BLOCKS, *UNCALIBRATED]}
GENRES = ["--kind", "disclda", "--class-topics", 5, "--shared-topics", 10]
BLOCKS = ["--kind", "disclda", "--class-topics", 20, "--shared-topics", 20, "--alpha", 10 / 60]
TWO_GROUPS = {"lda": ["--topics", 60, "--alpha", 10 / 60, "--fixed-alpha", "--beta-prior", "fixed"], "blocks": [*BLOCKS, *UNCALIBRATED],
              "start": [*BLOCKS, "--learn", "--rounds", 0], "learned": [*BLOCKS, "--learn", "--rounds", 12]}


def documents(part, groups=None):
    """The lines of a part, of these groups or of all."""
    with gzip.open(data("20news", f"{part}.tsv.gz"), "rt", encoding="utf-8") as file:
        return [line for line in file if groups is None or line.split("\t")[1] in groups]


def files(name, groups=None):
    found = {}
    for part in ("train", "test"):
        found[part] = WORK / f"disclda-{name}-{part}.tsv"
        found[part].write_text("".join(documents(part, groups)), encoding="utf-8")
    return found


def pair_files(pair):
    return files(pair.replace(" ", "").replace(".", ""), PAIRS[pair])


def fit(parts, name, seed, *options):
    """A model trained on one part with a classifier of its mixtures, and what it makes of the other, which is read once."""
    model = WORK / f"disclda-{name}-{seed}.trellis"
    call = trellis("topics", "train", parts["train"], "--held-out", parts["test"], "--model", model, "--seed", seed, "--classifier", "svm", "--json", "--quiet",
                   *TEXT, *CHAIN, *options)
    found = json.loads(call["output"])
    percent = {key: found[key] for key in ("error", "classifier_error")}
    print(name, "seed", seed, percent, f"{call['cpu']:.0f} CPU s, {call['memory']:.0f} MB", file=sys.stderr, flush=True)
    return {"model": str(model), "cpu": call["cpu"], "memory": call["memory"], **percent}


def sizes():
    """Table 4.2."""
    rows = []
    for name in ("20 Newsgroups", *PAIRS):
        parts = files("all") if name == "20 Newsgroups" else pair_files(name)
        for part, path in parts.items():
            read = json.loads(trellis("topics", "corpus", path, *TEXT, "--output", WORK / "disclda.corpus", "--json")["output"])
            rows.append({"data": name, "part": part, **read})
    table("Table 4.2: documents, and words that are left of them", ["", "", "documents", "words", "different"],
          [[r["data"], r["part"], r["documents"], r["tokens"], r["words"]] for r in rows], claim="data")
    return rows


def summary(values):
    return [statistics.mean(values), min(values), max(values)]


def classification(seeds):
    """Table 4.4."""
    parts, found = files("all"), {name: [] for name in PUBLISHED}
    runs = []
    for seed in seeds:
        lda, disclda = (fit(parts, f"all-{kind}", seed, *options) for kind, options in ALL_GROUPS.items())
        found["LDA + SVM"].append(lda["classifier_error"])
        found["DiscLDA + SVM"].append(disclda["classifier_error"])
        found["DiscLDA"].append(disclda["error"])
        runs += [lda, disclda]
    table(f"Table 4.4: errors of 100 test documents, {len(seeds)} seeds", ["", "thesis", "mean", "least", "most"],
          [[name, PUBLISHED[name], *summary(values)] for name, values in found.items()], claim="table")
    return {"published": PUBLISHED, "found": found, "runs": runs}


def words(seed):
    """Table 4.3."""
    parts = files("all")
    model = WORK / f"disclda-all-disclda-{seed}.trellis"
    if not model.exists():
        fit(parts, "all-disclda", seed, *ALL_GROUPS["disclda"])
    buckets = json.loads(trellis("topics", "inspect", "--model", model, "--top", 10, "--json")["output"])["buckets"]
    table("Table 4.3: the words that tell each class, and those that all share; how many hundred times likelier than uniform", ["", "words"],
          [[b["group"], " ".join(f"{w['word']}:{w['score'] / 100:.0f}" for w in b["words"])] for b in buckets], claim="words")
    return buckets


def tasks(seeds, number):
    """Figure 4.7, of so many pairs."""
    rows, chosen = [], list(PAIRS)[:number]
    for pair in chosen:
        parts = pair_files(pair)
        for kind, options in TWO_GROUPS.items():
            runs = [fit(parts, f"{pair}-{kind}", seed, *options) for seed in seeds]
            row = {"task": pair, "kind": kind, "svm": [r["classifier_error"] for r in runs], "cpu": statistics.mean(r["cpu"] for r in runs)}
            if kind != "lda":
                row["alone"] = [r["error"] for r in runs]
            rows.append(row)
    mean = {(r["task"], r["kind"], by): statistics.mean(r[by]) for r in rows for by in ("svm", "alone") if by in r}
    table(f"Figure 4.7 (the thesis has bars without numbers): errors of 100 test documents, means of {len(seeds)} seeds",
          ["", "LDA + SVM", *(f"{kind}{by}" for kind in list(TWO_GROUPS)[1:] for by in (" + SVM", ""))],
          [[pair, mean[pair, "lda", "svm"], *(mean[pair, kind, by] for kind in list(TWO_GROUPS)[1:] for by in ("svm", "alone"))] for pair in chosen], claim="tasks")
    return rows


def genres():
    """Files of the documents of a treebank, each with its genre, the first word of its id."""
    found = {}
    for part in ("train", "test"):
        rows = []
        with gzip.open(data("ud", "en_ewt", f"{part}.conllu.gz"), "rt", encoding="utf-8") as file:
            for line in file:
                if line.startswith("# newdoc id = "):
                    rows.append([line.split(" = ")[1].strip(), []])
                elif line.startswith("# text = "):
                    rows[-1][1].append(line[len("# text = "):].strip().replace("\t", " "))
        found[part] = WORK / f"disclda-genres-{part}.tsv"
        found[part].write_text("".join(f"{name}\t{name.split('-')[0]}\t{' '.join(text)}\n" for name, text in rows), encoding="utf-8")
    return found


def calibration(seed):
    rows = []
    for name, parts, options in (("20 Newsgroups", files("all"), ALL_BLOCKS), ("genres of UD English EWT", genres(), GENRES)):
        for share in (0, 0.2):
            model = WORK / "disclda-calibration.trellis"
            call = trellis("topics", "train", parts["train"], "--model", model, "--seed", seed, "--json", "--quiet", *TEXT, *CHAIN, *options, "--validation", share)
            classes = json.loads(trellis("topics", "evaluate", parts["test"], "--model", model, "--json")["output"])["classes"]
            rows.append({"data": name, "validation": share, "correlation": json.loads(call["output"])["correlation"], "error": classes["error"],
                         "log_likelihood": classes["log_likelihood"], "cpu": call["cpu"]})
    table("Mean log p(class | words) of the true classes of test documents, without (0) and with calibration", ["", "validation", "correlation", "error %", "log p", "CPU s"],
          [list(row.values()) for row in rows], claim="calibration")
    return rows


def maps(seed):
    """Figures 4.5 and 4.6."""
    parts, pages = files("all"), []
    for kind, options in ALL_GROUPS.items():
        model = WORK / f"disclda-all-{kind}-{seed}.trellis"
        if not model.exists():
            fit(parts, f"all-{kind}", seed, *options)
        page = WORK / f"paper-disclda-{kind}.html"
        call = trellis("topics", "evaluate", parts["test"], "--model", model, "--report", page)
        pages.append({"kind": kind, "page": str(page), "cpu": call["cpu"]})
    table("Figures 4.5 and 4.6: maps of the test documents", ["", "page", "CPU s"], [[p["kind"], p["page"], p["cpu"]] for p in pages], claim="maps")
    return pages


def main():
    parts = ("data", "table", "words", "tasks", "calibration", "maps")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=parts, default=parts[:-1])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--pairs", type=int, default=2, help="of groups, in figure 4.7")
    chosen = sized(parser, only=parts, seeds=[1, 2, 3], pairs=len(PAIRS))
    result = {}
    for part in chosen.only:
        result[part] = {"data": sizes, "table": lambda: classification(chosen.seeds), "words": lambda: words(chosen.seeds[0]),
                        "tasks": lambda: tasks(chosen.seeds, chosen.pairs), "calibration": lambda: calibration(chosen.seeds[0]),
                        "maps": lambda: maps(chosen.seeds[0])}[part]()
    save(result)


if __name__ == "__main__":
    main()
