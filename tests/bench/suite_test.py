"""What is done with all measurements alike: how they are found, recorded, kept and told. All results here are made up."""

import argparse
import ast
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).parents[2]
os.environ.setdefault("TRELLIS_BUILD_DIR", "build/release")  # what the measurements find their program by; none is run here
sys.path.insert(0, str(ROOT / "bench"))

import peers  # noqa: E402
from suite import everything, machine, micro, page, record  # noqa: E402
from suite.catalogue import CHAPTERS, NEEDS, Bench, all_benches  # noqa: E402

RUN = {"date": "2026-01-02 03:04 UTC", "size": "default", "command": "./dev bench kites", "processor": "Abacus 7", "cores": 2,
       "commit": "abc1234", "source": "s1", "load_before": 0.05, "load_after": 1.02, "seconds": 61.0, "cpu": 60.0, "others": 0.01, "state": "done"}


def run(**more):
    return {**RUN, **more}


def kites(path=pathlib.Path("bench/kites.py"), **more):
    return Bench("kites", path, "Kites in the wind.\n\nEach flies alone.", "Kites", CHAPTERS[0],
                 {"height": ["They fly high.", "--only height"], "colour": ["They are red.", "--only colour"]}, [3, 90],
                 **{"default": "there is one kite", "needs": ["data"], **more})


def table(claim, *rows, notes=()):
    return {"claim": claim, "title": f"The {claim}", "columns": ["", "metres"], "rows": list(rows), "notes": list(notes)}


def group(claim, *rows, **more):
    return {"claim": claim, "run": run(**more), "tables": [table(claim, *rows)]}


class CatalogueTest(unittest.TestCase):
    def test_every_script_says_what_it_is_for(self):
        benches = all_benches()
        self.assertGreaterEqual(len(benches), 36)
        for bench in benches.values():
            with self.subTest(bench.name):
                self.assertIn(bench.chapter, CHAPTERS)
                self.assertLessEqual(set(bench.needs), set(NEEDS))
                self.assertTrue(bench.claims)
                for says, options in bench.claims.values():
                    self.assertTrue(says.endswith("."), says)
                    self.assertIsInstance(options, str)
                self.assertLessEqual(bench.minutes[0], 15)
                self.assertLessEqual(bench.minutes[0], bench.minutes[1])
                self.assertFalse(bench.default.endswith("."))

    def test_all_in_their_default_size_take_three_hours_at_most(self):
        self.assertLessEqual(sum(bench.minutes[0] for bench in all_benches().values()), 180)

    def test_no_script_is_forgotten(self):
        self.assertEqual({path.stem for path in (ROOT / "bench").glob("*.py")} - {b.stem for b in all_benches().values()}, {"scan_generator"})

    def test_tables_bear_out_claims_that_there_are(self):
        """A claim that is named in a call of `table` is one of the script's, or of the script whose folder it is in."""
        benches = all_benches()
        folders = {"alignment": "paper-alignment"}
        for path in [bench.path for bench in benches.values() if not bench.micro] + sorted((ROOT / "bench" / "alignment").glob("*.py")):
            bench = benches[folders.get(path.parent.name) or path.stem.replace("_", "-")]
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "table":
                    claims = [k.value.value for k in node.keywords if k.arg == "claim" and isinstance(k.value, ast.Constant)]
                    self.assertLessEqual(set(claims), set(bench.claims), path)
                    if len(bench.claims) > 1 and path == bench.path:
                        self.assertTrue([k for k in node.keywords if k.arg == "claim"], f"{path}: a table says not which claim it bears out")

    def test_every_script_has_two_sizes_or_says_that_it_has_one(self):
        for bench in all_benches().values():
            if not bench.micro:
                self.assertIn("sized(", bench.path.read_text(encoding="utf-8"), bench.name)

    def test_who_asks_pypi_says_so(self):
        for bench in all_benches().values():
            if not bench.micro and "peer_python(" in bench.path.read_text(encoding="utf-8"):
                self.assertIn("pypi", bench.needs, bench.name)

    def test_claims_are_told_with_options_that_the_script_has(self):
        for bench in all_benches().values():
            for _, options in bench.claims.values():
                for option in re.findall(r"--[a-z]+", options):
                    self.assertIn(option, (*record.PARTS, "--full"), bench.name)


