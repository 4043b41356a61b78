"""Lists of names out of Debian's packages miscfiles and iso-codes, as gazetteers for named entities."""

import gzip
import json
import pathlib
import re
import subprocess
import sys

MISC = pathlib.Path("/usr/share/misc")
DICT = pathlib.Path("/usr/share/dict")
ISO = pathlib.Path("/usr/share/iso-codes/json")


def lines(path):
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        return [line.rstrip("\n") for line in file]


def iso(name, *keys):
    entries = json.loads((ISO / f"iso_{name}.json").read_text())[name]
    return {entry[key] for entry in entries for key in keys if key in entry}


def parts(names):
    """Names without what stands behind a comma, a semicolon or in brackets."""
    clean = set()
    for name in names:
        for piece in re.split(r"[;|/]", re.sub(r"\(.*?\)|\[.*?\]", "", name)):
            piece = piece.split(",")[0].strip()
            if len(piece) > 1:
                clean.add(piece)
    return clean


def lists():
    cities = {line.split(":", 1)[1].strip() for line in lines(MISC / "cities.dat.gz") if line.startswith("Name")}
    airports = [line.split(":") for line in lines(MISC / "airport.gz") if line and not line.startswith("#")]
    cities |= {city for fields in airports if len(fields) > 4 for city in fields[4].split("|")}
    countries = [line.split(":") for line in lines(MISC / "countries.gz") if line and not line.startswith("#")]
    cities |= {fields[4] for fields in countries if len(fields) > 4}
    languages = {line.split(":")[1] for line in lines(MISC / "languages.gz") if ":" in line and not line.startswith("#")}
    with open(DICT / "web2", encoding="utf-8") as file:
        capitalised = {word.strip() for word in file if word[:1].isupper()}
    return {
        "cities": parts(cities),
        "countries": parts({f[3] for f in countries if len(f) > 3} | iso("3166-1", "name", "common_name", "official_name")
                           | iso("3166-3", "name")),
        "regions": parts(iso("3166-2", "name")),
        "languages": parts(languages | iso("639-2", "name")),
        "currencies": parts(iso("4217", "name")),
        "given_names": set(lines(DICT / "propernames.gz")),
        "capitalised": capitalised,
    }


def write(folder):
    """Writes the lists below `folder`; their paths."""
    missing = [p for p in ("miscfiles", "iso-codes") if subprocess.run(["dpkg", "-s", p], capture_output=True).returncode]
    if missing:
        sys.exit(f"gazetteers come out of Debian's packages: apt-get install {' '.join(missing)}")
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, phrases in lists().items():
        path = folder / f"{name}.txt"
        path.write_text("\n".join(sorted(p for p in phrases if p.strip())) + "\n", encoding="utf-8")
        paths.append(str(path))
    return paths
