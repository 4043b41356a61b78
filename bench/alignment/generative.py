"""Aligners that have no links to learn from: the generative rows of table 3.1, the size of the text, peers, speed, scale."""

import filecmp
import itertools
import json
import statistics
import sys

from alignment.session import MODEL2, ONE_WAY, WAYS
from peers import data, exponent, links, note, parallel_text, table, trellis
from peers.curves import draw
from untuned import noise

# Table 3.1: precision, recall, AER. It has no HMM. IBM 4, which nobody here runs, stands below for comparison.
PAPER = {("IBM Model 2", "forward"): (73.6, 87.7, 21.7), ("IBM Model 2", "reverse"): (75.4, 87.0, 20.6),
         ("IBM Model 2", "intersection"): (90.1, 80.4, 14.3)}
QUOTED = {"IBM Model 4, English to French": (90.3, 92.1, 9.0), "IBM Model 4, French to English": (90.8, 91.3, 9.0),
          "IBM Model 4, intersected": (98.0, 88.1, 6.5)}
PAPER_FIRST = 100  # of the test pairs, which the thesis trains on

# What is said to `train`, and the ways in which the directions are shown: by Viterbi alignments, and those of TUNED by the best way to
# decode on the trial pairs.
MODELS = {"IBM Model 2": MODEL2, "HMM": ["--aligner", "hmm", "--no-agree"],
          "agreement HMM": ["--aligner", "hmm", "--agree"], "diagonal": ["--aligner", "diagonal", "--no-agree"],
          "diagonal, set as fast_align": ["--aligner", "diagonal", "--no-agree", "--model1-iterations", 0, "--iterations", 5,
                                          "--smoothing", "bayes", "--prior", 0.01, "--null", 0.08],
          "Gibbs sampling": ["--aligner", "gibbs"]}
TUNED = ("agreement HMM", "Gibbs sampling")
SHOWN = {"IBM Model 2": (*ONE_WAY, "intersection"), "HMM": (*ONE_WAY, "intersection"), "agreement HMM": (*ONE_WAY, "product"),
         "Gibbs sampling": (*ONE_WAY, "intersection", "product"),
         "diagonal": (*ONE_WAY, "intersection"), "diagonal, set as fast_align": (*ONE_WAY, "intersection", "grow-diag-final-and")}
SIZES = (1000, 2000, 5000, 10000, 20000, 50000)
SCALES = (125000, 250000, 500000, 1000000)


# What is measured, and then told. The first half of each part finds links, the second looks at their figures.

def measure_rows(session):
    found = []
    for name, options in MODELS.items():
        model, trained = session.train(name, options)
        found += [session.decode(name, model, way, name in TUNED, trained) for way in SHOWN[name]]
    return found + session.default


def tell_rows(session, found):
    rows = []
    for one in found:
        paper = PAPER.get((one.name, one.way))
        rows.append([f"{one.name}, {WAYS[one.way]}", *figures_of(session, one), *(paper or ("", "", "")), one.more["trial"],
                     one.more["decoding"]])
    rows += [[f"{name} (quoted)", *[""] * (4 if session.judged == "test" else 3), *paper, "", ""] for name, paper in QUOTED.items()]
    table(f"Table 3.1, generative: {judged_name(session)}, {session.size} pairs of text",
          ["", *figure_names(session), "paper: prec", "rec", "AER", "AER on trial", "decoding"], rows, claim="rows")
    return [row_of(session, one, published=PAPER.get((one.name, one.way), (None, None, None))[2]) for one in found]


def measure_size(session):
    """Ours, as it comes, on texts that hold each other; the largest has sentences of every length."""
    found = []
    sizes = [size for size in SIZES if size < session.size] + [session.size]
    texts = [(size, session.text.files(size)) for size in sizes]
    if session.pairs is None and session.longest is not None:
        every = parallel_text.prepare(session.folder / "every-length", session.part_names, longest=None)
        texts.append((len(every.pairs), every.files()))
    for size, files in texts:
        model, trained = session.train("size", [], files, with_trial=False)
        found.append(session.decode("default", model, "product", False, trained, size))
    return found


