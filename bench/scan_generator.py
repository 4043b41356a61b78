"""Synthetic 3-D scans: articulated puppets among clutter, as graph files for `trellis segment --graph`.

    python3 bench/scan_generator.py train.txt --scenes 5 --seed 1
    python3 bench/scan_generator.py test.txt --scenes 3 --seed 2

A scene is a cloud of points on surfaces: a puppet of fifteen jointed capsules in a random pose (the figure), and trees, boxes, balls, poles
and rough ground (the ground). Points are linked to their nearest neighbours on the surface.

The features of a point are an occupancy histogram of its surroundings, as in spin images (Johnson & Hebert 1999): the share of points in
rings by radius and height around it, at two scales; its height above the ground; the main shape of its neighbourhood (line, plane or ball);
and the lean of its normal. Features of a link: how near the points are and how similar their normals, both between 0 and 1. The script needs
only the standard library; the same seed gives the same bytes.
"""

import argparse
import gzip
import math
import random

NODES_PER_SCENE = 7600
LINKS = 4  # nearest neighbours that a point is linked to
RADII = (0.12, 0.3)  # of the histograms, in metres
SAMPLED = (2, 10)  # of how many points one is counted in them
RINGS, LAYERS = 3, 4


def add(a, b, scale=1.0):
    return tuple(x + scale * y for x, y in zip(a, b))


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm(a):
    return math.sqrt(dot(a, a))


def unit(a):
    length = norm(a)
    return tuple(x / length for x in a) if length > 0 else (0.0, 0.0, 1.0)


def direction(rng):
    return unit(tuple(rng.gauss(0, 1) for _ in range(3)))


def capsule_point(rng, a, b, radius):
    """A point on the surface of a capsule from a to b."""
    axis = sub(b, a)
    side = direction(rng)
    along = unit(axis)
    side = unit(add(side, along, -dot(side, along)))
    return add(add(a, axis, rng.random()), side, radius)


def bone_tip(rng, start, rest, spread, length):
    return add(start, unit(add(rest, direction(rng), spread)), length)


def puppet(rng, place):
    """(area, sampler) for each limb; the joints turn at random."""
    size = rng.uniform(0.85, 1.15)
    facing = rng.uniform(0, 2 * math.pi)
    right = (math.cos(facing), math.sin(facing), 0.0)
    hip = add(place, (0, 0, 0.9 * size))
    neck = bone_tip(rng, hip, (0, 0, 1), 0.35, 0.55 * size)
    head = bone_tip(rng, neck, (0, 0, 1), 0.3, 0.22 * size)
    limbs = [(hip, neck, 0.13 * size), (neck, head, 0.1 * size)]
    for sign in (-1, 1):
        shoulder = add(neck, right, sign * 0.18 * size)
        elbow = bone_tip(rng, shoulder, (sign * right[0], sign * right[1], -0.8), 0.8, 0.3 * size)
        hand = bone_tip(rng, elbow, sub(elbow, shoulder), 0.6, 0.28 * size)
        limbs += [(neck, shoulder, 0.08 * size), (shoulder, elbow, 0.055 * size), (elbow, hand, 0.045 * size)]
        socket = add(hip, right, sign * 0.1 * size)
        knee = bone_tip(rng, socket, (0, 0, -1), 0.35, 0.44 * size)
        foot = bone_tip(rng, knee, (0, 0, -1), 0.25, 0.42 * size)
        limbs += [(socket, knee, 0.085 * size), (knee, foot, 0.06 * size)]
        limbs.append((foot, add(foot, (-right[1], right[0], 0), 0.2 * size), 0.045 * size))
    return [(2 * math.pi * r * (norm(sub(b, a)) + 2 * r), lambda a=a, b=b, r=r: capsule_point(rng, a, b, r)) for a, b, r in limbs]