class SizedTest(unittest.TestCase):
    def parsed(self, *words):
        parser = argparse.ArgumentParser()
        parser.add_argument("--folds", type=int, default=1)
        with mock.patch.object(sys, "argv", ["bench", *words]):
            return peers.sized(parser, folds=10)

    def test_full_changes_defaults_alone(self):
        self.assertEqual(self.parsed().folds, 1)
        self.assertEqual(self.parsed("--full").folds, 10)
        self.assertEqual(self.parsed("--full", "--folds", "3").folds, 3)

    def test_what_was_asked_for_is_a_size_or_something_else(self):
        def size(*arguments):
            return record.size_of(kites(groups={"looks": ["colour"]}), arguments)

        self.assertEqual(size(), "default")
        self.assertEqual(size("--only", "height", "colour"), "default")
        self.assertEqual(size("--only=looks,height", "--full"), "full")
        self.assertEqual(size("--full", "--continue", "--only", "height"), "full")
        self.assertEqual(size("--full", "--only", "height:red"), "other")
        self.assertEqual(size("--part", "height"), "other")
        self.assertEqual(size("--folds", "2"), "other")

    def test_a_part_of_what_bears_out_a_claim_is_not_all_of_it(self):
        benches = all_benches()
        for name, arguments, size in (("horses", ["--only", "bcfw"], "other"), ("horses", ["--only", "scans", "--full"], "full"),
                                      ("paper-connect4", ["--only", "online"], "other"), ("defaults", ["--full", "--only", "tag,rank"], "full"),
                                      ("paper-extragradient", ["--part", "house"], "default"), ("defaults", ["--only", "tag:conll2000"], "other"),
                                      ("paper-alignment", ["--only", "supervised", "--continue"], "default")):
            self.assertEqual(record.size_of(benches[name], arguments), size, (name, arguments))


class SavedTest(unittest.TestCase):
    def test_tables_are_saved_in_one_form_beside_the_figures(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, TRELLIS_BENCH_JSON=f"{folder}/r.json"), \
                mock.patch.object(peers, "TABLES", []), mock.patch("builtins.print"):
            peers.table("Heights", ["", "m"], (("red", x) for x in (1.23456, None)), claim="height")
            peers.note("all fly")
            peers.save({"rows": [1], "tables": "its own"})
            saved = json.loads(pathlib.Path(folder, "r.json").read_text(encoding="utf-8"))
            peers.save([1, 2])
            self.assertEqual(json.loads(pathlib.Path(folder, "r.json").read_text(encoding="utf-8"))["rows"], [1, 2])
        self.assertEqual(saved["rows"], [1])
        self.assertEqual(saved["tables"], "its own")
        self.assertEqual(saved["report"], [{"claim": "height", "title": "Heights", "columns": ["", "m"],
                                            "rows": [["red", 1.23456], ["red", None]], "notes": ["all fly"]}])

    def test_cells_show_few_digits(self):
        self.assertEqual([peers.cell(x) for x in (1.2345, 0.0, 0.00421, -0.05, 7, "x", None)], ["1.23", "0.00", "0.0042", "-0.05", "7", "x", ""])


SCRIPT = '''
import json, os, sys, time
if "--slow" in sys.argv: time.sleep(60)
if "--bad" in sys.argv: sys.exit("the string broke")
claims = ["height"] if "--only" in sys.argv else ["height", "colour"]
report = [{"claim": c, "title": c, "columns": ["", "m"], "rows": [["red", len(sys.argv)]], "notes": []} for c in claims]
open(os.environ["TRELLIS_BENCH_JSON"], "w").write(json.dumps({"ring_loss": 1.5, "report": report}))
'''


class SourceTest(unittest.TestCase):
    def test_what_a_script_says_of_itself_is_no_part_of_its_source(self):
        says = lambda title, groups, body: machine.deeds(f'"""{title}\n\nProse."""\n\nimport os\n\nREPORT = {{\n    "title": "{title}",\n'
                                                         f'    "groups": {groups},\n}}\n{body}\n')
        first = says("Kites", {"all": ["height"]}, "FOLDS = 2  # of ten")
        self.assertEqual(first, says("High kites", {"all": ["height"]}, "FOLDS = 2  # of ten"))
        self.assertNotEqual(first, says("Kites", {"all": ["colour"]}, "FOLDS = 2  # of ten"))
        self.assertNotEqual(first, says("Kites", {"all": ["height"]}, "FOLDS = 3  # of ten"))


class RecordTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        place = pathlib.Path(self.folder.name)
        (place / "kites.py").write_text(SCRIPT, encoding="utf-8")
        self.bench, self.results = kites(place / "kites.py"), place / "results"
        for patch in (mock.patch.object(record, "RESULTS", self.results), mock.patch.object(machine, "source", lambda bench: "s1"),
                      mock.patch.object(sys, "stderr")):
            patch.start()
            self.addCleanup(patch.stop)

    def measure(self, *arguments, limit=None):
        return record.measure(self.bench, list(arguments), limit)

    def result(self, ending="json"):
        return record.read(self.results / f"kites.{ending}")

    def test_a_result_says_how_it_was_made(self):
        self.measure("--full")
        saved = self.result()
        self.assertEqual(saved["ring_loss"], 1.5)  # figures stay where the bench has put them
        self.assertEqual(saved["run"]["command"], "./dev bench kites --full")
        self.assertEqual((saved["run"]["size"], saved["run"]["state"]), ("full", "done"))
        self.assertLessEqual({"date", "processor", "cores", "commit", "source", "seconds", "load_before", "load_after"}, set(saved["run"]))
        self.assertEqual([one["claim"] for one in saved["report"]], ["height", "colour"])

    def test_a_part_leaves_the_others(self):
        self.measure("--full")
        self.measure("--only", "height")
        self.assertEqual([(one["claim"], one["run"]["size"]) for one in self.result()["report"]], [("height", "default"), ("colour", "full")])

    def test_a_failure_is_told_and_leaves_what_there_is(self):
        self.measure()
        self.assertEqual(self.measure("--bad")["state"], "failed")
        self.assertEqual(self.result("failed.json")["run"]["said"], "the string broke")
        self.assertEqual(len(self.result()["report"]), 2)
        self.measure()
        self.assertEqual(self.result("failed.json"), {})

    def test_time_has_an_end(self):
        self.assertEqual(self.measure("--slow", limit=0.005)["state"], "out of time")

    def test_a_run_that_is_ended_takes_its_bench_with_it(self):
        told = pathlib.Path(self.folder.name, "pid")
        code = ("import sys; sys.path.insert(0, sys.argv[1]); from suite import record; record.stop_when_told();"
                " record.watched(['sh', '-c', 'echo $$ > ' + sys.argv[2] + '.new; mv ' + sys.argv[2] + '.new ' + sys.argv[2] + '; sleep 60'], None, None)")
        runner = subprocess.Popen([sys.executable, "-B", "-c", code, str(ROOT / "bench"), str(told)])
        while not told.exists():
            self.assertIsNone(runner.poll())
            time.sleep(0.01)
        runner.terminate()
        self.assertEqual(runner.wait(30), 128 + signal.SIGTERM)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(told.read_text()), 0)

    def test_what_is_whole_is_not_due(self):
        whole = lambda full, source="s1": record.whole(self.bench, self.result(), full, source)
        self.assertFalse(whole(False))
        self.measure("--only", "height")
        self.assertFalse(whole(False))
        self.measure()
        self.assertTrue(whole(False))
        self.assertFalse(whole(False, "s2"))
        self.assertFalse(whole(True))
        self.measure("--full")
        self.assertTrue(whole(True))
        self.assertTrue(whole(False))  # there is more than was asked for
        self.measure("--folds", "2")
        self.assertTrue(whole(True))
        self.assertEqual([one["claim"] for one in self.result()["tried"]], ["height", "colour"])

    def test_what_takes_full_runs_alone_is_not_asked_of_others(self):
        self.bench.claims["colour"] = ["They are red.", "--full --only colour"]
        self.measure("--only", "height")
        self.assertTrue(record.whole(self.bench, self.result(), False, "s1"))
        self.assertFalse(record.whole(self.bench, self.result(), True, "s1"))


