"""Word alignment of the Hansards (Lacoste-Julien 2009, table 3.1), with and without labelled pairs; compared with eflomal and fast_align.

The text is the Hansards' few pairs and Europarl's, English to French, in one spelling (peers/parallel_text.py), lower-cased, at most 45
words on a side: 103 000 pairs. All programs learn from the same text, which has the sentences of the trial and of the test part but not
their links. The thesis's Model 2 had 1.1 million pairs of the Hansards themselves.

| part | what it measures |
|---|---|
| `rows` | IBM Model 2, HMM, agreement HMM, the diagonal model, Gibbs sampling and our default, one way each and combined: precision, recall, AER on all 447 test pairs and on the 347 of the thesis |
| `size` | AER of our default on 1 000, 2 000, 5 000, … pairs of text, each containing the one before, as a table and as a curve |
| `peers` | our default without labelled pairs, eflomal (PyPI, its defaults, several runs, since it draws) and fast_align's model (in the implementation of SIL's Thot on PyPI, with fast_align's settings), which get none either: one way, intersected, grow-diag-final-and; differences with the noise of a paired bootstrap over the pairs |
| `speed` | CPU seconds and peak memory from two files to the links of all text, one thread, as ratios to the peers; training on two threads compared with one: the models must have the same bytes |
| `scale` | training on up to a million generated pairs: the exponent of CPU seconds in words |
| `labelled` | M (`--fertility 1`), M+F (`--fertility 2`), M+Q and M+F+Q (`--quadratic`), trained on 100 and on 200 of the test pairs and tested on the other 347 and 247: without and with eflomal's links of both directions as features, on our default and on IBM Model 2; compared with the generative models and eflomal on the same pairs; and what must hold of all that, with yes or no |
| `curves` | precision against recall, of M and M+F+Q by `--offset`, of the generative model by `--threshold`, as a table and as a curve |

The script itself computes AER, for peers and for us, and `trellis align score` must agree.

Generative: the default and the rows of papers have no labelled pairs. Thresholds of the agreement HMM and of Gibbs sampling, and their best
way of decoding, come from the 37 trial pairs (column "decoding"), so these rows and those of the default are not chosen in the same way. The
links of the test part are opened once, at the end, for all scores together: of all 447 pairs, and of the 347 on which the thesis tests.
Timed programs have one thread (two where that is measured); the time includes reading, both directions, and the links of all text.

Supervised: some of the test pairs train, 100 or 200, and the others test: the first ones, as in the thesis, and five random choices.
Settings are chosen by folds of the training pairs. The generative model below is trained once, on all text.

    ./dev bench paper-alignment                           all of it, on 10 000 pairs of text
    ./dev bench paper-alignment --full                    on all text, five random choices, three runs of what draws or is timed
    ./dev bench paper-alignment --only generative         rows, size, peers, speed, scale
    ./dev bench paper-alignment --only supervised         labelled (the table), curves (precision against recall)
    ./dev bench paper-alignment --only rows,peers         some of it, separated by commas
    ./dev bench paper-alignment --only labelled --shapes M,M+F --beneath default --external none --draws 2
    ./dev bench paper-alignment --only supervised --continue   resumes an earlier run
    ./dev bench paper-alignment --trial                   scores on the trial pairs; no file of the test part is opened
    ./dev bench paper-alignment --quick                   the same on 5 000 pairs: minutes
"""

import argparse
import functools
import shlex
import sys

from alignment import generative, told, tradeoff
from alignment.session import BENEATH, Session
from alignment.splits import SHAPES
from alignment.supervised import EXTERNALS, Plan, Supervised
from peers import WORK, closed, save, sized

