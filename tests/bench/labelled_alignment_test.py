"""The arithmetic of the measurements of aligners that learn from links: splits, statistics, checks, curves, certificates."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

os.environ.setdefault("TRELLIS_BUILD_DIR", "build/release")  # what the measurements find their program by; none is run here
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))

import aligner_learners  # noqa: E402
import aligner_scale  # noqa: E402
import paper_alignment  # noqa: E402
import peers  # noqa: E402
from alignment import labelled, splits, supervised, told, tradeoff  # noqa: E402
from alignment.session import Session  # noqa: E402
from peers import curves, links  # noqa: E402


class SplitsTest(unittest.TestCase):
    def test_the_first_split_is_that_of_the_thesis(self):
        train, test = splits.split(447, 100, 0)
        self.assertEqual(train, list(range(100)))
        self.assertEqual(test, list(range(100, 447)))

    def test_every_pair_trains_or_tests(self):
        for draw in range(6):
            for size in (100, 200):
                train, test = splits.split(447, size, draw)
                self.assertEqual(len(train), size)
                self.assertEqual(sorted(train + test), list(range(447)))

    def test_choices_differ_and_are_always_the_same(self):
        choices = [tuple(splits.split(447, 100, draw)[0]) for draw in range(6)]
        self.assertEqual(len(set(choices)), 6)
        self.assertEqual(choices[3], tuple(splits.split(447, 100, 3)[0]))

    def test_means_leave_the_first_split_by_itself(self):
        found = splits.summary({0: (90.0, 80.0, 9.0), 1: (92.0, 84.0, 6.0), 2: (94.0, 86.0, 8.0)})
        self.assertEqual((found["precision"], found["recall"], found["mean"], found["first_split"]), (93, 85, 7, 9))
        self.assertAlmostEqual(found["deviation"], 2**0.5)
        self.assertEqual(found["draws"], [6, 8])

    def test_the_first_split_stands_for_all_where_it_is_alone(self):
        found = splits.summary({0: (90.0, 80.0, 9.0)})
        self.assertEqual((found["mean"], found["deviation"], found["draws"]), (9, None, []))

    def test_shapes_are_options(self):
        self.assertEqual([splits.shape_options(shape, 3) for shape in splits.SHAPES],
                         [["--fertility", 1], ["--fertility", 3], ["--fertility", 1, "--quadratic"], ["--fertility", 3, "--quadratic"]])

    def test_what_is_published_has_the_aer_of_its_shape(self):
        for size in (100, 200):
            figures = [splits.PUBLISHED[shape, size, False][2] for shape in splits.SHAPES]
            self.assertEqual(figures, sorted(figures, reverse=True))


class JobsTest(unittest.TestCase):
    settings = {"most": 2}

    def test_whole_tables_come_first(self):
        jobs = supervised.all_jobs(["M", "M+F"], ["default"], ["none", "eflomal"], (100, 200), 1)
        self.assertEqual(len(jobs), len(set(jobs)))
        self.assertEqual([job.draw for job in jobs], [0] * 8 + [1] * 8)
        self.assertEqual(len({job.stem for job in jobs}), 16)

    def test_a_run_goes_on_where_it_was_broken_off(self):
        job = supervised.Job("M", "default", "none", 100, 0)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "rows.jsonl")
            supervised.Kept(path, self.settings, resume=False).write(job, {"aer": 5.0})
            self.assertEqual(supervised.Kept(path, self.settings, resume=True).rows[job]["aer"], 5)
            with self.assertRaises(SystemExit):
                supervised.Kept(path, {"most": 3}, resume=True)
            self.assertEqual(supervised.Kept(path, self.settings, resume=False).rows, {})

    def test_parts_are_named_alone_or_by_group(self):
        parser = paper_alignment.argparse.ArgumentParser()

        def parts(only, quick=False):
            return paper_alignment.parts_of(parser, paper_alignment.argparse.Namespace(only=only, quick=quick))

        self.assertEqual(parts("supervised,rows,curves"), ["labelled", "curves", "rows"])
        self.assertEqual(parts("generative"), ["rows", "size", "peers", "speed", "scale"])
        self.assertEqual(parts(None)[-1], "curves")
        self.assertNotIn("scale", parts(None, quick=True))


class LabelledTest(unittest.TestCase):
    def test_files_have_the_chosen_pairs_and_the_source_word_first(self):
        pairs = labelled.Labelled.__new__(labelled.Labelled)
        pairs.pairs = [("a b", "c"), ("d", "e f"), ("g", "h")]
        pairs.gold = [({(1, 0)}, {(1, 0)}), ({(0, 1)}, {(0, 1), (0, 0)}), (set(), set())]
        pairs.externals = {"other": [{(0, 0)}, {(0, 1), (0, 0)}, set()]}
        with tempfile.TemporaryDirectory() as folder:
            stem = pathlib.Path(folder, "some")
            files = pairs.files(stem, [1, 2], with_externals=True)
            self.assertEqual([pathlib.Path(file).read_text() for file in files.text], ["d\ng\n", "e f\nh\n"])
            self.assertEqual(files.gold.read_text(), "0-0-P 0-1\n\n")
            self.assertEqual(files.external, ["--external", f"other={stem}.other"])
            self.assertEqual(pathlib.Path(f"{stem}.other").read_text(), "0-0 0-1\n\n")
            self.assertEqual(pairs.files(stem, [0]).external, [])
        self.assertEqual(pairs.sums([{(0, 1)}, {(0, 0)}], [1, 2]), [2, 1, 1, 1])

    def test_what_was_made_is_made_once(self):
        session = Session.__new__(Session)
        session.judged, session.longest, session.resume, session.made = "test", 45, True, {}
        session.text = type("Text", (), {"pairs": [1, 2]})
        calls = []
        with tempfile.TemporaryDirectory() as folder:
            session.folder = pathlib.Path(folder)
            for _ in range(2):
                self.assertEqual(session.kept("one", [], lambda: calls.append(1) or {"cpu": 2}), {"cpu": 2})
            session.made = {}  # as another run has it
            self.assertEqual(session.kept("one", [], lambda: calls.append(1)), {"cpu": 2})
            self.assertEqual(len(calls), 1)
            session.made, session.longest = {}, None  # of other text
            session.kept("one", [], lambda: calls.append(1))
            session.made, session.resume = {}, False
            session.kept("one", [], lambda: calls.append(1))
            self.assertEqual(len(calls), 3)


class ChecksTest(unittest.TestCase):
    @staticmethod
    def row(name, draws, external="none", size=100, beneath="default"):
        return {"name": name, "trained_on": size, "beneath": beneath, "external": external, "draws": draws,
                "mean": sum(draws) / len(draws), "first_split": draws[0]}

    def held(self, rows):
        return {check.claim.split(" [")[0]: check.holds for check in told.checks(rows)}

    def test_what_the_thesis_has_holds(self):
        rows = [self.row(name, [figure, figure + 0.1]) for name, figure in zip(splits.SHAPES, (8.5, 8.1, 6.7, 5.2))]
        rows += [self.row("eflomal, forward, run 1", [7.0, 7.0], beneath="none"),
                 self.row("eflomal, intersection, run 2", [6.2, 6.2], beneath="none")]
        held = self.held(rows)
        self.assertEqual(len(held), 8)
        self.assertTrue(all(held.values()), held)
        self.assertIn("M+F+Q below eflomal's best (intersection, run 2)", held)

    def test_what_does_not_hold_is_said(self):
        rows = [self.row(name, [figure, figure]) for name, figure in zip(splits.SHAPES, (8.0, 8.1, 6.7, 6.5))]
        held = self.held(rows)
        self.assertFalse(held["M+F below M"])
        self.assertFalse(held["AER falls in the paper's order, M, M+F, M+Q, M+F+Q"])
        self.assertFalse(held["M+F+Q at least 25 % below M"])
        self.assertFalse(held["M+F+Q at 5.5 or below"])
        self.assertTrue(held["M+F+Q below M+Q"])

    def test_each_size_model_and_external_is_by_itself(self):
        rows = [self.row("M", [8.0, 8.0]), self.row("M+F", [7.0, 7.0], size=200), self.row("M+F", [7.0, 7.0], external="eflomal"),
                self.row("M+F", [7.0, 7.0], beneath="model2")]
        self.assertEqual(told.checks(rows), [])
        held = self.held([self.row("M+F+Q", [3.8, 3.8], external="eflomal")])
        self.assertEqual(held, {"M+F+Q at 3.8 or below": True})

    def test_differences_are_those_on_the_same_pairs(self):
        check = told.below("so", self.row("M+F", [5.0, 9.0]), self.row("M", [6.0, 10.0]))
        self.assertIn("-1.00 ± 0.00 on the same pairs, lower in 2 of 2", check.line())


class CurvesTest(unittest.TestCase):
    def test_points_lie_where_the_curve_moves(self):
        def figure(x):
            recall = min(max(x, 0.0), 1.0) * 100
            return 100 - recall / 2, recall, 0.0

        found = tradeoff.widest_first(figure, -16.0, 16.0, 25)
        self.assertEqual(len(found), 25)
        self.assertEqual(found, sorted(found))
        self.assertGreater(sum(50 < recall < 100 for _, _, recall, _ in found), 10)

    def test_a_jump_and_a_flat_curve_come_to_an_end(self):
        jump = tradeoff.widest_first(lambda x: (0.0, 0.0) if x < 0.3 else (90.0, 90.0), -16.0, 16.0, 1000)
        self.assertLess(len(jump), 20)
        self.assertEqual(len(tradeoff.widest_first(lambda x: (1.0, 80.0), 0.0, 1.0, 10)), 2)

    def test_a_threshold_keeps_the_likely_links(self):
        gold = [({(0, 0), (1, 1)}, {(0, 0), (1, 1), (1, 2)})]
        scored = [{(0, 0): 0.9, (1, 2): 0.5, (2, 2): 0.2}]
        self.assertEqual(list(links.scored_curve(scored, gold, (0.1, 0.5, 0.95))),
                         [(0.1, [3, 2, 1, 2]), (0.5, [2, 2, 1, 2]), (0.95, [0, 2, 0, 0])])

    def test_one_point_is_a_dot_and_both_axes_can_be_logarithmic(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "curve.svg")
            curves.draw(path, "t", "x", "y", {"a": [(1, 1), (10, 10), (100, 100)], "b": [(10, 10)]}, log_x=True, log_y=True)
            text = path.read_text()
        self.assertEqual(text.count("<circle"), 1)
        y = [float(point.split(",")[1]) for point in text.split('points="')[1].split('"')[0].split()]
        self.assertAlmostEqual(y[1] - y[0], y[2] - y[1], delta=0.11)


class LearnersTest(unittest.TestCase):
    @staticmethod
    def row(name, objective, bound, seconds=1.0):
        return {"name": name, "objective": objective, "bound": bound, "gap": (objective - bound) / objective, "seconds": seconds}

    def test_intervals_that_meet_have_one_optimum(self):
        found = aligner_learners.agreement([self.row("a", 1.001, 1.0005), self.row("b", 1.0009, 1.0001), self.row("c", 2.0, 1.0)], 1e-3)
        self.assertTrue(found["same"])
        self.assertEqual(found["learners"], ["a", "b"])
        self.assertEqual((found["low"], found["high"]), (1.0005, 1.0009))

    def test_intervals_that_do_not_meet_have_not(self):
        self.assertFalse(aligner_learners.agreement([self.row("a", 1.0, 0.9995), self.row("b", 1.01, 1.0099)], 1e-3)["same"])
        self.assertIsNone(aligner_learners.agreement([self.row("c", 2.0, 1.0)], 1e-3))

    def test_ratios_are_of_those_that_arrive(self):
        rows = aligner_learners.with_ratios([self.row("a", 1.0, 1.0, 4.0), self.row("b", 1.0, 1.0, 2.0), self.row("c", 2.0, 1.0)], 1e-3)
        self.assertEqual([row["ratio"] for row in rows], [2, 1, None])

    def test_a_learner_that_is_stopped_says_how_far_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            history, log = pathlib.Path(folder, "history"), pathlib.Path(folder, "log")
            history.write_text('{"epoch": 4, "objective": 3.0, "bound": 1.0, "gap": 0.5}\n{"epoch": 5, "obj')
            log.write_text("first\nthere is no such learner\n")
            stopped = aligner_learners.result_of({"status": -signal.SIGXCPU, "cpu": 5.0, "memory": 1.0}, log, history, 5)
            self.assertEqual((stopped["epochs"], stopped["gap"], stopped["end"]), (4, 0.5, "stopped at 5 s"))
            failed = aligner_learners.result_of({"status": 2, "cpu": 0.1, "memory": 1.0}, log, history, 5)
            self.assertEqual(failed["end"], "failed: there is no such learner")
            told_all = {"objective": 1.0, "bound": 0.9, "gap": 0.1, "epochs": 7, "seconds": 2.0, "termination": "converged"}
            done = aligner_learners.result_of({"status": 0, "cpu": 3.0, "memory": 1.0, "output": json.dumps(told_all)}, log, history, 5)
            self.assertEqual((done["epochs"], done["learning"], done["end"]), (7, 2, "converged"))
            self.assertIn("converged", aligner_learners.cells({"name": "a", **done, "ratio": 1.0}))
            self.assertEqual(aligner_learners.last_epoch(pathlib.Path(folder, "none")), {})


class ScaleTest(unittest.TestCase):
    @staticmethod
    def row(size, memory, stopped=None):
        return {"trained_on": size, "memory": memory, "stopped": stopped}

    def test_growth_is_of_the_runs_that_end(self):
        rows = [self.row(10, 100.0), self.row(20, 200.0), self.row(40, 400.0), self.row(80, 10.0, "stopped at 5 s")]
        self.assertAlmostEqual(aligner_scale.growth(rows, "memory"), 1)
        self.assertIsNone(aligner_scale.growth(rows[:1], "memory"))

    def test_a_program_is_held_to_its_time(self):
        done = peers.attempt(sys.executable, "-c", "while True: pass", preexec_fn=peers.within(1), stderr=subprocess.DEVNULL)
        self.assertTrue(peers.out_of_time(done))
        self.assertEqual(aligner_scale.result_of(done, None, 1, 0)["stopped"], "stopped at 1 s")

    def test_a_row_has_how_the_learner_ended_and_is_stopped_where_that_is_no_optimum(self):
        figures = {"seconds": 1, "objective": 2.5, "gap": 0.25}
        for end, stopped in (("converged", None), ("max_epochs", None), ("stalled", "ended as stalled"), ("limit", "ended as limit")):
            done = {"status": 0, "cpu": 1.0, "memory": 5.0, "output": json.dumps({**figures, "termination": end})}
            row = aligner_scale.result_of(done, None, 1, 0)
            self.assertEqual((row["end"], row["objective"], row["gap"], row["stopped"]), (end, 2.5, 0.25, stopped))

    def test_a_program_is_held_to_its_memory(self):
        done = peers.attempt(sys.executable, "-c", "b'x' * (400 << 20)", preexec_fn=peers.within(0, 300), stderr=subprocess.DEVNULL)
        self.assertNotEqual(done["status"], 0)
        self.assertFalse(peers.out_of_time(done))


if __name__ == "__main__":
    unittest.main()