class EverythingTest(unittest.TestCase):
    def all(self, load, runs, **call):
        """What was run, of two measurements, and what came of it."""
        done, said = [], []

        def one(bench, full, limit):
            done.append((bench.name, full, limit))
            return runs.get(bench.name, run())

        benches = {name: kites(default="") for name in ("kites", "boats")}
        for name, bench in benches.items():
            bench.name = name
        with mock.patch.object(everything, "all_benches", lambda: benches), mock.patch.object(machine, "load", lambda: load), \
                mock.patch.object(everything, "run_one", one), mock.patch.object(everything, "build"), \
                mock.patch.object(everything, "tell", said.append), mock.patch.object(machine, "source", lambda bench: "s1"), \
                tempfile.TemporaryDirectory() as folder, mock.patch.object(record, "RESULTS", pathlib.Path(folder)):
            there = call.pop("there", {})
            for name, result in there.items():
                record.write(pathlib.Path(folder, f"{name}.json"), result)
            return everything.measure_all(**call), done, said

    def test_one_that_fails_does_not_stop_the_others(self):
        failures, done, said = self.all(0.1, {"kites": run(state="failed", said="the string broke")})
        self.assertEqual(failures, 1)
        self.assertEqual([name for name, _, _ in done], ["kites", "boats"])
        self.assertTrue(any("the string broke" in line for line in said[-2:]))

    def test_a_busy_machine_is_refused(self):
        failures, done, said = self.all(3.0, {})
        self.assertIsNone(failures)
        self.assertEqual(done, [])
        self.assertIn("3.00", said[-1])

    def test_what_is_there_is_not_repeated(self):
        there = {"kites": {"report": [group("height"), group("colour")]}}
        self.assertEqual([name for name, _, _ in self.all(0.1, {}, there=there)[1]], ["boats"])
        self.assertEqual([name for name, _, _ in self.all(0.1, {}, there=there, anew=True)[1]], ["kites", "boats"])
        self.assertEqual(self.all(0.1, {}, names=["kites"], full=True, anew=True)[1], [("kites", True, 360)])

    def test_a_name_that_is_none_is_told(self):
        with self.assertRaises(SystemExit):
            self.all(0.1, {}, names=["trains"])


class PageTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.built, self.kept = (pathlib.Path(self.folder.name, name) for name in ("built", "kept"))
        self.built.mkdir()
        self.benches = {"kites": kites()}

    def write(self, *groups, **more):
        record.write(self.built / "kites.json", {"run": RUN, "ring_loss": 1.5, "report": list(groups), **more})

    def page(self, built=True):
        return "".join(page.pages(self.built if built else None, self.kept, self.benches).values())

    def test_what_is_missing_is_not_measured(self):
        text = self.page()
        self.assertIn("Not measured (`./dev bench kites --only height`): They fly high.\n", text)
        self.assertNotIn("**They fly high.**", text)
        self.assertIn("| 0 of 2 | not measured |", text)
        self.assertIn("Kites in the wind.\n\nEach flies alone.", text)
        self.assertIn("Without `--full` there is one kite.", text)

    def test_a_default_and_a_full_result(self):
        self.write(group("height", ["red", 12.3456], ["blue|green", 0.00421]), group("colour", ["red", 7], size="full", command="./dev bench kites --full"))
        text = self.page()
        self.assertIn("| red | 12.35 |\n| blue\\|green | 0.0042 |", text)
        self.assertIn("`./dev bench kites`, not in full: 2026-01-02 03:04 UTC, Abacus 7, 2 cores, load 0.05 before and 1.02 after, others 0.01; "
                      "61 s; commit abc1234.", " ".join(text.split()))
        self.assertIn("`./dev bench kites --full`, in full: ", text)
        self.assertNotIn("Not measured", text)
        self.assertIn("| 2 of 2 in part |", text)

    def test_a_busy_machine_is_told(self):
        self.write(group("height", ["red", 1], others=0.9))
        self.assertIn("**The machine was not idle.**", self.page())

    def test_a_failed_bench_says_so_and_keeps_what_it_had(self):
        self.write(group("height", ["red", 1]))
        record.write(self.built / "kites.failed.json", {"run": run(state="failed", said="the string broke", date="2026-02-01 00:00 UTC")})
        text = self.page()
        self.assertIn("failed**: the string broke", text)
        self.assertIn("| red | 1 |", text)
        self.assertIn("Not measured (`./dev bench kites --only colour`): They are red.", text)
        page.keep(built=self.built, kept=self.kept, benches=self.benches)
        self.assertEqual(self.page(built=False), text)
        self.write(group("height", ["red", 2], date="2026-03-01 00:00 UTC"))  # it has been mended since
        self.assertNotIn("the string broke", self.page())

    def test_what_is_kept_makes_the_same_page(self):
        self.write(group("height", ["red", 12.3456], ["—", None]))
        self.assertEqual(page.unkept(self.built, self.kept, self.benches), ["kites"])
        self.assertEqual(page.keep(built=self.built, kept=self.kept, benches=self.benches), ["kites"])
        self.assertEqual(page.keep(built=self.built, kept=self.kept, benches=self.benches), [])
        self.assertEqual(page.unkept(self.built, self.kept, self.benches), [])
        self.assertEqual(self.page(built=False), self.page())
        self.assertNotIn("ring_loss", (self.kept / "kites.json").read_text(encoding="utf-8"))

    def test_full_results_stay_where_smaller_ones_come_later(self):
        self.write(group("height", ["red", 1], size="full"))
        page.keep(built=self.built, kept=self.kept, benches=self.benches)
        self.write(group("height", ["red", 2], date="2027-01-01 00:00 UTC"))
        self.assertEqual(page.keep(built=self.built, kept=self.kept, benches=self.benches), [])
        self.assertIn("| red | 1 |", self.page())
        self.write(group("height", ["red", 3], size="full", date="2027-01-01 00:00 UTC"))
        self.assertEqual(page.keep(built=self.built, kept=self.kept, benches=self.benches), ["kites"])
        self.assertIn("| red | 3 |", self.page())

    def test_a_summary_leads_to_a_page_for_each_chapter(self):
        made = page.pages(None, self.kept, self.benches)
        self.assertEqual(list(made), ["performance.md", "performance/every-task.md"])
        self.assertIn("| [Every task](performance/every-task.md) | [Kites](performance/every-task.md#kites) | 0 of 2 |", made["performance.md"])
        self.assertIn('<a id="kites"></a>\n\n## Kites: `./dev bench kites`', made["performance/every-task.md"])

    def test_lines_of_text_are_not_wider_than_the_page(self):
        text = "* `a long --name`: " + "word " * 60 + "\n\n    " + "code " * 40 + "\nbehind it"
        lines = list(page.wrapped(text))
        self.assertEqual([line for line in lines if len(line) > page.WIDTH], ["    " + "code " * 40])
        self.assertTrue(lines[1].startswith("  word"))
        self.assertEqual(list(page.wrapped("one\ntwo\n\n    three\n\nfour")), ["one two", "", "    three", "", "four"])

    def test_the_pages_are_made_of_what_is_kept(self):
        made = page.pages()
        self.assertEqual({f"performance/{path.name}" for path in page.chapters_written()}, set(made) - {page.PAGE.name})
        for name, text in made.items():
            with self.subTest(name):
                self.assertEqual((page.PAGE.parent / name).read_text(encoding="utf-8"), text, f"docs/{name} is made by ./dev bench report")


class MicroTest(unittest.TestCase):
    def test_families_are_tables_with_ratios(self):
        def one(name, cpu, **more):
            return {"name": name, "run_type": "iteration", "real_time": 2 * cpu, "cpu_time": cpu, "time_unit": "us", "iterations": 9, **more}

        found = micro.tables("arborescence", {"benchmarks": [
            one("lu/10", 2.0), one("log_sum/any/10", 5.0), one("log_sum/one/10", 6.0), one("project/10/iterations:3/manual_time", 4.0, asked=7.0),
            {"name": "project/20", "run_type": "iteration", "error_occurred": True, "error_message": "another value", "time_unit": "us"}]})
        self.assertEqual([t["title"] for t in found], ["lu", "log_sum", "project"])
        self.assertEqual(found[1]["columns"], ["", "us", "× LU"])
        self.assertEqual(found[1]["rows"], [["log_sum/any/10", 5.0, 2.5], ["log_sum/one/10", 6.0, ""]])
        self.assertEqual(found[2]["rows"], [["project/10", 8.0, 7.0], ["project/20", "failed: another value", ""]])
        self.assertEqual({t["claim"] for t in found}, {"arborescence"})


if __name__ == "__main__":
    unittest.main()