REPORT = {
    "title": "Word alignment of the Hansards",
    "chapter": "Word alignment",
    "claims": {"rows": ["Table 3.1, without labelled pairs: AER of each model, and the published AER.", "--only rows"],
               "size": ["AER falls as there is more text.", "--only size"],
               "peers": ["AER by default, with no labelled pairs, compared with eflomal and Thot's implementation of fast_align's model, "
                         "which get none either.", "--only peers"],
               "speed": ["CPU time and memory compared with eflomal and Thot's implementation of fast_align's model; two threads give "
                         "the same bytes as one.", "--only speed"],
               "scale": ["Time grows linearly with the text.", "--only scale"],
               "labelled": ["Table 3.1, with labelled pairs: on our default, fertilities and rewards of neighbours hardly change the AER "
                            "of M; in the thesis they lower it by a quarter.", "--only labelled"],
               "curves": ["Precision against recall.", "--only curves"]},
    "minutes": [9, 150],
    "default": "there are 10 000 pairs of text, a twenty-fifth of the generated pairs, the thesis's own split of the labelled pairs and "
               "one run of what draws or is timed",
    "needs": ["data", "pypi"],
    "groups": {"generative": ["rows", "size", "peers", "speed", "scale"], "supervised": ["labelled", "curves"]},
}
TEXT = 10_000  # pairs of a run that ends soon
GROUPS = REPORT["groups"]
WITH_LINKS = ("rows", "size", "peers")  # what they find is judged together


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="generative, supervised, or parts of them: rows, size, peers, speed, scale, labelled, curves, "
                                       "with commas between [all; quick: all but scale]")
    parser.add_argument("--trial", action="store_true", help="judge by the trial pairs; the test part stays closed")
    parser.add_argument("--quick", action="store_true", help="--trial, on 5 000 pairs")
    parser.add_argument("--pairs", type=int, default=TEXT, help=f"sentence pairs of text; 0: all that are not too long [{TEXT}]")
    parser.add_argument("--longest", type=int, default=45, help="most words of a side of the text; 0: any number [45]")
    parser.add_argument("--repeats", type=int, default=1, help="runs of eflomal, and of whatever is timed [1]")
    parser.add_argument("--continue", dest="resume", action="store_true",
                        help="keep the generative models beneath, the peers' links and the trainings of an earlier run")
    labelled = parser.add_argument_group("supervised")
    labelled.add_argument("--shapes", help=f"of {','.join(SHAPES)} [all]")
    labelled.add_argument("--beneath", help=f"of {','.join(BENEATH)} [all]")
    labelled.add_argument("--external", help=f"of {','.join(EXTERNALS)} [all]")
    labelled.add_argument("--draws", type=int, default=0, help="choices of chance of the training pairs, beside the first [0]")
    labelled.add_argument("--most", type=int, default=2, help="links of a word, in the shapes with F [2]")
    labelled.add_argument("--jobs", type=int, default=2, help="trainings side by side, on one thread each; 1: on all threads [2]")
    labelled.add_argument("--options", default="", help="further options of `align train --gold`, as one word")
    return parser, sized(parser, pairs=0, repeats=3, draws=5)


def chosen(parser, said, known, what):
    """Words with commas between."""
    words = said.split(",") if said else list(known)
    for word in words:
        if word not in known:
            parser.error(f"no {what} is called {word}; there are: {', '.join(known)}")
    return words


def parts_of(parser, call):
    every = [part for group in GROUPS.values() for part in group]
    if not call.only:
        return [part for part in every if not (call.quick and part == "scale")]
    words = chosen(parser, call.only, [*GROUPS, *every], "part")
    return list(dict.fromkeys(part for word in words for part in GROUPS.get(word, [word])))


def measure_labelled(supervised):
    return supervised.measure(), supervised.unsupervised()


def main():
    parser, call = arguments()
    parts = parts_of(parser, call)
    judged = "trial" if call.trial or call.quick else "test"
    if judged == "trial":
        sys.addaudithook(closed)
    scales = generative.SCALES if call.full else [scale // 25 for scale in generative.SCALES]
    session = Session(WORK / ("paper-alignment-trial" if judged == "trial" else "paper-alignment"), judged,
                      5000 if call.quick else call.pairs or None, call.repeats, call.longest or None, call.resume)
    plan = Plan(chosen(parser, call.shapes, SHAPES, "shape"), chosen(parser, call.beneath, BENEATH, "model beneath"),
                chosen(parser, call.external, EXTERNALS, "aligner"),
                call.draws, call.most, call.jobs, shlex.split(call.options))
    supervised = Supervised(session, plan) if set(parts) & set(GROUPS["supervised"]) else None
    measures = {"rows": generative.measure_rows, "size": generative.measure_size, "peers": generative.measure_peers,
                "speed": generative.measure_speed, "scale": functools.partial(generative.measure_scale, sizes=scales)}
    measured = {}
    for part in parts:
        print(f"measuring {part}", file=sys.stderr, flush=True)
        if part in measures:
            measured[part] = measures[part](session)
    generative.judge(session, [one for part in parts if part in WITH_LINKS for one in measured[part]])
    # Only now: its training pairs are test pairs of the others.
    if "labelled" in parts:
        measured["labelled"] = measure_labelled(supervised)
    if "curves" in parts:
        measured["curves"] = tradeoff.measure(supervised)
    result = {"rows": [], "judged": judged, "pairs": session.size}
    tells = {"rows": generative.tell_rows, "size": generative.tell_size, "peers": generative.tell_peers, "speed": generative.tell_speed,
             "scale": generative.tell_scale}
    for part in parts:
        if part in tells:
            result["rows"] += tells[part](session, measured[part])
    if "labelled" in parts:
        rows, result["checks"] = told.tell(supervised, *measured["labelled"])
        result["rows"] += rows
    if "curves" in parts:
        result["curves"] = tradeoff.tell(supervised, measured["curves"])
    save(result)


if __name__ == "__main__":
    main()
