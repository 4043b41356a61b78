"""The data that the record is made of: small parts of data/, and what can be made of them by arithmetic.

Written into a folder, so that calls name their files relative to it and no path of a machine gets into the record.
"""

import math
import shutil

from program import SOURCE

SAMPLES = SOURCE / "data"

# The word, its neighbours, its part of speech and its looks: little to compute, enough to learn from.
WORDS_TEMPLATE = """\
word = column 0
low = lower(word)
node low[-1..1]
node column 1
node short_shape(word)
edge
"""
EDGES_TEMPLATE = WORDS_TEMPLATE + "edge column 1\n"


def read(name):
    return (SAMPLES / name).read_text(encoding="utf-8")


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def copy(folder, name):
    (folder / name).parent.mkdir(exist_ok=True)
    shutil.copy(SAMPLES / name, folder / name)


def noise(count, state):
    """`count` numbers between -1 and 1, the same ones on every machine and in every version of Python."""
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2**31
        yield state / 2**30 - 1


# Sentences.


def sentences(name, count):
    return read(name).strip().split("\n\n")[:count]


def joined(blocks):
    return "\n\n".join(blocks) + "\n\n"


def relabelled(block, label_of):
    """The sentence with label_of(label, number of the token) in its last column."""
    lines = [line.split() for line in block.splitlines()]
    return "\n".join(" ".join((*line[:-1], label_of(line[-1], t))) for t, line in enumerate(lines))


def city_or_date(label, _):
    return label if label.endswith(("CITY", "DATE")) else "O"


def sometimes_unknown(label, t):
    return "?" if t % 7 == 1 else f"{label}|O" if t % 7 == 4 and label != "O" else label


def sometimes_known(label, t):
    return label if label in ("O", "B-CITY") and t % 3 == 0 else "_"


def item_line(line):
    """CRFsuite's: the label, the part of speech, and numbers."""
    word, pos, label = line.split()
    capital = "1" if word[0].isupper() else "0.25"
    return f"{label}\tpos={pos}\tlength:{len(word) / 8}\tcapital:{capital}\tend={word[-1].replace(':', ';')}"


def items(blocks):
    return joined("\n".join(item_line(line) for line in block.splitlines()) for block in blocks)


def write_travel(folder):
    for name, count in (("train", 100), ("dev", 25), ("test", 40)):
        write(folder, f"travel/{name}.txt", joined(sentences(f"travel/{name}.txt", count)))
    # Five labels, for what takes tables of pairs of labels at each token.
    few = [relabelled(block, city_or_date) for block in sentences("travel/train.txt", 16)]
    write(folder, "travel/few.txt", joined(few))
    write(folder, "travel/few-dev.txt", joined(relabelled(b, city_or_date) for b in sentences("travel/dev.txt", 12)))
    partial = [relabelled(block, sometimes_unknown) for block in sentences("travel/train.txt", 60)]
    write(folder, "travel/partial.txt", joined(partial))
    # And still fewer, for a convex program with a row for each part.
    write(folder, "travel/tiny.txt", joined(few[:3]))
    write(folder, "travel/few.items", items(few))
    write(folder, "travel/tiny.items", items(few[:3]))
    write(folder, "travel/few-dev.items", items(relabelled(b, city_or_date) for b in sentences("travel/dev.txt", 12)))
    known = [relabelled(block, sometimes_known) for block in sentences("travel/test.txt", 20)]
    write(folder, "travel/known.txt", joined(known))
    write(folder, "travel/words.template", WORDS_TEMPLATE)
    write(folder, "travel/edges.template", EDGES_TEMPLATE)
    for name in ("travel.template", "cities.txt", "countries.txt", "airlines.txt", "given_names.txt"):
        copy(folder, f"travel/{name}")


# Documents, instances, queries.


def write_topics(folder):
    lines = read("topics/train.tsv").splitlines()
    write(folder, "topics/train.tsv", "\n".join(lines[:100]) + "\n")
    write(folder, "topics/dev.tsv", "\n".join(lines[100:]) + "\n")
    write(folder, "topics/numbered.tsv", "".join(f"d{n}\t{line}\n" for n, line in enumerate(lines[:60])))
    copy(folder, "topics/test.tsv")
    # The grades of documents as labels of vectors.
    for name, count in (("train", 150), ("test", 80)):
        fields = [line.split("#")[0].split() for line in read(f"search/{name}.txt").splitlines()[:count]]
        write(folder, f"topics/{name}.libsvm", "".join(" ".join((f[0], *f[2:])) + "\n" for f in fields))


def instances(name, count):
    """The head of a sparse ARFF file, and its first instances."""
    head, data = read(name).split("@data\n")
    return f"{head}@data\n" + "".join(line + "\n" for line in data.splitlines()[:count])


