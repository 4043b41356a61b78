"""Tables of documents: those between marks are what results make of them, and no measured table stands outside. Results here are made up."""

import os
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
os.environ.setdefault("TRELLIS_BUILD_DIR", "build/release")
sys.path.insert(0, str(ROOT / "bench"))

from suite import page, record, regions  # noqa: E402
from suite.catalogue import CHAPTERS, Bench  # noqa: E402

RUN = {"date": "2026-01-02 03:04 UTC", "size": "default", "command": "./dev bench kites", "processor": "Abacus 7", "cores": 2}
KITES = Bench("kites", pathlib.Path("bench/kites.py"), "Kites.", "Kites, high", CHAPTERS[0],
              {"height": ["They fly high.", "--only height"], "colour": ["They are red.", "--only colour"]}, [3, 90], default="there is one")
TABLES = [{"claim": "height", "title": title, "columns": ["", "metres", "feet", "note"],
           "rows": [["red", 12.3456, 40.5, "a"], ["blue, old", 0.5, 1.64, "b"]], "notes": ["all fly"]} for title in ("In wind", "In rain")]
TYPED = "| | F1 |\n|---|--:|\n| ours | 93.61 |\n"


class RegionTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.kept = pathlib.Path(folder.name)
        record.write(self.kept / "kites.json", {"report": [{"claim": "height", "run": RUN, "tables": TABLES}]})

    def filled(self, head, old="what was there\n"):
        return regions.filled(f"Before.\n\n<!-- bench: {head}-->\n{old}<!-- end -->\n\nBehind.\n", None, self.kept, {"kites": KITES})

    def test_a_region_has_the_tables_of_its_claim_and_where_they_come_from(self):
        text = self.filled("kites height ")
        self.assertIn("Measured by `./dev bench kites`, default size: 2026-01-02, Abacus 7, 2 cores "
                      "([all tables](performance/every-task.md#kites)).", " ".join(text.split()))
        self.assertIn("In wind:\n\n|  | metres | feet | note |\n|---|--:|--:|---|\n| red | 12.35 | 40.50 | a |\n", text)
        self.assertIn("In rain:", text)
        self.assertNotIn("what was there", text)
        self.assertNotIn("all fly", text)
        self.assertTrue(text.startswith("Before.\n\n<!-- bench: kites height -->\n\n") and text.endswith("\n\n<!-- end -->\n\nBehind.\n"))

    def test_filling_twice_changes_nothing(self):
        text = self.filled("kites height\ncolumns: feet\n")
        self.assertEqual(regions.filled(text, None, self.kept, {"kites": KITES}), text)

    def test_a_region_can_have_some_tables_columns_and_rows(self):
        text = self.filled("kites height\ntables: In r\ncolumns: feet\nrows: blue, old | red\n")
        self.assertNotIn("In wind", text)
        self.assertIn("In rain:\n\n|  | feet |\n|---|--:|\n| red | 40.50 |\n| blue, old | 1.64 |\n\n<!-- end -->", text)

    def test_a_name_of_two_columns_is_the_first_and_said_again_the_second(self):
        twice = {"title": "t", "columns": ["", "m", "draws", "ft", "draws"], "rows": [["red", 1, 2, 3, 4]], "notes": []}
        self.assertEqual(regions.part(twice, ["ft", "draws"])["rows"], [["red", 2, 3]])
        self.assertEqual(regions.part(twice, ["draws", "ft", "draws"])["rows"], [["red", 2, 3, 4]])

    def test_what_is_not_measured_is_reported(self):
        self.assertIn("Not measured (`./dev bench kites --only colour`): They are red.\n\n<!-- end -->", self.filled("kites colour "))

    def test_names_that_do_not_exist_are_refused(self):
        for head in ("boats height ", "kites depth ", "kites ", "kites height\ncolumns: miles\n", "kites height\nrows: green\n",
                     "kites height\ntables: In snow\n", "kites height\ncells: red\n"):
            with self.subTest(head), self.assertRaises(regions.Wrong):
                self.filled(head)

    def test_full_results_are_marked_as_such(self):
        record.write(self.kept / "kites.json", {"report": [{"claim": "height", "run": {**RUN, "size": "full"}, "tables": TABLES}]})
        self.assertIn("`, full size: ", self.filled("kites height "))


