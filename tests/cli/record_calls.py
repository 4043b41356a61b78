"""The calls that the record holds: every learner of every task with every loss that it takes, the principal options of
each, one call for each pair that is refused, and every text of help.
"""

import record_classify_calls
import record_label_calls
import record_match_calls
import record_rank_calls
import record_segment_calls
import record_tag_calls

# Each has trainings() and refusals().
TASKS = {
    "tag": record_tag_calls,
    "classify": record_classify_calls,
    "segment": record_segment_calls,
    "label": record_label_calls,
    "rank": record_rank_calls,
    "match": record_match_calls,
}


def help_calls():
    yield "--help"
    yield "--version"
    for task in TASKS:
        yield f"{task} --help"
        for command in ("train", "predict", "evaluate", "inspect"):
            yield f"{task} {command} --help"
    yield "tag explain --help"
    yield "tag train --help-template"
