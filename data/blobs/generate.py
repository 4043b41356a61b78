"""Writes the sample pictures of this directory: blobs on a rough ground, and their masks. Standard library only.

    python3 data/blobs/generate.py
"""

import math
import pathlib
import random
import struct
import zlib

WIDTH, HEIGHT, PICTURES = 48, 36, 12


def png(rows):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def outline(rng):
    """Radius by angle: a circle with a few waves in it."""
    waves = [(k, rng.uniform(0, 0.5 / k), rng.uniform(0, 2 * math.pi)) for k in (2, 3, 5)]
    size = rng.uniform(8, 12)
    return lambda angle: size * (1 + sum(a * math.sin(k * angle + phase) for k, a, phase in waves))


def picture(rng):
    """Grey values and mask. The figure is darker than the ground or brighter, and smoother; both are noisy."""
    radius = outline(rng)
    cx, cy = WIDTH / 2 + rng.uniform(-6, 6), HEIGHT / 2 + rng.uniform(-4, 4)
    ground = rng.uniform(110, 170)
    figure = ground + rng.choice((-1, 1)) * rng.uniform(30, 60)
    slope = rng.uniform(-0.8, 0.8)
    stripes = rng.uniform(0.5, 1.2)
    grey, mask = [], []
    for y in range(HEIGHT):
        grey.append([])
        mask.append([])
        for x in range(WIDTH):
            inside = math.hypot(x - cx, 1.2 * (y - cy)) < radius(math.atan2(y - cy, x - cx))
            value = figure if inside else ground + slope * (x - cx) + 12 * math.sin(stripes * (x + 2 * y))
            grey[-1].append(max(0, min(255, round(value + rng.gauss(0, 22)))))
            mask[-1].append(255 if inside else 0)
    return grey, mask


if __name__ == "__main__":
    folder = pathlib.Path(__file__).parent
    for n in range(1, PICTURES + 1):
        grey, mask = picture(random.Random(n))
        (folder / f"blob{n:02}.png").write_bytes(png(grey))
        (folder / f"blob{n:02}.mask.png").write_bytes(png(mask))
    for name, numbers in (("train", range(1, 9)), ("dev", range(9, 11)), ("test", range(11, 13))):
        lines = [f"blob{n:02}.png blob{n:02}.mask.png\n" for n in numbers]
        (folder / f"{name}.list").write_text("".join(lines))
