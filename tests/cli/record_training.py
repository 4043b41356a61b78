"""A training call of the record, and the table of learners and losses that such calls are made from."""

import re
from typing import NamedTuple


class Training(NamedTuple):
    call: str  # `TASK train …`, without a model, which is given a name of its own
    after: tuple  # commands of the same task about that model


def cells(takes, losses):
    """(learner, loss, whether the learner takes the loss), for all of them."""
    return [(learner, loss, loss in taken) for learner, taken in takes.items() for loss in losses]


SMOOTH = re.compile(r"--beta \d|--loss (maxent|crf|softmax-margin)|--learner (lbfgs|sgd)(?!.*--loss)")


def held(call):
    """The call with the C or lambda that is usual in its task, where it says nothing of it, and without a race of
    expansions: so that none is chosen, which the calls without this are about."""
    if call.startswith("rank ") and "--expand" not in call:
        call += " --expand none"
    if re.search(r"--(c|lambda|radius|cv|path)\b", call):
        return call
    if re.search(r"--learner (perceptron|naive-bayes)", call) or ("--loss perceptron" in call and "--learner" not in call):
        return call  # has neither
    task = call.split()[0]
    if task == "rank":
        return call if "--dev" in call or "--gamma 0" in call else call + " --lambda 0.1"
    usual = {"tag": 1, "classify": 10 if SMOOTH.search(call) else 1, "segment": 30, "factors": 1}
    return f"{call} --c {usual[task]}" if task in usual else call