def box(rng, place):
    w, d, h = (rng.uniform(0.2, 0.8) for _ in range(3))

    def sample():
        face = rng.choices(range(3), (w * h, d * h, w * d / 2))[0]
        x, y, z = (rng.uniform(-w / 2, w / 2), rng.uniform(-d / 2, d / 2), rng.uniform(0, h))
        if face == 0:
            y = math.copysign(d / 2, y)
        elif face == 1:
            x = math.copysign(w / 2, x)
        else:
            z = h
        return add(place, (x, y, z))

    return [(2 * h * (w + d) + w * d, sample)]


def ball(rng, place):
    r = rng.uniform(0.15, 0.4)
    centre = add(place, (0, 0, r))
    return [(4 * math.pi * r * r, lambda: add(centre, direction(rng), r))]


def pole(rng, place):
    top = add(place, (rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), rng.uniform(0.8, 2.0)))
    r = rng.uniform(0.03, 0.1)
    return [(2 * math.pi * r * norm(sub(top, place)), lambda: capsule_point(rng, place, top, r))]


def tree(rng, place):
    """A trunk with twigs that are as thin as arms, and a crown of them."""
    height = rng.uniform(0.5, 1.0)
    top = add(place, (0, 0, height))
    parts = [(0.5 * height, lambda: capsule_point(rng, place, top, 0.08))]
    for _ in range(rng.randint(4, 8)):
        tip = bone_tip(rng, top, (0, 0, 0.8), 0.9, rng.uniform(0.3, 0.8))
        parts.append((0.25, lambda tip=tip: capsule_point(rng, top, tip, 0.04)))
    return parts


def scene(rng):
    """Points and labels."""
    figure, clutter = [], []
    places = [(x + rng.uniform(-0.35, 0.35), y + rng.uniform(-0.35, 0.35), 0.0) for x in range(4) for y in range(3)]
    rng.shuffle(places)
    for place in places[:3]:
        figure += puppet(rng, place)
    for place in places[3:]:
        clutter += rng.choice((box, ball, pole, tree))(rng, place)

    def floor():
        x, y = rng.uniform(-0.6, 3.6), rng.uniform(-0.6, 2.6)
        return (x, y, 0.03 * math.sin(5 * x) * math.cos(4 * y))

    clutter.append((0.35 * sum(area for area, _ in clutter), floor))
    points = []
    for label, share, shapes in ((1, 0.42, figure), (0, 0.58, clutter)):
        areas = [area for area, _ in shapes]
        for _ in range(int(share * NODES_PER_SCENE)):
            point = rng.choices(shapes, areas)[0][1]()
            points.append((tuple(c + rng.gauss(0, 0.006) for c in point), label))
    rng.shuffle(points)
    return [p for p, _ in points], [label for _, label in points]


class Grid:
    """Points by cell, for what is near."""

    def __init__(self, points, cell):
        self.points, self.cell, self.cells = points, cell, {}
        for i, p in enumerate(points):
            self.cells.setdefault(self.key(p), []).append(i)

    def key(self, p):
        return tuple(math.floor(c / self.cell) for c in p)

    def near(self, p, reach=1):
        x, y, z = self.key(p)
        for dx in range(-reach, reach + 1):
            for dy in range(-reach, reach + 1):
                for dz in range(-reach, reach + 1):
                    yield from self.cells.get((x + dx, y + dy, z + dz), ())


def links(points):
    """Each point with its nearest neighbours, and what joins the pieces that are left, shortest first."""
    grid = Grid(points, 0.12)
    pairs = set()
    for i, p in enumerate(points):
        reach, found = 1, []
        while len(found) <= LINKS and reach < 40:
            found = sorted((norm(sub(points[j], p)), j) for j in grid.near(p, reach))
            reach *= 2
        pairs.update((min(i, j), max(i, j)) for _, j in found[1 : LINKS + 1])
    return sorted(pairs | bridges(points, pairs))


def bridges(points, pairs):
    parent = list(range(len(points)))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j in pairs:
        parent[root(i)] = root(j)
    added = set()
    reach = 0.12
    while len({root(i) for i in range(len(points))}) > 1:
        grid = Grid(points, reach)
        candidates = []
        for i, p in enumerate(points):
            best = min(((norm(sub(points[j], p)), j) for j in grid.near(p) if root(j) != root(i)), default=None)
            if best:
                candidates.append((best[0], i, best[1]))
        for _, i, j in sorted(candidates):
            if root(i) != root(j):
                parent[root(i)] = root(j)
                added.add((min(i, j), max(i, j)))
        reach *= 2
    return added


