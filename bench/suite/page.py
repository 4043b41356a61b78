"""docs/performance.md, a summary, and docs/performance/CHAPTER.md, a page for each chapter. They are made from results alone: those of
build/bench, and those that bench/results keeps for every machine.

For each claim of a bench its tables are kept, with the run that made them, and the message of the last run if it failed. If there are two
results of one claim, the larger size counts, and of one size the later."""

import json
import re
import textwrap

from suite import record
from suite.catalogue import BENCH, CHAPTERS, NEEDS, all_benches
from suite.machine import BUSY, ROOT

KEPT = BENCH / "results"
PAGE = ROOT / "docs" / "performance.md"
FIGURES = ("claim", "title", "columns", "rows", "notes")

WIDTH = 120  # of a line of text

HEAD = """# Performance

`./dev bench report` makes this page and the pages that it links to from the results in `bench/results`. Each table has
the command that measured it, the date, the processor and its load.

    ./dev bench                     list the measurements
    ./dev bench NAME [--full]       run one of them, into build/bench/NAME.json; --full: in the size of the papers
    ./dev bench all                 run all, one after another; resumes where it was interrupted

A sentence in bold says what the tables below it show, and names each target that was missed. "Better" and "worse" mean
outside of the noise, where a column gives the noise. A table of one seed or one split shows only that one. Settings are
chosen on dev parts or by cross-validation; only the final run reads a test part. Ratios are measured in one run.
"""

CHAPTER_HEAD = """# Performance: {}

`./dev bench report` makes this page from `bench/results`. [Performance](../performance.md) lists all measurements and
how to run them. Load averages are those of the minute before a run and of its last minute; "others" is the mean number
of processors that other programs used meanwhile.
"""


def rank(group):
    return record.SIZES.index(group["run"]["size"]), group["run"]["date"]


def better(bench, *results):
    """Of the groups of several results the one of each claim that counts."""
    found = {}
    for group in (group for result in results for group in result.get("report", ())):
        old = found.get(group["claim"])
        if old is None or rank(group) >= rank(old):
            found[group["claim"]] = group
    return record.merged(bench, (), found.values())


def failure(groups, *results):
    """The last run that failed, unless something was measured since."""
    failed = max((result["run"] for result in results if result.get("run")), key=lambda run: run["date"], default=None)
    return failed if failed and all(group["run"]["date"] <= failed["date"] for group in groups) else None


def figures(group):
    """A group without what is not shown."""
    return {**group, "tables": [{key: table[key] for key in FIGURES} for table in group["tables"]]}


def combined(bench, built=None, kept=KEPT):
    """{"report": groups, "failed": a run or nothing} of what is built (a folder; none: nothing) and kept."""
    old = record.read(kept / f"{bench.name}.json")
    new = record.read(built / f"{bench.name}.json") if built else {}
    groups = [figures(group) for group in better(bench, old, new)]
    failed = failure(groups, {"run": old.get("failed")}, record.read(built / f"{bench.name}.failed.json") if built else {})
    return {"report": groups, **({"failed": failed} if failed else {})}


def keep(names=(), built=record.RESULTS, kept=KEPT, benches=None):
    """Copies results to where they are committed; the names of those that changed."""
    changed = []
    for bench in (benches or all_benches()).values():
        if names and bench.name not in names:
            continue
        path, result = kept / f"{bench.name}.json", combined(bench, built, kept)
        if result != {"report": []} and not (path.exists() and path.read_text(encoding="utf-8") == compact(result)):
            kept.mkdir(parents=True, exist_ok=True)
            path.write_text(compact(result), encoding="utf-8")
            changed.append(bench.name)
    return changed


