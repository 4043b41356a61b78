"""What conformance_test.py has to know of each task: a row of TASKS, beside that of resume_calls.py, whose first call is the
training that all checks share. Files lie in the folder of resume_calls.write_hard_data().
"""

from typing import NamedTuple

import resume_calls
from record_training import held


class Task(NamedTuple):
    asks: str  # files and options of `predict`
    truth: str  # further options of `evaluate`, of the same files
    keys: tuple  # that `evaluate --json` promises; "a.b" is b of a
    headline: tuple  # one of these keys, where the text of `evaluate` has it, and, where the text has percent of a share, 100
    parallel: str  # options of a training that threads share
    broken: str  # what nobody can read, at the end of the training file; surrogates are bytes
    broken_line: int = 1  # which of its lines the message names
    replaced: int = 0  # lines of the file that it takes the place of
    run: str = ""  # options of the shared training, where the first call of resume_calls.py is none that `evaluate` needs
    predicted: str = ""  # further options of `evaluate --predictions`
    model_alone: tuple = ()  # keys that `evaluate --json` has with a model alone
    more: tuple = ()  # calls of further commands that use a model
    ambiguous: tuple = ()  # keys that mean one thing in `train --json` and another in `inspect --json`
    scored: tuple = ()  # keys of `evaluate --predictions`, where the others are all of a model
    piped: bool = True  # whether `predict` reads standard input
    json: bool = True  # whether `predict` knows --json
    dev: str = "--dev"  # which options take files to look at while training


TASKS = {
    "tag": Task(
        "travel/few-dev.txt",
        "",
        ("accuracy", "precision", "recall", "f1"),
        ("accuracy", r"accuracy: +([\d.]+)%"),
        "--learner lbfgs --dev travel/few-dev.txt --epochs 30",
        "Lima PROPN B-CITY\nis O\n\n",
        2,
        more=("explain travel/few-dev.txt",),
    ),
    "classify": Task(
        "topics/dev.tsv",
        "",
        ("accuracy", "error"),
        ("accuracy", r"accuracy ([\d.]+) %"),
        "--loss maxent --c 1,10 --cv 3",
        "sport\tgoal\tmatch\tteam\n",
    ),
    "parse": Task(
        "garden/dev.conllu",
        "",
        ("uas", "las"),
        ("las", r"all words +\d+ +[\d.]+ +([\d.]+)"),
        "--order 2 --epochs 2",
        "1\tDig\tdig\tVERB\tVB\t_\t0\troot\t_\t_\n2\tnow\tnow\tADV\tRB\t_\t7\tadvmod\t_\t_\n\n",
        2,
        model_alone=("unseen_labels",),
        more=("explain garden/dev.conllu",),
    ),
    "grammar": Task(
        "kitchen/dev.mrg",
        "",
        ("precision", "recall", "f1"),
        ("f1", r"all +\d+ +[\d.]+ +[\d.]+ +([\d.]+)"),
        "--learner lbfgs --loss crf --c 1,10 --cv 2 --epochs 5",
        "(S (NP (DT The) (NN soup)) (VP (VBZ boils))))\n",
        model_alone=("unseen_labels", "partial", "flat"),
        more=("explain kitchen/dev.mrg",),
    ),
    "align": Task(
        "harbour/dev.en harbour/dev.fr",
        "--gold harbour/dev.links",
        ("aer", "precision", "recall"),
        ("aer", r"AER ([\d.]+) %", 100),
        "--iterations 5",
        "\udcff\n",
        replaced=1,
        ambiguous=("iterations", "sweeps"),
        piped=False,
        more=("explain harbour/dev.en harbour/dev.fr",),
    ),
    "label": Task(
        "recipes/test.arff",
        "",
        ("macro_f1", "micro_f1", "example_f1", "hamming", "subset_accuracy"),
        ("macro_f1", r"labels +[\d.]+ +[\d.]+ +([\d.]+) +macro\n"),
        "--c 0.003,0.03 --cv 3",
        "{2 1, 3 x}\n",
        predicted="--labels recipes/recipes.xml",
        model_alone=("ranking_loss", "unseen_labels"),
    ),
    "rank": Task(
        "search/dev.txt",
        "",
        (*(f"ndcg@{k}" for k in range(1, 11)), "map"),
        ("map", r"MAP ([\d.]+)"),
        "--lambda 1,0.1 --cv 2",
        "1 qid:999 1:0.5 2:nan\n",
    ),
    "match": Task(
        "creatures/hard-dev.txt",
        "",
        ("hamming",),
        ("hamming", r"Hamming error ([\d.]+) %"),
        "--estimator map --lambda 1,0.1 --cv 2",
        "graph broken 1 1\n0 0 * 1 1 1 nan\n",
        2,
    ),
    "segment": Task(
        "--graph blobs/hard-dev.txt",
        "",
        ("pixel_error", "iou"),
        ("pixel_error", r"pixel error ([\d.]+) %"),
        "--c 1,10 --cv 3 --epochs 50",
        "graph broken 1 0\n1 nothing\n",
        2,
        json=False,  # graphs are text all the same
    ),
    "factors": Task(
        "outings/dev.txt",
        "",
        ("accuracy",),
        ("accuracy", r"\naccuracy ([\d.]+) %"),
        "--learner bmrm --c 1 --epochs 5",
        "\nvar x hat\n",
        2,
        model_alone=("not_proven", "largest_gap"),
        more=("explain outings/dev.txt",),
    ),
    "topics": Task(
        "pastimes/test.tsv",
        "",
        ("perplexity", "coherence_npmi", "classes.error"),
        ("perplexity", r"perplexity +([\d.]+)"),
        "--topics 4 --sweeps 50",
        "n999\tsailing\tthe boat\tthe tide\n",
        scored=("classes", "documents"),
        run="--kind disclda --class-topics 2 --shared-topics 1 --sweeps 400 --watch-every 2",
        dev="--held-out",
    ),
    "hmm": Task(
        "lighthouse/test.tsv",
        "",
        ("loss", "error"),
        ("error", r"error +([\d.]+) %"),
        "--estimator conditional --eta 0.1 --iterations 20",
        "\n090\tfaint\tN\n090\tN\n",
        3,
        model_alone=("log_likelihood", "joint_log_likelihood"),
        more=("sample",),
    ),
    "bayes": Task(
        "ferry/test.csv",
        "",
        ("loss", "error"),
        ("error", r"error +([\d.]+) %"),
        "--estimator conditional --eta 0.1 --iterations 20",
        "gale,no\n",
        predicted="--hide departure,queue,cafe",
        model_alone=("log_likelihood", "joint_log_likelihood"),
        more=("sample", "export"),
    ),
}


def training(task, options=None):
    """What follows `TASK train` in the shared training of a task, or in another one; without --model."""
    told = TASKS[task].run or resume_calls.TASKS[task].calls[0]
    call = held(f"{task} train {resume_calls.TASKS[task].train} {told if options is None else options}")
    return call.split()[2:]


def training_files(task):
    return [word for word in resume_calls.TASKS[task].train.split() if "/" in word and not word.endswith((".xml", ".template"))]
