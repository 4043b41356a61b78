"""Tables of documents that come from kept results, written by `./dev bench report` between two comments:

    <!-- bench: NAME CLAIM
    tables: the beginning of a title | another      all tables of the claim where this line is left out
    columns: ring | draws | Hamming | draws         all columns; the first is always there, and a name given twice is two columns
    rows: ML | conditional                          all rows; a row is there where one of its cells is one of these
    -->
    <!-- end -->

docs/performance/ has all tables of all measurements; a document has those that its reader needs. A table with measured values that
stands outside of such a region is a fault (`typed_tables`): nothing would keep it true."""

import re

from suite import page
from suite.catalogue import all_benches
from suite.machine import ROOT

REGION = re.compile(r"(?ms)^<!-- bench: (.*?)-->\n(.*?)^<!-- end -->$")
SELECTIONS = ("tables", "columns", "rows")
VALUE = re.compile(r"[\d\s.,+−±–/()%×*<>≈-]|\b(?:e-?\d+|s|ms|µs|us|h|min|MB|GB|CPU|about|over|to)\b")  # what is left of a value is nothing


def documents():
    """Those whose tables are regions or have no measured values."""
    return [ROOT / "README.md", *(path for path in sorted((ROOT / "docs").glob("*.md")) if path != page.PAGE)]


class Wrong(ValueError):
    """A region that names a result, table, column or row that does not exist."""


def selections(lines):
    """{key: names} of the lines of a region behind its first."""
    found = {}
    for line in lines:
        key, colon, names = line.partition(":")
        if not colon or key not in SELECTIONS:
            raise Wrong(f"expected one of {', '.join(SELECTIONS)} with a colon, found '{line}'")
        found[key] = [name.strip() for name in names.split("|")]
    return found


def known(names, there, what):
    """Refuses names of what none of the tables has."""
    for name in names:
        if name not in there:
            raise Wrong(f"there is no {what} '{name}'")


def part(table, columns=None, rows=None):
    """A table with some of its columns and rows."""
    titles = table["columns"]
    kept = [k for k, title in enumerate(titles) if not columns or k == 0 or titles[:k].count(title) < columns.count(title)]
    lines = [line for line in table["rows"] if not rows or any(page.cell(cell) in rows for cell in line)]
    return {**table, "columns": [titles[k] for k in kept], "rows": [[line[k] for k in kept] for line in lines], "notes": []}


def parts(tables, select, of):
    """Those tables, columns and rows that are selected."""
    titles = [table["title"] for table in tables]
    heads = select.get("tables", [""])
    known([head for head in heads if not any(title.startswith(head) for title in titles)], (), f"table of '{of}' that begins with")
    tables = [table for table in tables if table["title"].startswith(tuple(heads))]
    known(select.get("columns", ()), {title for table in tables for title in table["columns"]}, f"column of '{of}'")
    known(select.get("rows", ()), {page.cell(cell) for table in tables for line in table["rows"] for cell in line}, f"row of '{of}'")
    return [part(table, select.get("columns"), select.get("rows")) for table in tables]


def origin(bench, run):
    """The sentence above the tables: where they come from."""
    size = "" if bench.one_size else ", full size" if run["size"] == "full" else ", default size"
    return (f"Measured by `{run['command']}`{size}: {run['date'].split()[0]}, {run['processor']}, {run['cores']} cores "
            f"([all tables]({page.place(bench)})).")


def region(head, built=None, kept=page.KEPT, benches=None):
    """The lines between the comments. head: what the first comment says behind `bench:`."""
    benches = benches or all_benches()
    first, *rest = head.strip().splitlines()
    name, claim = (first.split() + [""])[:2]
    select = selections(rest)
    bench = benches.get(name)
    if bench is None or claim not in bench.claims:
        raise Wrong(f"there is no claim '{first.strip()}'")
    groups = [group for group in page.combined(bench, built, kept)["report"] if group["claim"] == claim]
    if not groups:
        return [*page.wrapped(page.missing(bench, claim)), ""]
    lines = [*page.wrapped(origin(bench, groups[0]["run"])), ""]
    for table in parts(groups[0]["tables"], select, first.strip()):
        lines += page.table_lines(table)
    return lines


def filled(text, built=None, kept=page.KEPT, benches=None):
    """A document with its regions as the results have them."""
    def anew(match):
        lines = "\n".join(region(match[1], built, kept, benches)).rstrip()
        return f"<!-- bench: {match[1]}-->\n\n{lines}\n\n<!-- end -->"

    return REGION.sub(anew, text)


def write(built=None):
    for path in documents():
        old = path.read_text(encoding="utf-8")
        try:
            new = filled(old, built)
        except Wrong as wrong:
            raise SystemExit(f"{path.relative_to(ROOT)}: {wrong}") from None
        if new != old:
            path.write_text(new, encoding="utf-8")


# Tables that are typed.

def is_value(cell):
    """Whether a cell is a number with its unit, its deviation or a few more, such as 103.3 ± 26.8 or 41.8 (4627)."""
    return bool(re.search(r"\d", cell)) and not VALUE.sub("", cell)


def measured(table):
    """Whether lines of a table have values that must have been measured: a decimal, or two numbers in a row. Defaults of options are
    no such values, nor is what the first column names."""
    header, *rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in table]
    for row in rows:
        values = [cell for cell, title in list(zip(row, header))[1:] if title != "default" and is_value(cell)]
        if len(values) > 1 or any(re.search(r"\d\.\d", cell) for cell in values):
            return True
    return False


def typed_tables(text):
    """The first lines of tables with measured values outside of regions and of blocks of code."""
    text = re.sub(r"(?ms)^```.*?^```$", "", REGION.sub("", text))
    tables = re.findall(r"(?m)(?:^\|.*\n?)+", text)
    return [table.split("\n", 1)[0] for table in tables if measured(table.strip().split("\n"))]
