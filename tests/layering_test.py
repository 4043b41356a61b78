#!/usr/bin/env python3
"""The rooms of the house: reads every #include of trellis/ and fails on an edge that is not below.

Also fails on a layer that links what it may not, on a cycle between files or between the inner rooms
of a folder, on an include of a file that is not there, on a folder that is no layer, and on a file
name that says nothing. Usage: layering_test.py SOURCE_DIR
"""

import re
import sys
from pathlib import Path

# What each layer may include beside itself (docs/architecture.md, "Layers").
ALLOWED = {
    "base": "",
    "data": "base",
    "formats": "data base",
    "scorers": "formats data base",
    "solve": "base",
    "structure": "solve base",
    "oracle": "solve data base",
    "problem": "oracle structure data solve base",
    "learn": "oracle solve data base",
    "fit": "learn problem oracle structure solve data base",
    "generative": "problem oracle structure solve data base",
    "topics": "solve data base",
    "pictures": "data base",
    "frame": "pictures fit learn problem oracle structure solve data base",
    "tasks": "frame pictures scorers formats topics generative fit learn problem oracle structure solve data base",
    "cli": "tasks frame data base",
}
EMPTY_NAMES = re.compile(r"(^|_)(utils?|common|misc|helpers?)(_|$)")
LINKED = re.compile(r"trellis_layer\((\w+)\s+LAYERS\s+([a-z_\s]+)")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)


def includes(path, root):
    """The files of the house that `path` includes, and complaints about the way it names them."""
    found, complaints = [], []
    for quote, target in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if target.startswith("trellis/"):
            if not (root / target).is_file():
                complaints.append(f"includes {target}, which does not exist")
            else:
                found.append(target)
        elif quote == '"' and not target.startswith("hwy/"):
            complaints.append(f'includes "{target}": write the path from the root, "trellis/…"')
    return found, complaints


def layer_of(name):
    return name.split("/")[1]


def edge_complaints(graph):
    for source, targets in graph.items():
        layer = layer_of(source)
        allowed = {layer, *ALLOWED.get(layer, "").split()}
        for target in targets:
            if layer_of(target) not in allowed:
                yield f"{source}: includes {target}; {layer} may use {ALLOWED[layer] or 'nothing'}"


def link_complaints(root):
    for path in sorted((root / "trellis").glob("*/CMakeLists.txt")):
        for layer, linked in LINKED.findall(path.read_text(encoding="utf-8")):
            for other in set(linked.split()) - set(ALLOWED.get(layer, "").split()):
                yield f"{path.relative_to(root)}: {layer} may not link {other}"


def name_complaints(names):
    for name in names:
        parts = Path(name).parts
        if len(parts) < 3:
            yield f"{name}: stands outside the layers"
        elif parts[1] not in ALLOWED:
            yield f"{name}: {parts[1]}/ is not a layer"
        for part in parts[1:]:
            if EMPTY_NAMES.search(Path(part).stem):
                yield f"{name}: “{part}” does not say what it holds"


def room_graph(graph):
    """Which inner rooms each includes: an edge joins the two folders where the paths of a file and of
    what it includes part. What stands beside the rooms, at the top of their folder, is free."""
    rooms = {}
    for source, targets in graph.items():
        for target in targets:
            a, b = Path(source).parts, Path(target).parts
            depth = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), len(a))
            if depth >= 2 and len(a) > depth + 1 and len(b) > depth + 1:
                rooms.setdefault("/".join(a[: depth + 1]), set()).add("/".join(b[: depth + 1]))
    return {room: sorted(others) for room, others in rooms.items()}


def find_cycle(graph):
    """A list of files or rooms in which each includes the next and the last the first, or None."""
    done, trail, on_trail = set(), [], set()

    def visit(node):
        trail.append(node)
        on_trail.add(node)
        for target in graph.get(node, ()):
            if target in on_trail:
                return trail[trail.index(target) :]
            if target not in done and (cycle := visit(target)):
                return cycle
        done.add(trail.pop())
        on_trail.discard(node)
        return None

    for node in sorted(graph):
        if node not in done and (cycle := visit(node)):
            return cycle
    return None


def main():
    root = Path(sys.argv[1])
    files = sorted(p for p in (root / "trellis").rglob("*") if p.suffix in {".h", ".cc"})
    graph, complaints = {}, []
    for path in files:
        name = path.relative_to(root).as_posix()
        graph[name], mine = includes(path, root)
        complaints += [f"{name}: {complaint}" for complaint in mine]
    complaints += name_complaints(graph)
    complaints += edge_complaints({n: t for n, t in graph.items() if layer_of(n) in ALLOWED})
    complaints += link_complaints(root)
    for kind, edges in ("a cycle", graph), ("a cycle of rooms", room_graph(graph)):
        if cycle := find_cycle(edges):
            complaints.append(f"{kind}: " + " → ".join([*cycle, cycle[0]]))
    print("\n".join(complaints) if complaints else f"{len(files)} files, no complaint")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