def write_recipes(folder):
    write(folder, "recipes/train.arff", instances("recipes/train.arff", 100))
    write(folder, "recipes/test.arff", instances("recipes/test.arff", 50))
    write(folder, "recipes/train.libsvm", "\n".join(read("recipes/train.libsvm").splitlines()[:100]) + "\n")
    write(folder, "recipes/test.libsvm", "\n".join(read("recipes/test.libsvm").splitlines()[:50]) + "\n")
    copy(folder, "recipes/recipes.xml")
    # Dense, which is scaled in another way.
    rows = [f.split("#")[0].split() for f in read("search/train.txt").splitlines()[:120]]
    dense = [[value.split(":")[1] for value in row[2:]] for row in rows]
    head = "@relation dense\n" + "".join(f"@attribute x{k} numeric\n" for k in range(6))
    head += "@attribute good {0,1}\n@attribute best {0,1}\n@data\n"
    flags = [(int(row[0]) > 0, int(row[0]) > 1) for row in rows]
    body = "".join(",".join((*x, *(str(int(flag)) for flag in y))) + "\n" for x, y in zip(dense, flags))
    write(folder, "recipes/dense.arff", head + body)
    write(folder, "recipes/dense.xml", '<labels><label name="good"/><label name="best"/></labels>\n')


def first_queries(name, count):
    kept, seen = [], []
    for line in read(name).splitlines(True):
        query = line.split()[1]
        if query not in seen:
            seen.append(query)
        if len(seen) > count:
            break
        kept.append(line)
    return "".join(kept)


def write_search(folder):
    for name, count in (("train", 16), ("dev", 8), ("test", 12)):
        write(folder, f"search/{name}.txt", first_queries(f"search/{name}.txt", count))


# Graphs and pictures.