def tell_size(session, found):
    picture = session.folder / "paper-alignment.svg"
    draw(picture, f"{judged_name(session)}: AER by the size of the text", "sentence pairs", "AER",
         {"default": [(one.trained_on, one.aer) for one in found]}, log_x=True)
    table(f"AER by the size of the text, default, {judged_name(session)}",
          ["pairs", *figure_names(session), "AER on trial", "CPU s"],
          [[one.trained_on, *figures_of(session, one), one.more["trial"], one.seconds] for one in found], claim="size")
    print(f"  drawn in {picture}")
    return [row_of(session, one, name="size") for one in found]


def measure_peers(session):
    found = list(session.default)
    for name, runs in session.peers.items():
        for k, done in enumerate(runs):
            found += session.peer_rows(name, done, k + 1)
    return found


def tell_peers(session, found):
    """Ours beside each peer in the same way of combining directions; where we have one more, beside the peer's best."""
    by_name = {name: [one for one in found if one.name == name] for name in ("default", *session.peers)}
    rows, saved = [], []
    for one in found:
        label = f"{one.name}, {WAYS[one.way]}"
        rows.append([label if one.more.get("run", 1) == 1 else f"  again, run {one.more['run']}", *figures_of(session, one),
                     one.more.get("trial", ""), one.seconds])
        saved.append(row_of(session, one))
    table(f"Compared with peers: {judged_name(session)}, {session.size} pairs of text",
          ["", *figure_names(session), "AER on trial", "CPU s"], rows, claim="peers")
    rows = []
    for name in session.peers:
        for label, ours, theirs in pairings(by_name["default"], by_name[name]):
            sides = (noise.Counts.of_units(one.counts) for one in (ours, theirs))
            difference = noise.compare(lambda sums: 100 - links.aer(sums), *sides)
            rows.append([f"{label}{WAYS[ours.way]} compared with {name}, {WAYS[theirs.way]}", ours.aer, theirs.aer,
                         f"{ours.aer - theirs.aer:+.2f} ± {difference.noise:.2f}", difference.verdict])
            saved.append(row_of(session, ours, peer=theirs.aer, peer_name=name, peer_way=theirs.way, noise=difference.noise,
                                verdict=difference.verdict))
    table("Ours, and the peer's best run; the difference with what a paired bootstrap of the pairs calls noise",
          ["", "AER", "peer's", "difference", ""], rows, claim="peers")
    note("which run of a peer is its best is seen by the test pairs, in the peer's favour")
    return saved


def pairings(ours, theirs):
    """Each of ours with the peer's best run in the same way; our default way to combine the directions with the best that the peer has."""
    if not theirs:
        return
    for one in ours:
        same = [other for other in theirs if other.way == one.way]
        if same:
            yield "", one, min(same, key=lambda other: other.aer)
    combined = [other for other in theirs if other.way not in ONE_WAY]
    yield "compared with its best: ", next(one for one in ours if one.way == "product"), min(combined, key=lambda one: one.aer)


def measure_speed(session):
    """CPU seconds are those of the whole way from two files to the links of all text."""
    runs = {}
    for threads in (1, 2):
        runs[threads] = []
        for _ in range(session.repeats):
            model, trained = session.train(f"threads-{threads}", [], threads=threads, with_trial=False)
            predicted = trellis("align", "predict", *session.text.files(), "--model", model, "--output", session.folder / "all.links",
                                "--threads", threads)
            runs[threads].append({"train": trained, "predict": predicted})
    same = filecmp.cmp(session.folder / "threads-1.trellis", session.folder / "threads-2.trellis", shallow=False)
    return {"ours": runs, "peers": session.peers, "same": same}


def tell_speed(session, measured):
    def median(runs, figure):
        return statistics.median(map(figure, runs))

    one, two = measured["ours"][1], measured["ours"][2]
    cpu = median(one, lambda r: r["train"]["cpu"] + r["predict"]["cpu"])
    memory = median(one, lambda r: max(r["train"]["memory"], r["predict"]["memory"]))
    rows, saved = [["ours", cpu, f"{memory:.0f}", "", ""]], []
    sides = {}
    for name, runs in measured["peers"].items():
        if runs:
            sides |= {name: runs, f"{name}, without what Python does": [r["alone"] for r in runs]}
    for name, runs in sides.items():
        its_cpu, its_memory = (median(runs, lambda r, key=key: r[key]) for key in ("cpu", "memory"))
        rows.append([name, its_cpu, f"{its_memory:.0f}", f"{cpu / its_cpu:.3f}", f"{memory / its_memory:.2f}"])
        saved += [ratio_row(session, f"CPU seconds beside {name}", cpu, its_cpu),
                  ratio_row(session, f"memory (MB) beside {name}", memory, its_memory)]
    table(f"Both directions and the links of {session.size} pairs, one thread; medians of {session.repeats} runs",
          ["", "CPU s", "MB", "ours / its CPU", "ours / its MB"], rows, claim="speed")
    note(f"of ours, training takes {median(one, lambda r: r['train']['cpu']):.2f} s")
    walls = [median(runs, lambda r: r["train"]["wall"]) for runs in (one, two)]
    note(f"training on one thread {walls[0]:.2f} s, on two {walls[1]:.2f} s: {walls[0] / walls[1]:.2f} times as fast;"
         f" their models {'have the same bytes' if measured['same'] else 'DIFFER'}")
    return [*saved, ratio_row(session, "seconds on one thread beside two", walls[0], walls[1])]


