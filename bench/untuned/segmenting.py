"""segment compared with scikit-learn's pixel classifiers, logistic and a forest: the horses, 100 to train, 50 to choose by, 178 to test in full size."""

import functools
import json
import pathlib
import struct

from peers import data
from untuned import noise
from untuned.parts import agree, chosen, cut, write_parts
from untuned.rows import Job, Side

QUICK = (20, 8, 20)  # of the training pictures
PEERS = {"sklearn logistic pixels": "logistic", "sklearn forest of pixels": "forest"}


@functools.cache
def lists(session):
    folder = pathlib.Path(data("horses"))
    names = sorted(path.stem for path in folder.glob("*.png") if not path.stem.endswith(".mask"))
    train, dev, test = cut(names[:100], QUICK) if session.quick else (names[:100], names[100:150], names[150:])
    texts = [[f"{folder / name}.png {folder / name}.mask.png\n" for name in part] for part in (train, test, dev)]
    place = session.place("segment", "horses")
    return place, write_parts(place, ".list", *texts)


def pixels(picture):
    """Of a PNG file: its header has width and height."""
    with open(picture, "rb") as file:
        width, height = struct.unpack(">II", file.read(24)[16:])
    return width * height


def own(session):
    place, files = lists(session)
    model, trained = session.train(place, "segment", files.train, "--dev", files.dev)
    found = json.loads(session.evaluate(place, "segment", model, files.test))
    rows = []
    for line, picture in zip(files.test.read_text().splitlines(), found["per_image"], strict=True):
        path = pathlib.Path(line.split()[0])
        if path.stem != picture["name"]:
            raise ValueError(f"{path} was expected, and {picture['name']} found")
        size = pixels(path)
        rows.append((size - round(size * picture["pixel_error"] / 100), size))
    counts = noise.Counts.of_units(rows)
    agree(noise.ratio, counts, 100 - found["pixel_error"])
    return Side(counts, trained.cpu, chosen=chosen(trained))


def peer(kind, session):
    """Pixels of the test pictures are described in the same process: those seconds are not a part of training."""
    place, files = lists(session)
    run = session.peer(place / f"{kind}.log", "pixel_classifier.py", kind, files.train, files.dev, files.test)
    result = json.loads(run.output)
    return Side(noise.Counts.of_units((size - wrong, size) for wrong, size in result["pictures"]), run.cpu - result["test_cpu"],
                result["cpu"], result["chosen"])


def jobs():
    return [Job("segment", "horses", "pixels", noise.ratio, own, {name: functools.partial(peer, kind) for name, kind in PEERS.items()})]
