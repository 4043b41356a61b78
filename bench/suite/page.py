"""docs/performance.md, made whole from results: those of build/bench, and those that bench/results keeps for every machine.

What is kept of a bench is for each claim its tables and the run that made them, and what a run said that failed. Of two results of one
claim the larger size counts, and of one size the later."""

import json
import re

from suite import record
from suite.catalogue import BENCH, CHAPTERS, NEEDS, all_benches
from suite.machine import BUSY, ROOT

KEPT = BENCH / "results"
PAGE = ROOT / "docs" / "performance.md"
FIGURES = ("claim", "title", "columns", "rows", "notes")

HEAD = """# Performance

This page is made by `./dev bench report` from the results in `bench/results`, and is not edited by hand: what is said here of a
measurement stands in the measurement itself, in `bench/`. Every table has its command beside it, with the date, the processor and how
busy that was. Ratios are measured in one run beside a peer; seconds are those of the processor that is named.

    ./dev bench                     what there is
    ./dev bench NAME [--full]       one measurement, into build/bench/NAME.json
    ./dev bench all                 all of them in turn, unattended; --full in the size of the papers, --anew also what is there already,
                                    --wait until the machine is idle, --limit MINUTES for each
    ./dev bench keep [NAME...]      what build/bench has, into bench/results
    ./dev bench report              this page, and the tables of other documents; --keep keeps before

A run without `--full` ends within minutes, and what it does less is said with it. `./dev bench all` goes on where it was broken off: a
measurement whose result is whole and of the same source is not repeated. Load averages are those of the minute before a run and of its
last; "others" are processors that other programs had meanwhile, on average. A sentence in bold says what the tables below it show, and
whether the run missed what its script asks for. "Better" and "worse" are outside of the noise where a column gives that; a table of one
seed or one split shows no more than that one. Settings are chosen on dev parts or by cross-validation, and a test part is read by the run
that prints it. Tables of other documents are parts of these (`bench/suite/regions.py`).
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
    yield f"{table['title']}:"
    yield ""
    yield "| " + " | ".join(map(cell, columns)) + " |"
    yield "|" + "|".join("--:" if k and numeric(rows, k) else "---" for k in range(len(columns))) + "|"
    for row in rows:
        yield "| " + " | ".join(map(cell, row)) + " |"
    yield ""
    for note in table["notes"]:
        yield f"{sentence(note)}"
        yield ""


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
        yield missing(bench, claim)
        yield ""
        return
    yield f"**{bench.claims.get(claim, [claim])[0]}**"
    yield ""
    yield provenance(bench, group["run"])
    yield ""
    for table in group["tables"]:
        yield from table_lines(table)


def heading(bench):
    return f"{bench.title}: `./dev bench {bench.name}`"


def bench_lines(bench, result):
    yield f"### {heading(bench)}"
    yield ""
    yield re.sub(r"(?m)^([a-z]+): ", r"* `\1`: ", bench.prose)  # what each part measures
    yield ""
    if bench.default:
        yield f"Without `--full` {bench.default}."
        yield ""
    if bench.needs:
        yield f"Needs {' and '.join(NEEDS[need] for need in bench.needs)}."
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
    """What there is, and of what size and date."""
    yield "| | measurement | claims measured | last |"
    yield "|---|---|--:|---|"
    for bench in benches.values():
        groups = results[bench.name]["report"]
        sizes = {group["run"]["size"] for group in groups}
        size = "" if bench.one_size or not sizes else " in full" if sizes == {"full"} else " in part" if "full" in sizes else ""
        last = max((group["run"]["date"] for group in groups), default="")
        have = sum(group["claim"] in bench.claims for group in groups)
        state = "; the last run failed" if "failed" in results[bench.name] else ""
        yield f"| {bench.chapter} | {bench.title} (`{bench.name}`) | {have} of {len(bench.claims)}{size} | {last or 'not measured'}{state} |"
    yield ""


def page(built=None, kept=KEPT, benches=None):
    """The text of docs/performance.md."""
    benches = benches or all_benches()
    results = {bench.name: combined(bench, built, kept) for bench in benches.values()}
    lines = [HEAD, *summary_lines(benches, results)]
    for chapter in CHAPTERS:
        members = [bench for bench in benches.values() if bench.chapter == chapter]
        if members:
            lines += [f"## {chapter}", ""]
        for bench in members:
            lines += bench_lines(bench, results[bench.name])
    return "\n".join(lines).rstrip() + "\n"


def unkept(built=record.RESULTS, kept=KEPT, benches=None):
    """Names of benches of which build/bench has what bench/results has not."""
    return [bench.name for bench in (benches or all_benches()).values()
            if compact(combined(bench, built, kept)) != compact(combined(bench, None, kept))]