def covariance_shape(offsets):
    """Linearity, planarity and scatter of a neighbourhood, and its normal, from the eigenvalues of the scatter matrix."""
    n = len(offsets)
    mean = tuple(sum(o[k] for o in offsets) / n for k in range(3))
    m = [[sum((o[a] - mean[a]) * (o[b] - mean[b]) for o in offsets) / n for b in range(3)] for a in range(3)]
    v = [[float(a == b) for b in range(3)] for a in range(3)]
    for _ in range(6):  # Jacobi's rotations
        for p, q in ((0, 1), (0, 2), (1, 2)):
            if abs(m[p][q]) < 1e-15:
                continue
            theta = (m[q][q] - m[p][p]) / (2 * m[p][q])
            t = math.copysign(1, theta) / (abs(theta) + math.sqrt(theta * theta + 1))
            c = 1 / math.sqrt(t * t + 1)
            s = t * c
            for k in range(3):
                m[k][p], m[k][q] = c * m[k][p] - s * m[k][q], s * m[k][p] + c * m[k][q]
            for k in range(3):
                m[p][k], m[q][k] = c * m[p][k] - s * m[q][k], s * m[p][k] + c * m[q][k]
            for k in range(3):
                v[k][p], v[k][q] = c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]
    order = sorted(range(3), key=lambda k: -m[k][k])
    a, b, c = (max(m[k][k], 0.0) for k in order)
    total = a + 1e-12
    return ((a - b) / total, (b - c) / total, c / total), tuple(v[k][order[2]] for k in range(3))


def describe(points):
    """Features and normals of all points."""
    grids = [Grid(points[::step], radius) for radius, step in zip(RADII, SAMPLED)]
    features, normals = [], []
    for p in points:
        row = [p[2], p[2] * p[2]]
        for grid, radius in zip(grids, RADII):
            bins = [0] * (RINGS * LAYERS)
            offsets = [(0.0, 0.0, 0.0)]
            for j in grid.near(p):
                o = sub(grid.points[j], p)
                flat = math.hypot(o[0], o[1])
                if flat >= radius or abs(o[2]) >= radius:
                    continue
                offsets.append(o)
                layer = min(int((o[2] + radius) / (2 * radius) * LAYERS), LAYERS - 1)
                bins[min(int(flat / radius * RINGS), RINGS - 1) * LAYERS + layer] += 1
            row += [math.sqrt(count / len(offsets)) for count in bins] + [math.log(len(offsets))]
            shape, normal = covariance_shape(offsets)
            row += list(shape) + [abs(normal[2])]
            if radius == RADII[0]:
                normals.append(normal)
        features.append(row)
    return features, normals


def write_scene(out, name, rng):
    points, labels = scene(rng)
    pairs = links(points)
    features, normals = describe(points)
    out.write(f"graph {name} {len(points)} {len(pairs)}\n")
    for label, row in zip(labels, features):
        out.write(f"{label} " + " ".join(f"{x:.4g}" for x in row) + "\n")
    for i, j in pairs:
        near = math.exp(-norm(sub(points[i], points[j])) / 0.05)
        alike = abs(dot(normals[i], normals[j]))
        out.write(f"{i} {j} {near:.4g} {alike * near:.4g}\n")
    return len(points), len(pairs)


def generate(path, scenes, seed):
    """Writes the scenes; how many nodes and links there are."""
    nodes = edges = 0
    with (gzip.open(path, "wt", compresslevel=6) if str(path).endswith(".gz") else open(path, "w")) as out:
        for s in range(scenes):
            n, m = write_scene(out, f"scene{s + 1}", random.Random(1000 * seed + s))
            nodes, edges = nodes + n, edges + m
    return nodes, edges


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", help="the graph file; .gz is compressed")
    parser.add_argument("--scenes", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("%d nodes, %d edges" % generate(arguments.output, arguments.scenes, arguments.seed))
