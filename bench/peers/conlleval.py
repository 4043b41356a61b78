"""Spans of IOB1 and IOB2 labels as conlleval reads them."""


def spans(labels):
    """(begin, end, type) of each: one begins at B, and at I behind O or another type."""
    found, start = set(), None
    for i, label in enumerate([*labels, "O"]):
        tag, _, kind = label.partition("-")
        if start is not None and (tag in "OB" or kind != start[1]):
            found.add((start[0], i, start[1]))
            start = None
        if tag == "B" or (tag == "I" and start is None):
            start = (i, kind)
    return found


def span_counts(gold, guess):
    """(correct, found, gold) of one sentence, for precision, recall and F1."""
    true, given = spans(gold), spans(guess)
    return len(true & given), len(given), len(true)


def token_counts(gold, guess):
    """(right, all) of one sentence."""
    return sum(a == b for a, b in zip(gold, guess)), len(gold)
