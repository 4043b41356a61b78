"""match compared with the distance of shape contexts, for which nothing is learned, and max-margin tuned by hand as ./dev bench house does.

Pairs of frames of the CMU house, some frames apart. `dev`: every third pair trains, every third chooses, every third tests. `blocks`:
the first half of the frames trains, without a part to choose by, and the second half tests: frames that are no neighbours of any it has seen."""

import functools
import json

from peers import data
from untuned import noise
from untuned.parts import agree, chosen, dev_option, write_parts
from untuned.rows import Job, Side

FRAMES = 111
LAMBDAS = "10,1,0.1,0.01,0.001"
UNLEARNED, TUNED = "unlearned distance", "ours, tuned by hand"


def starts(blocks, distance, quick):
    """The first frames of the pairs that train, choose and test; a quick run makes all of those that train."""
    last = FRAMES - distance
    if blocks:
        half = FRAMES // 2
        train, dev, test = list(range(0, half - distance)), [], list(range(half, last))
        return (train[: len(train) // 2], [], train[len(train) // 2 + 1:]) if quick else (train, dev, test)
    parts = [list(range(k, last, 3)) for k in range(3)]
    return [parts[0][k::3] for k in range(3)] if quick else parts


def job(kind, distance):
    name = f"house:{kind}{distance}"

    @functools.cache
    def prepared(session):
        place = session.place("match", name.replace(":", "-"))
        frames = data("cmu_house", "house.tsv.gz")
        train, dev, test = ([f"{frames}#{t} {frames}#{t + distance}\n" for t in part]
                            for part in starts(kind == "blocks", distance, session.quick))
        return place, write_parts(place, ".list", train, test, dev or None)

    def train(session, name, *options):
        """The model's name, and the run that trained it."""
        place, files = prepared(session)
        _, trained = session.train(place, "match", "--pairs", files.train, *options, name=name)
        return name, trained

    def test(session, name, trained, cpu):
        """The test pairs, with the model of that name."""
        place, files = prepared(session)
        found = json.loads(session.evaluate(place, "match", place / f"{name}.trellis", files.test, name=name))
        counts = noise.Counts.of_units((pair["nodes"] - pair["wrong"], pair["nodes"]) for pair in found["per_graph"])
        agree(noise.ratio, counts, 100 - found["hamming"])
        return Side(counts, cpu, chosen=f"{name}: {chosen(trained)}")

    def own(session):
        name, trained = train(session, "model", *dev_option(prepared(session)[1]))
        return test(session, name, trained, trained.cpu)

    def unlearned(session):
        name, trained = train(session, "unlearned", "--estimator", "distance")
        return test(session, name, trained, None)  # there is no training whose time could be compared

    def tuned(session):
        """λ and the way features are scaled, by the dev pairs or by five folds."""
        by = dev_option(prepared(session)[1]) or ["--cv", 5]
        tried = [train(session, scale, *by, "--normalize", scale, "--lambda", LAMBDAS) for scale in ("common", "each")]
        name, best = max(tried, key=lambda entry: max(choice["figure"] for choice in json.loads(entry[1].output)["choices"]))
        return test(session, name, best, sum(trained.cpu for _, trained in tried))

    return Job("match", name, "nodes", noise.ratio, own, {UNLEARNED: unlearned, TUNED: tuned})


def jobs():
    return [*(job("dev", distance) for distance in (30, 60, 90)), job("blocks", 30)]
