"""Writes train.txt, dev.txt and test.txt of this folder: made-up searches, the same every time.

A document has six features. 1 to 3 speak for it, 4 against it; 5 is best at a middling value; 6 says nothing. What a feature
measures differs from query to query in scale and origin, as scores of search engines do.
"""

import pathlib
import random

QUERIES = {"train": 40, "dev": 16, "test": 24}


def query(number, dice):
    scale = [dice.uniform(0.5, 4) for _ in range(6)]
    origin = [dice.uniform(-2, 2) for _ in range(6)]
    documents = []
    for _ in range(dice.randint(10, 18)):
        u = [dice.gauss(0, 1) for _ in range(6)]
        merit = 0.9 * u[0] + 0.6 * u[1] + 0.4 * u[2] - 0.5 * u[3] - 0.8 * (u[4] * u[4] - 1) + dice.gauss(0, 0.6)
        grade = 2 if merit > 1.2 else 1 if merit > 0.3 else 0
        features = [s * x + o for s, x, o in zip(scale, u, origin)]
        documents.append((grade, features))
    return [
        f"{grade} qid:{number} " + " ".join(f"{k}:{x:.4f}" for k, x in enumerate(features, 1)) + f" # document {number}-{d}\n"
        for d, (grade, features) in enumerate(documents, 1)
    ]


def main():
    dice = random.Random(5)
    number = 0
    for part, count in QUERIES.items():
        lines = []
        for _ in range(count):
            number += 1
            lines += query(number, dice)
        pathlib.Path(__file__).with_name(f"{part}.txt").write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()