class TypedTest(unittest.TestCase):
    def test_a_measured_table_outside_of_a_region_is_found(self):
        self.assertEqual(regions.typed_tables(f"Text.\n\n{TYPED}"), ["| | F1 |"])
        self.assertEqual(regions.typed_tables("| | s | t |\n|---|---|---|\n| a | 7 986 | 12 |"), ["| | s | t |"])
        self.assertEqual(regions.typed_tables("| | a |\n|---|---|\n| b | **95.8** ± 19.7 |"), ["| | a |"])

    def test_tables_of_words_options_and_regions_are_left_alone(self):
        options = "| option | default | |\n|---|---|---|\n| `gap` | 0.001 | relative |\n"
        columns = "| 1 | ID | 1, 2, 3, … |\n|---|---|---|\n| 2 | FORM | never |\n"
        output = f"Output:\n\n    {TYPED}".replace("\n|", "\n    |")
        for text in (options, columns, output, f"```\n{TYPED}```\n", f"<!-- bench: kites height -->\n{TYPED}<!-- end -->\n"):
            with self.subTest(text):
                self.assertEqual(regions.typed_tables(text), [])


def anchors(text):
    """What links to a page may have behind #, as GitHub makes it of headings."""
    headings = re.findall(r"(?m)^#+ (.*)$", re.sub(r"(?ms)^```.*?^```$", "", text))
    named = ("".join(c for c in heading.lower() if c.isalpha() or c.isdecimal() or c in "-_ ").replace(" ", "-") for heading in headings)
    return {*named, *re.findall(r'<a id="([^"]*)">', text)}


def text_blocks(text):
    """Paragraphs and list items as lists of lines, without code, tables, headings and comments."""
    block = []
    for line in [*re.sub(r"(?ms)^```.*?^```$", "", text).split("\n"), ""]:
        outside = not line.strip() or re.match(r"    |\||#|<|!\[", line)
        if block and (outside or re.match(r"\s*([-*]|\d+\.) ", line)):
            yield block
            block = []
        if not outside:
            block.append(line)


class DocumentsTest(unittest.TestCase):
    def test_the_tables_of_documents_are_those_of_the_results(self):
        for path in regions.documents():
            with self.subTest(path.name):
                text = path.read_text(encoding="utf-8")
                self.assertEqual(text, regions.filled(text), f"{path.name}: its tables are made by ./dev bench report")

    def test_no_document_has_a_measured_table_that_is_typed(self):
        for path in regions.documents():
            with self.subTest(path.name):
                self.assertEqual(regions.typed_tables(path.read_text(encoding="utf-8")), [])

    def test_links_to_measurements_lead_somewhere(self):
        there = {f"performance/{path.name}": set(re.findall(r'<a id="([^"]*)">', path.read_text(encoding="utf-8")))
                 for path in page.chapters_written()}
        for path in [*regions.documents(), page.PAGE]:
            for name, _, anchor in re.findall(r"\((?:docs/)?(performance/[^)#]*\.md)(#([^)]*))?\)", path.read_text(encoding="utf-8")):
                self.assertIn(name, there, path.name)
                self.assertIn(anchor, {"", *there[name]}, path.name)

    def test_lines_are_at_most_120_wide_and_paragraphs_at_most_eight_lines(self):
        for path in [*regions.documents(), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
            for block in text_blocks(path.read_text(encoding="utf-8")):
                self.assertLessEqual(max(map(len, block)), 120, f"{path.name}: {block[0]}")
                self.assertLessEqual(len(block), 8, f"{path.name}: {block[0]}")

    def test_links_between_documents_lead_somewhere(self):
        for path in [*regions.documents(), page.PAGE, *page.chapters_written(), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
            text = path.read_text(encoding="utf-8")
            for target, anchor in re.findall(r"\]\(([^):#\s]*\.md)?(?:#([^)\s]*))?\)", text):
                other = (path.parent / target).resolve() if target else path
                self.assertTrue(other.exists(), f"{path.name}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors(other.read_text(encoding="utf-8")), f"{path.name}: {target}#{anchor}")

    def test_every_mark_has_its_end(self):
        for path in regions.documents():
            text = path.read_text(encoding="utf-8")
            self.assertEqual(text.count("<!-- bench:"), len(regions.REGION.findall(text)), path.name)
            self.assertEqual(text.count("<!-- end -->"), len(regions.REGION.findall(text)), path.name)


if __name__ == "__main__":
    unittest.main()