def measure_scale(session, sizes):
    """Invented text, each the beginning of the next."""
    rows = []
    files = [session.folder / f"generated.{side}" for side in ("en", "fr")]
    pairs = parallel_text.generated(sizes[-1])
    for file in files:
        file.unlink(missing_ok=True)
    written = 0
    for size in sizes:
        with open(files[0], "a", encoding="utf-8") as source, open(files[1], "a", encoding="utf-8") as target:
            for e, f in itertools.islice(pairs, size - written):
                source.write(" ".join(e) + "\n")
                target.write(" ".join(f) + "\n")
        written = size
        _, trained = session.train("scale", [], files, threads=1, with_trial=False)
        result = json.loads(trained["output"])
        rows.append({"pairs": size, "words": result["source_tokens"] + result["target_tokens"], "cpu": trained["cpu"],
                     "memory": trained["memory"]})
    for file in files:
        file.unlink()
    return rows


def tell_scale(session, rows):
    power = exponent([r["words"] for r in rows], [r["cpu"] for r in rows])
    table("Training on generated text, one thread", ["pairs", "words", "CPU s", "µs a word", "MB"],
          [[r["pairs"], r["words"], r["cpu"], 1e6 * r["cpu"] / r["words"], f"{r['memory']:.0f}"] for r in rows], claim="scale")
    note(f"CPU seconds grow as words^{power:.3f}")
    return [{"name": "scale", "metric": "exponent", "value": power, "seconds": sum(r["cpu"] for r in rows), "trained_on": "generated",
             "data": "generated", "sizes": rows}]


# Figures.

def judged_name(session):
    return "447 test pairs" if session.judged == "test" else "37 trial pairs (which chose thresholds)"


def figure_names(session):
    return ["prec", "rec", "AER"] + (["AER of 347"] if session.judged == "test" else [])


def figures_of(session, one):
    return [*one.figures()] + ([one.figures(PAPER_FIRST)[2]] if session.judged == "test" else [])


def row_of(session, one, name=None, **more):
    precision, recall, aer = one.figures()
    row = {"name": f"{name or one.name}, {one.way}", "metric": "AER", "value": aer, "precision": precision, "recall": recall,
           "seconds": one.seconds, "trained_on": f"{one.trained_on} pairs", "data": f"hansards {session.judged}", **one.more, **more}
    if session.judged == "test":
        row["value_of_347"] = one.figures(PAPER_FIRST)[2]
    return {key: value for key, value in row.items() if value is not None}


def ratio_row(session, name, ours, peer):
    return {"name": name, "metric": "ratio", "value": ours / peer, "ours": ours, "peer": peer, "seconds": ours,
            "trained_on": f"{session.size} pairs", "data": "hansards and europarl"}


def judge(session, found):
    """Opens the links of the judged part, for all that was found at once; our own program has to count alike."""
    path = data("hansards", f"{session.judged}.align.gz")
    gold = links.read_gold(path)
    for one in found:
        one.counts = [links.counts(a, g) for a, g in zip(one.links, gold, strict=True)]
    for one in found:
        submitted = session.folder / "judged.links"
        links.write(submitted, one.links)
        scores = json.loads(trellis("align", "score", submitted, "--gold", path, "--gold-swapped", "--json")["output"])
        if abs(100 * scores["aer"] - one.aer) > 1e-9:
            sys.exit(f"{one.name}, {one.way}: trellis align score says AER {100 * scores['aer']}, and the counts here {one.aer}")
