"""The files of the record, in tests/cli/record: for each task TASK.json, its trainings, and TASK.refusals.json, its calls that are
refused; for each task, and for the program, help/TASK.txt, which has the texts of help as they are printed:

    $ trellis tag train --help
    Train a model from labelled sequences.
    ...

In JSON, numbers stand digit by digit as they were printed.
"""

import json
import pathlib

FOLDER = pathlib.Path(__file__).with_name("record")
PROGRAM = "trellis"  # help/trellis.txt: of the program itself
PROMPT = f"$ {PROGRAM} "
WIDTH = 118


class Number(str):
    """A number of JSON, as it was printed."""


def parse(text):
    return json.loads(text, parse_float=Number, parse_int=Number)


def to_text(value, indent=0):
    """JSON in which what fits into a line stands on one, scalars share lines, and numbers stand as they were printed."""
    line = json_line(value)
    if indent + len(line) <= WIDTH or not isinstance(value, (dict, list)):
        return line
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines, shared = [], False  # whether the last line has scalars alone, and may take more
    for key, entry in value.items() if isinstance(value, dict) else ((None, entry) for entry in value):
        text = ("" if key is None else json_line(key) + ": ") + to_text(entry, indent + 2)
        scalar = key is not None and not isinstance(entry, (dict, list))
        if scalar and shared and indent + 3 + len(lines[-1]) + len(text) <= WIDTH:
            lines[-1] += ", " + text
        else:
            lines.append(text)
        shared = scalar
    inner = "\n" + " " * (indent + 2)
    return opening + inner + ("," + inner).join(lines) + "\n" + " " * indent + closing


def json_line(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json_line(key)}: {json_line(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(json_line, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def help_to_text(texts):
    """{call: lines} as a terminal shows it, with an empty line between calls."""
    return "\n".join(f"{PROMPT}{call}\n" + "".join(line + "\n" for line in lines) for call, lines in texts.items())


def parse_help(text):
    texts = {}
    for line in text.split("\n")[:-1]:
        if line.startswith(PROMPT):
            if texts:
                texts[call].pop()  # the empty line before a call
            call = line.removeprefix(PROMPT)
            texts[call] = []
        else:
            texts[call].append(line)
    return texts


def task_of(call):
    word = call.split()[0]
    return PROGRAM if word.startswith("-") else word


def contents(record):
    """The name of each file, and its text."""
    texts = {}
    for call, lines in record["help"].items():
        texts.setdefault(task_of(call), {})[call] = lines
    files = {f"help/{task}.txt": help_to_text(calls) for task, calls in texts.items()}
    for section, entries in record.items():
        if section != "help":
            files[f"{section.replace(' refuses', '.refusals')}.json"] = to_text(entries) + "\n"
    return files


def write(record):
    """Makes the folder what `record` says, and nothing else."""
    files = contents(record)
    for path in FOLDER.rglob("*"):
        if path.is_file() and str(path.relative_to(FOLDER)) not in files:
            path.unlink()
    for name, text in files.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")


def read():
    """All sections: "help", and for each task "TASK" and "TASK refuses"."""
    record = {"help": {}}
    for path in sorted(FOLDER.glob("help/*.txt")):
        record["help"].update(parse_help(path.read_text(encoding="utf-8")))
    for path in sorted(FOLDER.glob("*.json")):
        section = path.name.removesuffix(".json").replace(".refusals", " refuses")
        record[section] = parse(path.read_text(encoding="utf-8"))
    return record