def compact(result):
    """JSON with a line for each row of a table: changes can be read, and there are not thousands of lines."""
    def row_lines(rows):
        return "[\n" + ",\n".join("     " + json.dumps(row, ensure_ascii=False) for row in rows) + "\n    ]" if rows else "[]"

    parts = []
    for group in result["report"]:
        tables = []
        for table in group["tables"]:
            fields = [f'    {json.dumps(key)}: ' + (row_lines(table[key]) if key == "rows" else json.dumps(table[key], ensure_ascii=False))
                      for key in FIGURES]
            tables.append("   {\n" + ",\n".join(fields) + "\n   }")
        run = json.dumps(group["run"], ensure_ascii=False)
        parts.append(f'  {{"claim": {json.dumps(group["claim"])},\n   "run": {run},\n   "tables": [\n' + ",\n".join(tables) + "\n   ]}")
    text = '{\n "report": [\n' + ",\n".join(parts) + "\n ]"
    if "failed" in result:
        text += ',\n "failed": ' + json.dumps(result["failed"], ensure_ascii=False)
    return text + "\n}\n"


# The page.

def cell(value):
    """Much as peers.table prints it."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: ""}[value]
    if isinstance(value, float):
        size = abs(value)
        text = f"{value:.2f}" if 0.1 <= size < 1e6 or size == 0 or value != value else f"{value:.2g}" if size < 0.1 else f"{value:.3g}"
        return text.replace("-", "−", 1) if text.startswith("-") else text
    return str(value).replace("|", "\\|").replace("\n", " ")


def numeric(rows, column):
    """Whether a column is to be aligned at the right."""
    return any(isinstance(row[column], (int, float)) for row in rows)


def table_lines(table):
    columns, rows = table["columns"], table["rows"]
    yield from wrapped(f"{table['title']}:")
    yield ""
    yield "| " + " | ".join(map(cell, columns)) + " |"
    yield "|" + "|".join("--:" if k and numeric(rows, k) else "---" for k in range(len(columns))) + "|"
    for row in rows:
        yield "| " + " | ".join(map(cell, row)) + " |"
    yield ""
    for note in table["notes"]:
        yield from wrapped(sentence(note))
        yield ""


def paragraphs(text):
    """Lists of lines that belong together: a blank, indented or table line alone, other lines up to the next of these or list item."""
    part = []
    for line in text.split("\n"):
        alone = not line or line.startswith((" ", "|"))
        if part and (alone or line.startswith("* ")):
            yield part
            part = []
        part.append(line)
        if alone:
            yield part
            part = []
    if part:
        yield part


def wrapped(text):
    """Its lines, at most WIDTH characters wide but for indented lines and tables; `code` is not broken."""
    for part in paragraphs(text):
        if part[0].startswith((" ", "|")) or not part[0]:
            yield part[0]
            continue
        whole = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), " ".join(part))
        behind = "  " if whole.startswith("* ") else ""
        for line in textwrap.wrap(whole, WIDTH, subsequent_indent=behind, break_long_words=False, break_on_hyphens=False):
            yield line.replace("\0", " ")


def sentence(text):
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else text + "."


def times(seconds):
    return f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 60:.0f} min"


def provenance(bench, run):
    size = "" if bench.one_size else {"default": ", not in full", "full": ", in full"}[run["size"]]
    others = f", others {run['others']:.2f}" if "others" in run else ""
    warning = " **The machine was not idle.**" if run.get("others", 0) > BUSY / 2 else ""
    return (f"`{run['command']}`{size}: {run['date']}, {run['processor']}, {run['cores']} cores, load {run['load_before']:.2f} before and "
            f"{run['load_after']:.2f} after{others}; {times(run['seconds'])}; commit {run['commit'] or 'unknown'}.{warning}")


def missing(bench, claim):
    """A claim without tables shows nothing, so it does not stand in bold."""
    says, options = bench.claims[claim]
    return f"Not measured (`{' '.join(['./dev bench', bench.name, *([options] if options else [])])}`): {says}"


def claim_lines(bench, claim, group):
    """A claim with its tables, or without."""
    if group is None:
        yield from wrapped(missing(bench, claim))
        yield ""
        return
    yield from wrapped(f"**{bench.claims.get(claim, [claim])[0]}**")
    yield ""
    yield from wrapped(provenance(bench, group["run"]))
    yield ""
    for table in group["tables"]:
        yield from table_lines(table)


def place(bench):
    """The page of its chapter and the anchor there, from docs/."""
    return f"performance/{slug(bench.chapter)}.md#{bench.name}"


def slug(chapter):
    return chapter.lower().replace(" ", "-")


def bench_lines(bench, result):
    yield f'<a id="{bench.name}"></a>'
    yield ""
    yield f"## {bench.title}: `./dev bench {bench.name}`"
    yield ""
    yield from wrapped(re.sub(r"(?m)^([a-z]+): ", r"* `\1`: ", bench.prose))  # what each part measures
    yield ""
    if bench.default:
        yield from wrapped(f"Without `--full` {bench.default}.")
        yield ""
    if bench.needs:
        yield from wrapped(f"Needs {' and '.join(NEEDS[need] for need in bench.needs)}.")
        yield ""
    if "failed" in result:
        failed = result["failed"]
        how = "failed" if failed["state"] == "failed" else "ran out of time"
        yield f"**The last run, `{failed['command']}`, {failed['date']}, {how}**: {cell(failed['said'])}"
        yield ""
    groups = {group["claim"]: group for group in result["report"]}
    for claim in [*bench.claims, *(claim for claim in groups if claim not in bench.claims)]:
        yield from claim_lines(bench, claim, groups.get(claim))


def summary_lines(benches, results):
    """Which measurements there are, and of what size and date their results are."""
    yield "| chapter | measurement | claims measured | last |"
    yield "|---|---|--:|---|"
    before = None
    for bench in benches.values():
        chapter = "" if bench.chapter == before else f"[{bench.chapter}](performance/{slug(bench.chapter)}.md)"
        before = bench.chapter
        groups = results[bench.name]["report"]
        sizes = {group["run"]["size"] for group in groups}
        size = "" if bench.one_size or not sizes else " in full" if sizes == {"full"} else " in part" if "full" in sizes else ""
        last = max((group["run"]["date"] for group in groups), default="").split(" ")[0]
        have = sum(group["claim"] in bench.claims for group in groups)
        state = "; the last run failed" if "failed" in results[bench.name] else ""
        yield f"| {chapter} | [{bench.title}]({place(bench)}) | {have} of {len(bench.claims)}{size} | {last or 'not measured'}{state} |"
    yield ""


def pages(built=None, kept=KEPT, benches=None):
    """{name below docs/: text} of the summary and of the chapters."""
    benches = benches or all_benches()
    results = {bench.name: combined(bench, built, kept) for bench in benches.values()}
    made = {PAGE.name: [HEAD, *summary_lines(benches, results)]}
    for chapter in CHAPTERS:
        members = [bench for bench in benches.values() if bench.chapter == chapter]
        if members:
            made[f"performance/{slug(chapter)}.md"] = [CHAPTER_HEAD.format(chapter.lower()), *(
                line for bench in members for line in bench_lines(bench, results[bench.name]))]
    return {name: "\n".join(lines).rstrip() + "\n" for name, lines in made.items()}


def write(built=None):
    """Makes all pages, and removes those of chapters that do not exist."""
    made = pages(built)
    (PAGE.parent / "performance").mkdir(exist_ok=True)
    for old in chapters_written():
        if f"performance/{old.name}" not in made:
            old.unlink()
    for name, text in made.items():
        (PAGE.parent / name).write_text(text, encoding="utf-8")


def chapters_written():
    return sorted((PAGE.parent / "performance").glob("*.md"))


def unkept(built=record.RESULTS, kept=KEPT, benches=None):
    """Names of benches with results in build/bench that bench/results has not."""
    return [bench.name for bench in (benches or all_benches()).values()
            if compact(combined(bench, built, kept)) != compact(combined(bench, None, kept))]