def points(creature, count):
    """Points of a creature, with mean 0 and mean square 1; by sums that are exact in every version of Python."""
    rows = [[float(x) for x in line.split()] for line in read(f"creatures/creature{creature:02}.points").splitlines()]
    rows = rows[:: len(rows) // count][:count]
    centre = [math.fsum(column) / count for column in zip(*rows)]
    rows = [[x - c for x, c in zip(row, centre)] for row in rows]
    size = math.sqrt(math.fsum(x * x for row in rows for x in row) / count)
    return [[x / size for x in row] for row in rows]


def matching_graph(name, left, right, size, named=False, missing=0):
    """Edges with the distances between points of two creatures, the right ones from the last on."""
    text = f"graph {name} {size} {size}\n"
    for i, (x, y) in enumerate(points(left, size)):
        for j, (u, v) in enumerate(reversed(points(right, size))):
            true = i + j == size - 1
            if not true and missing and (i + 2 * j) % missing == 0:
                continue
            values = [f"{abs(x - u):.4f}", f"{abs(y - v):.4f}", f"{(x * u + y * v):.4f}", "1"]
            if named:
                values = [f"{what}:{value}" for what, value in zip(("dx", "dy", "turn", "bias"), values)]
            text += f"{i} {j}{' *' if true else ''} {' '.join(values)}\n"
    return text + "\n"


def write_creatures(folder):
    for path in sorted((SAMPLES / "creatures").iterdir()):
        if path.suffix != ".py":
            copy(folder, f"creatures/{path.name}")
    write(folder, "creatures/three.list", "".join(read("creatures/train.list").splitlines(True)[:3]))
    write(folder, "creatures/graphs.txt", "".join(matching_graph(f"t{k}", k, 13 - k, 6) for k in range(1, 7)))
    write(folder, "creatures/dev-graphs.txt", "".join(matching_graph(f"d{k}", k, k + 4, 6) for k in range(1, 4)))
    write(folder, "creatures/test-graphs.txt", "".join(matching_graph(f"q{k}", k, k + 5, 6) for k in range(1, 6)))
    named = "".join(matching_graph(f"n{k}", k, 12 - k, 5, named=True, missing=3) for k in range(1, 5))
    write(folder, "creatures/named-graphs.txt", named)


def network(name, seed, size):
    """A square of nodes: figure is a disc, which one feature shows and the other hides; edges know its rim."""
    centre = [size / 2 + 0.5 * z for z in noise(2, seed)]
    inside = [(r - centre[0]) ** 2 + (c - centre[1]) ** 2 < size for r in range(size) for c in range(size)]
    shown = list(noise(2 * size * size, seed + 1))
    text = ""
    for n, figure in enumerate(inside):
        text += f"{int(figure)} {int(figure) + 0.8 * shown[2 * n]:.4f} {shown[2 * n + 1]:.4f}\n"
    pairs = [(n, n + 1) for n in range(size * size) if (n + 1) % size] + [(n, n + size) for n in range(size * (size - 1))]
    for a, b in pairs:
        text += f"{a} {b} {0.2 if inside[a] != inside[b] else 1}\n"
    return f"graph {name} {size * size} {len(pairs)}\n{text}"


def write_blobs(folder):
    for path in sorted((SAMPLES / "blobs").iterdir()):
        if path.suffix != ".py":
            copy(folder, f"blobs/{path.name}")
    write(folder, "blobs/four.list", "".join(read("blobs/train.list").splitlines(True)[:4]))
    write(folder, "blobs/graphs.txt", "".join(network(f"t{k}", 10 * k, 6) for k in range(1, 7)))
    write(folder, "blobs/dev-graphs.txt", "".join(network(f"d{k}", 100 * k, 6) for k in range(1, 4)))
    write(folder, "blobs/test-graphs.txt", "".join(network(f"q{k}", 1000 * k, 6) for k in range(1, 5)))


def write_harbour(folder):
    for name, count in (("train", 120), ("dev", 20), ("test", 30)):
        for side in ("en", "fr", "links"):
            if (SAMPLES / f"harbour/{name}.{side}").exists():
                write(folder, f"harbour/{name}.{side}", "".join(read(f"harbour/{name}.{side}").splitlines(True)[:count]))
    sides = (read(f"harbour/train.{side}").splitlines()[120:180] for side in ("en", "fr"))
    write(folder, "harbour/more.bars", "".join(f"{source} ||| {target}\n" for source, target in zip(*sides)))


# Trees.


def write_garden(folder):
    for name, count in (("train", 40), ("dev", 10), ("test", 10)):
        write(folder, f"garden/{name}.conllu", joined(sentences(f"garden/{name}.conllu", count)))


def write_kitchen(folder):
    for name, count in (("train", 120), ("dev", 40), ("test", 40)):
        lines = read(f"kitchen/{name}.mrg").splitlines(True)
        # Trees begin with "( (", wherever a line ends.
        text = "".join(lines[:count])
        depth = text.count("(") - text.count(")")
        while depth > 0:
            text += lines[count]
            depth += lines[count].count("(") - lines[count].count(")")
            count += 1
        write(folder, f"kitchen/{name}.mrg", text)
    write(folder, "kitchen/tokens.txt", "The cook tastes the soup .\n. . .\nShe ate the cake with a spoon .\n")


def write_outings(folder):
    """The domains, and some of the outings."""
    for part, count, name in (("train", 8, "few"), ("dev", 4, "dev"), ("test", 5, "test")):
        blocks = read(f"outings/{part}.txt").strip().split("\n\n")
        write(folder, f"outings/{name}.txt", "\n\n".join(blocks[: count + 1]) + "\n")


def write_pastimes(folder):
    """Notes as they are, as lines of text, and as counts of words without their names; notices in two languages."""
    for part, count in (("train", 120), ("test", 30)):
        write(folder, f"pastimes/{part}.tsv", "".join(read(f"pastimes/{part}.tsv").splitlines(keepends=True)[:count]))
    texts = [line.split("\t")[2] for line in read("pastimes/train.tsv").splitlines()[:40]]
    write(folder, "pastimes/lines.txt", "".join(text + "\n" for text in texts))
    words = sorted({word for text in texts for word in text.split()})
    bags = [{words.index(word) + 1: text.split().count(word) for word in sorted(text.split())} for text in texts]
    entries = [f"{d} {word} {count}" for d, bag in enumerate(bags, 1) for word, count in bag.items()]
    write(folder, "pastimes/docword.txt", "\n".join((str(len(bags)), str(len(words)), str(len(entries)), *entries)) + "\n")
    write(folder, "pastimes/vocab.txt", "\n".join(words) + "\n")
    rows = (" ".join(("0", *(f"{word}:{count}" for word, count in bag.items()))) for bag in bags)
    write(folder, "pastimes/counts.svm", "\n".join(rows) + "\n")
    write(folder, "pastimes/eng-fra.tsv", read("pastimes/eng-fra.tsv"))
    write(folder, "pastimes/notices.tsv", "".join(read("pastimes/notices.en-fr.tsv").splitlines(keepends=True)[:41]))


def write_lighthouse(folder):
    """Some nights, as columns and as CSV."""
    for part, count in (("train", 20), ("test", 8)):
        nights = read(f"lighthouse/{part}.tsv").strip().split("\n\n")[:count]
        write(folder, f"lighthouse/{part}.tsv", "\n\n".join(nights) + "\n")
        rows = (f"{n},{','.join(line.split(chr(9)))}" for n, night in enumerate(nights, 1) for line in night.splitlines())
        write(folder, f"lighthouse/{part}.csv", "night,light,sound,bearing\n" + "\n".join(rows) + "\n")


def write_ferry(folder):
    """Some crossings, with and without gaps, and the network that they were drawn from."""
    for part, count in (("train", 300), ("test", 60), ("gaps", 80)):
        write(folder, f"ferry/{part}.csv", "".join(read(f"ferry/{part}.csv").splitlines(keepends=True)[: count + 1]))
    for form in ("bif", "net"):
        write(folder, f"ferry/ferry.{form}", read(f"ferry/ferry.{form}"))


def write_data(folder):
    write_travel(folder)
    write_topics(folder)
    write_recipes(folder)
    write_search(folder)
    write_creatures(folder)
    write_blobs(folder)
    write_harbour(folder)
    write_garden(folder)
    write_kitchen(folder)
    write_outings(folder)
    write_pastimes(folder)
    write_lighthouse(folder)
    write_ferry(folder)
