"""Where and of what a measurement was made: the processor, how busy it was, and which version of the source."""

import ast
import hashlib
import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).parents[2]
IMPORTED = ("pos.py", "scan_generator.py")  # by other scripts of bench/
ACTED_ON = ("builds", "groups")  # of a script's REPORT; the rest of that is what it says
BUSY = 0.5  # load average from which on a machine is not idle


def said(*command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "LC_ALL": "C"})
    return done.stdout.strip() if done.returncode == 0 else ""


def processor():
    for line in said("lscpu").splitlines():
        if line.startswith("Model name:"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def load():
    """Of the last minute."""
    return os.getloadavg()[0]


def busy_seconds():
    """CPU seconds that all programs together have used since the machine was started; None where nobody tells."""
    try:
        fields = pathlib.Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()
    except OSError:
        return None
    user, nice, system, _, _, interrupts, soft = (int(field) for field in fields[1:8])
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


def commit():
    """The commit, with a + where the source has been changed since; nothing outside of a repository."""
    name = said("git", "rev-parse", "--short", "HEAD")
    return name + "+" if name and said("git", "status", "--porcelain", "--", "trellis", "bench", "cmake", "CMakeLists.txt",
                                       ":!bench/results") else name


def source_files(bench):
    """Whatever a figure may depend on: the library, how it is built, the bench itself and what benches share."""
    yield from (ROOT / "CMakeLists.txt", ROOT / "CMakePresets.json")
    for folder in (ROOT / "cmake", ROOT / "trellis"):
        yield from (path for path in folder.rglob("*") if path.is_file())
    own = {f"{bench.stem}.py", f"{bench.stem}_bench.cc", f"{bench.stem}_program.cc"}
    for path in (ROOT / "bench").rglob("*"):
        inside = path.relative_to(ROOT / "bench").parts
        shared = path.suffix == ".h" or path.name.startswith("peer_") or path.name in IMPORTED
        if path.is_file() and path.suffix != ".pyc" and (shared or path.name in own if len(inside) == 1
                                                         else inside[0] not in ("suite", "results")):
            yield path


def deeds(script):
    """A script without what it says of itself: sentences may follow figures, and these need no other run then."""
    lines = script.splitlines()
    kept = []
    for node in ast.parse(script).body:
        report = isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == "REPORT" for target in node.targets)
        if report:
            says = ast.literal_eval(node.value)
            kept = [f"{key} = {says[key]!r}" for key in ACTED_ON if key in says]
        if report or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines[node.lineno - 1:node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return "\n".join([line for line in lines if line.strip()] + kept)


def content(path):
    """Of a file, what figures may depend on."""
    if path.parent == ROOT / "bench" and path.suffix == ".py":
        return deeds(path.read_text(encoding="utf-8")).encode()
    return path.read_bytes()


def source(bench):
    """A digest of all that; the same wherever and whenever it is the same source."""
    digest = hashlib.sha256()
    for path in sorted(set(source_files(bench))):
        digest.update(f"{path.relative_to(ROOT)}\0".encode())
        digest.update(hashlib.sha256(content(path)).digest())
    return digest.hexdigest()[:16]
