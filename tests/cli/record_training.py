"""A training call of the record, and the table of learners and losses that such calls are made from."""

from typing import NamedTuple


class Training(NamedTuple):
    call: str  # `TASK train …`, without a model, which is given a name of its own
    after: tuple  # commands of the same task about that model


def cells(takes, losses):
    """(learner, loss, whether the learner takes the loss), for all of them."""
    return [(learner, loss, loss in taken) for learner, taken in takes.items() for loss in losses]
