"""Compares the program with tests/cli/record: see record.py for what is in it, record_files.py for its files.

A change that is meant to change what the program does is written down by

    TRELLIS_WRITE_RECORD=1 ctest --test-dir build/release -R cli.record

and the differences of the files are part of the change.
"""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import record
import record_files
from record_calls import TASKS

WRITTEN = {}
FOUND = {}


def setUpModule():
    folder = tempfile.mkdtemp(prefix="trellis-record-")
    unittest.addModuleCleanup(shutil.rmtree, folder, ignore_errors=True)
    FOUND.update(record.write_down(folder))
    if os.environ.get("TRELLIS_WRITE_RECORD"):
        assert not record.CALLS.pattern, "a part of the calls is no record"
        record_files.write(FOUND)
    WRITTEN.update(record_files.read())


class Record(unittest.TestCase):
    def hold(self, section, exact=lambda call: True):
        """Fails with the calls, the keys, what is written down and what was found."""
        faults = []
        written = {call: entry for call, entry in WRITTEN.get(section, {}).items() if record.CALLS.search(call)}
        found = FOUND[section]
        for call in [*written, *(call for call in found if call not in written)]:
            if call not in found or call not in written:
                faults.append(f"trellis {call}\n    is {'no longer run' if call in written else 'not written down'}")
                continue
            lines = [
                f"    {' / '.join(keys)}: expected {record_files.json_line(expected)}, found {record_files.json_line(now)}"
                for keys, expected, now in record.differences(written[call], found[call], exact(call))
            ]
            if lines:
                faults.append("\n".join([f"trellis {call}", *lines]))
        if faults:
            self.fail(f"{len(faults)} of {len(written)} calls do not do what is written down:\n" + "\n".join(faults))

    def test_help_is_the_same(self):
        self.hold("help")

    def test_trained_models_are_the_same(self):
        for task in TASKS:
            with self.subTest(task=task):
                self.hold(task, record.to_the_bit)

    def test_what_works_works(self):
        for task in TASKS:
            for call, entry in FOUND[task].items():
                for part in (entry, *entry.values()):
                    self.assertFalse(isinstance(part, dict) and "failed" in part, f"trellis {call}: {part}")

    def test_refusals_are_the_same(self):
        for task in TASKS:
            with self.subTest(task=task):
                self.hold(f"{task} refuses")

    def test_what_is_refused_is_a_wrong_call(self):
        for task in TASKS:
            for call, entry in FOUND[f"{task} refuses"].items():
                self.assertEqual(entry["status"], "2", f"trellis {call}: {entry['says']}")


class OptionsPage(unittest.TestCase):
    def test_the_page_of_options_is_what_the_program_writes(self):
        page = Path(os.environ["TRELLIS_SOURCE_DIR"], "docs", "options.md")
        program = [os.environ["TRELLIS_PROGRAM"], "--options-page"]
        text = subprocess.run(program, capture_output=True, text=True, check=True).stdout
        if os.environ.get("TRELLIS_WRITE_RECORD"):
            page.write_text(text, encoding="utf-8")
        self.assertEqual(page.read_text(encoding="utf-8").splitlines(), text.splitlines())


class Comparison(unittest.TestCase):
    def faults(self, expected, found, exact):
        pair = map(record_files.parse, (expected, found))
        return [" ".join(map(str, (*keys, *values))) for keys, *values in record.differences(*pair, exact)]

    def test_differences_are_named_by_their_keys(self):
        self.assertEqual(self.faults('{"a": {"b": [1, 2.50]}}', '{"a": {"b": [1, 2.5]}}', True), ["a b 1 2.50 2.5"])
        self.assertEqual(self.faults('{"a": 1}', '{"b": 1}', False), ["a 1 (no such key)", "b (no such key) 1"])
        self.assertEqual(self.faults('{"a": null}', '{"a": "x"}', False), ["a None x"])

    def test_elsewhere_numbers_may_differ_a_little_and_checksums_at_all(self):
        written = '{"objective": 3, "gap": 1e-9, "epochs": 5, "model": "sha256:ab"}'
        near = '{"objective": 3.000001, "gap": 2e-9, "epochs": 5, "model": "sha256:cd"}'
        self.assertEqual(self.faults(written, near, False), [])
        self.assertEqual(len(self.faults(written, near, True)), 3)
        far = '{"objective": 3.00001, "gap": 1e-5, "epochs": 6, "model": "none"}'
        self.assertEqual(len(self.faults(written, far, False)), 4)

    def test_what_is_written_is_read_as_it_was_printed(self):
        text = '{"a": [1, 1.0, 1e-05, null, true], "b": {"c": "\u03bb", "d": {"e": -0.10}}, "f": "%s"}' % ("x" * 200)
        written = record_files.to_text(record_files.parse(text))
        self.assertEqual(record_files.json_line(record_files.parse(written)), record_files.json_line(record_files.parse(text)))
        self.assertIn("1.0, 1e-05", written)

    def test_texts_of_help_are_read_as_they_were_printed(self):
        texts = {"tag --help": ["Tags.", "", "  x "], "tag train --help": [""], "--version": ["trellis 1"], "hmm --help": []}
        files = record_files.contents({"help": texts})
        self.assertEqual(files["help/trellis.txt"], "$ trellis --version\ntrellis 1\n")
        self.assertEqual(files["help/tag.txt"], "$ trellis tag --help\nTags.\n\n  x \n\n$ trellis tag train --help\n\n")
        read = {call: lines for text in files.values() for call, lines in record_files.parse_help(text).items()}
        self.assertEqual(read, texts)

    def test_no_file_is_of_another_record(self):
        written = {str(path.relative_to(record_files.FOLDER)) for path in record_files.FOLDER.rglob("*") if path.is_file()}
        self.assertEqual(written, set(record_files.contents(WRITTEN)))
        self.assertEqual(set(WRITTEN), {"help", *TASKS, *(f"{task} refuses" for task in TASKS)})

    def test_bits_are_promised_of_all_that_no_stranger_solves(self):
        self.assertTrue(record.to_the_bit("segment train x --kernel rbf:1"))
        self.assertFalse(record.to_the_bit("tag train x --learner qp --c 1"))


if __name__ == "__main__":
    unittest.main()
