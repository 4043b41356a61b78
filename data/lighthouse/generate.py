"""Writes train.tsv and test.tsv of this folder: a patrol boat that circles a lighthouse at night, the same every time.

The boat is in one of eight sectors, named by their bearing from the tower, and most often goes on to the next, clockwise; now and
then it stays, turns back a sector, or is somewhere else altogether. The keeper writes down every few minutes in which sector the
lamp caught something (a wave as well as the boat), and how the boat's bell sounded, which is loudest in the lee. Rocks hide the
boat in the west: from there the lamp catches waves only. One note in thirty was not made (?).
"""

import pathlib
import random

SEQUENCES = {"train": 60, "test": 40}
LENGTH = 40
SECTORS = ("000", "045", "090", "135", "180", "225", "270", "315")
HIDDEN = ("225", "270")  # behind the rocks
MOVES = {1: 0.7, 0: 0.1, -1: 0.05}  # sectors clockwise; else anywhere
CAUGHT = 0.75
BELL = ("loud", "faint", "none")
HEARD = {"000": (0.2, 0.5, 0.3), "045": (0.5, 0.4, 0.1), "090": (0.8, 0.15, 0.05), "135": (0.5, 0.4, 0.1),
         "180": (0.2, 0.5, 0.3), "225": (0.1, 0.3, 0.6), "270": (0.05, 0.15, 0.8), "315": (0.1, 0.3, 0.6)}
MISSING = 1 / 30


def move(dice, sector):
    x = dice.random()
    for step, share in MOVES.items():
        if x < share:
            return (sector + step) % len(SECTORS)
        x -= share
    return dice.randrange(len(SECTORS))


def night(dice):
    sector, lines = dice.randrange(len(SECTORS)), []
    for _ in range(LENGTH):
        name = SECTORS[sector]
        seen = name not in HIDDEN and dice.random() < CAUGHT
        lamp = name if seen else dice.choice(SECTORS)
        bell = dice.choices(BELL, HEARD[name])[0]
        noted = [word if dice.random() >= MISSING else "?" for word in (lamp, bell)]
        lines.append("\t".join([*noted, name]))
        sector = move(dice, sector)
    return "\n".join(lines) + "\n"


def main():
    dice = random.Random(17)
    for part, count in SEQUENCES.items():
        text = "\n".join(night(dice) for _ in range(count))
        pathlib.Path(__file__).with_name(f"{part}.tsv").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
