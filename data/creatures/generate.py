"""Writes the sample silhouettes of this directory: a creature seen under shears, with the same 20 points on each.

    python3 data/creatures/generate.py

creatureNN.png is the picture, creatureNN.points has the points ('x y' in pixels, in the same order everywhere), and train.list,
dev.list and test.list name pairs. Standard library only; same seed, same bytes.
"""

import math
import pathlib
import random
import struct
import zlib

SIZE, POINTS, PICTURES = 64, 20, 12


def png(rows):
    """Grey, one byte a pixel."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def creature(rng):
    """A closed curve around the origin, radius about 1: a body with limbs of several widths, as many corners as it takes."""
    limbs = []
    for k in range(6):
        angle = 2 * math.pi * (k + rng.uniform(-0.3, 0.3)) / 6
        limbs.append((angle, rng.uniform(0.3, 1.1), rng.uniform(0.12, 0.3)))
    waves = [(n, rng.uniform(0, 0.25 / n), rng.uniform(0, 2 * math.pi)) for n in (1, 2, 3, 5)]

    def radius(angle):
        r = 0.55 + sum(a * math.sin(n * angle + phase) for n, a, phase in waves)
        for at, length, width in limbs:
            turn = (angle - at + math.pi) % (2 * math.pi) - math.pi
            r += length * math.exp(-((turn / width) ** 2))
        return r

    corners = 360
    return [(radius(2 * math.pi * t / corners) * math.cos(2 * math.pi * t / corners),
             radius(2 * math.pi * t / corners) * math.sin(2 * math.pi * t / corners)) for t in range(corners)]


def sheared(points, a, b):
    """x + a y, y + b x."""
    return [(x + a * y, y + b * x) for x, y in points]


def framed(outline, marks, size):
    """Moved and scaled into a picture of this size, with a rim."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    scale = (size - 8) / max(max(xs) - min(xs), max(ys) - min(ys))
    dx = size / 2 - scale * (max(xs) + min(xs)) / 2
    dy = size / 2 - scale * (max(ys) + min(ys)) / 2
    move = lambda points: [(scale * x + dx, scale * y + dy) for x, y in points]
    return move(outline), move(marks)


def filled(outline, size):
    """The pixels whose centres lie inside (even-odd rule), row by row."""
    rows = []
    for j in range(size):
        y, crossings = j + 0.5, []
        for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1]):
            if (y1 <= y) != (y2 <= y):
                crossings.append(x1 + (y - y1) * (x2 - x1) / (y2 - y1))
        crossings.sort()
        row = [0] * size
        for a, b in zip(crossings[::2], crossings[1::2]):
            for i in range(max(0, math.ceil(a - 0.5)), min(size, math.ceil(b - 0.5))):
                row[i] = 255
        rows.append(row)
    return rows


def write_versions(folder, name, outline, marks, shears, size):
    """name01.png, name01.points, … ; returns their names."""
    names = []
    for n, (a, b) in enumerate(shears, 1):
        stem = f"{name}{n:0{len(str(len(shears)))}}"
        curve, points = framed(sheared(outline, a, b), sheared(marks, a, b), size)
        (folder / f"{stem}.png").write_bytes(png(filled(curve, size)))
        (folder / f"{stem}.points").write_text("".join(f"{x:.3f} {y:.3f}\n" for x, y in points))
        names.append(stem)
    return names


def write_pairs(path, pairs):
    path.write_text("".join(f"{left}.png {right}.png\n" for left, right in pairs))


def main():
    folder = pathlib.Path(__file__).parent
    rng = random.Random(4)
    outline = creature(rng)
    marks = [outline[t] for t in sorted(rng.sample(range(len(outline)), POINTS))]
    shears = [(0.8 * n / (PICTURES - 1) - 0.4, 0.0) for n in range(PICTURES)]
    names = write_versions(folder, "creature", outline, marks, shears, SIZE)
    for part, chosen in (("train", names[::2]), ("dev", names[1::4]), ("test", names[3::4])):
        pairs = [(a, b) for a in chosen for b in chosen if a < b]
        write_pairs(folder / f"{part}.list", rng.sample(pairs, min(6, len(pairs))))


if __name__ == "__main__":
    main()
