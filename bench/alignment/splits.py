"""Which labelled pairs train and which test, in which shapes the model comes, and what the thesis has of each (table 3.1)."""

import random
import statistics

SHAPES = ("M", "M+F", "M+Q", "M+F+Q")  # from the worst to the best, in the thesis
TRAINED_ON = {"test": (100, 200), "trial": (10, 20)}  # of 447 pairs, as the thesis; of 37, to try things out

# Precision, recall, AER by name, training pairs and whether another aligner's links are features: there IBM Model 4's, here eflomal's.
PUBLISHED = {("M", 100, False): (94.1, 88.5, 8.5), ("M+F", 100, False): (93.9, 89.4, 8.1), ("M+Q", 100, False): (94.4, 91.9, 6.7),
             ("M+F+Q", 100, False): (94.8, 92.5, 6.2), ("M+F+Q", 100, True): (96.4, 94.4, 4.5),
             ("M", 200, False): (93.4, 89.7, 8.2), ("M+F", 200, False): (93.6, 90.1, 8.0), ("M+Q", 200, False): (95.0, 91.1, 6.8),
             ("M+F+Q", 200, False): (95.2, 92.4, 6.1), ("M+F+Q", 200, True): (96.0, 95.0, 4.4)}
QUOTED = {100: {"M+F+Q, IBM Model 4 and Liang's posteriors": (96.7, 95.5, 3.8)}}


def shape_options(shape, most):
    """What is said to `train`; most: links of a word where it may have several."""
    names = shape.split("+")
    return ["--fertility", most if "F" in names else 1, *(["--quadratic"] if "Q" in names else [])]


def split(pairs, size, draw):
    """The numbers of the pairs that train, and of those that test. Draw 0 is the thesis's own: the first train. The others are of chance,
    and always the same."""
    chosen = range(size) if draw == 0 else sorted(random.Random(draw).sample(range(pairs), size))
    trains = set(chosen)
    return list(chosen), [k for k in range(pairs) if k not in trains]


def summary(by_draw):
    """by_draw: {draw: (precision, recall, AER)}. Means and deviation (that of a sample) are of the choices of chance; the thesis's own
    split stands by itself, and stands for all where there is no other."""
    chance = [by_draw[draw] for draw in sorted(by_draw) if draw > 0]
    precision, recall, aer = (statistics.mean(column) for column in zip(*(chance or by_draw.values())))
    draws = [figures[2] for figures in chance]
    return {"precision": precision, "recall": recall, "mean": aer, "deviation": statistics.stdev(draws) if len(draws) > 1 else None,
            "draws": draws, "first_split": by_draw[0][2] if 0 in by_draw else None}
