"""The calls that the record holds: every learner of every task with every loss that it takes, the principal options of
each, one call for each pair that is refused, and every text of help.
"""

import record_align_calls
import record_bayes_calls
import record_classify_calls
import record_factors_calls
import record_grammar_calls
import record_hmm_calls
import record_label_calls
import record_match_calls
import record_parse_calls
import record_rank_calls
import record_segment_calls
import record_tag_calls
import record_topics_calls
from record_moved_calls import NOW_REFUSED, NOW_WORK
from record_training import Training, held


# With nothing said of C or lambda, which are chosen then.
STANDARD = (
    "tag train travel/train.txt --template travel/words.template --epochs 20",
    "tag train travel/train.txt --template travel/words.template --epochs 20 --dev travel/dev.txt",
    "classify train topics/train.tsv",
    "classify train topics/train.tsv --dev topics/dev.tsv --loss maxent",
    "segment train blobs/four.list --scale 0.5 --epochs 4 --dev blobs/dev.list",
    "rank train search/train.txt --gap 0.01",
)


class Task:
    """The calls of a task, each on the side where it is today."""

    def __init__(self, name, calls):
        self.name, self.calls = name, calls

    def trainings(self):
        for training in self.calls.trainings():
            if training.call not in NOW_REFUSED:
                yield Training(held(training.call), training.after)
        yield from (Training(held(call), ()) for call in NOW_WORK if call.startswith(self.name + " "))
        yield from (Training(call, ()) for call in STANDARD if call.startswith(self.name + " "))

    def refusals(self):
        yield from (call for call in self.calls.refusals() if call not in NOW_WORK and not call.endswith("--resume"))
        yield from (call for call in NOW_REFUSED if call.startswith(self.name + " "))


TASKS = {
    name: Task(name, calls)
    for name, calls in {
        "tag": record_tag_calls,
        "classify": record_classify_calls,
        "segment": record_segment_calls,
        "label": record_label_calls,
        "rank": record_rank_calls,
        "match": record_match_calls,
        "align": record_align_calls,
        "parse": record_parse_calls,
        "grammar": record_grammar_calls,
        "factors": record_factors_calls,
        "topics": record_topics_calls,
        "hmm": record_hmm_calls,
        "bayes": record_bayes_calls,
    }.items()
}


def help_calls():
    yield "--help"
    yield "--version"
    for task in TASKS:
        yield f"{task} --help"
        for command in ("train", "predict", "evaluate", "inspect"):
            yield f"{task} {command} --help"
        yield f"{task} train --help-all"
    yield "align score --help"
    yield "parse score --help"
    yield "parse explain --help"
    yield "grammar score --help"
    yield "grammar explain --help"
    yield "tag explain --help"
    yield "factors explain --help"
    yield "topics corpus --help"
    yield "hmm sample --help"
    for command in ("import", "sample", "export"):
        yield f"bayes {command} --help"
    yield "tag template --help"
    yield "tag features --help"
    yield "tag train --help-template"
