"""The arithmetic of ./dev bench defaults: figures, the paired bootstrap, rows that are kept, and parts that must not meet."""

import json
import os
import pathlib
import random
import sys
import tempfile
import unittest

os.environ.setdefault("TRELLIS_BUILD_DIR", "build/release")  # what the measurements find their program by; none is run here
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))

from peers import mulan, tutorial_features  # noqa: E402
from peers.conlleval import span_counts, spans  # noqa: E402
from untuned import classifying, labelling, matching, noise, rows  # noqa: E402
from untuned.parts import agree, blocks, chosen, cut  # noqa: E402
from untuned.session import Failed, Run  # noqa: E402


def right_or_wrong(values):
    return noise.Counts.of_units((value, 1) for value in values)


class FiguresTest(unittest.TestCase):
    def test_a_ratio_is_in_percent(self):
        self.assertEqual(noise.ratio([3, 4]), 75)
        self.assertEqual(noise.ratio([0, 0]), 0)

    def test_f1_is_the_harmonic_mean_of_precision_and_recall(self):
        self.assertAlmostEqual(noise.f1([3, 4, 6]), 100 * 2 * (3 / 4) * (3 / 6) / (3 / 4 + 3 / 6))
        self.assertEqual(noise.f1([0, 0, 0]), 0)

    def test_macro_f1_is_over_the_labels_that_occur(self):
        counts = labelling.counts(truth=[{0}, {0, 1}], given=[{0, 1, 2}, {0}])
        self.assertAlmostEqual(noise.macro_f1(counts.sums([1, 1])), 100 * (1 + 0) / 2)

    def test_macro_f1_counts_nothing_against_nothing_as_right(self):
        counts = labelling.counts(truth=[{0}, {1}], given=[{1}, {1}])
        self.assertAlmostEqual(noise.macro_f1(counts.sums([0, 1])), 100)  # a draw that has the first label nowhere

    def test_a_backslash_of_a_name_without_quotes_is_a_character(self):
        self.assertEqual([mulan.unquoted(name) for name in (r"dise\~no", r"'dise\~no'", '"a b"')], [r"dise\~no", "dise~no", "a b"])

    def test_copies_of_a_unit_count_as_often_as_they_are(self):
        counts = noise.Counts.of_units([(1, 2, 0), (0, 3, 5), (7, 0, 1)])
        self.assertEqual(counts.sums([2, 0, 3]), [2 * 1 + 3 * 7, 2 * 2, 3 * 1])

    def test_what_was_settled_on_is_told_as_far_as_the_program_says_it(self):
        said = Run('{"dials": {"c": 10.0, "l1": null}, "learner": "lbfgs", "epochs": 7}', cpu=1, wall=1, memory=1)
        self.assertEqual(chosen(said), "learner lbfgs, c 10.0, epochs 7")
        self.assertEqual(chosen(Run("{}", 1, 1, 1)), "")

    def test_agreement_with_the_program_is_demanded(self):
        agree(noise.ratio, right_or_wrong([1, 0]), 50.0)
        with self.assertRaises(Failed):
            agree(noise.ratio, right_or_wrong([1, 0]), 50.1)


class BootstrapTest(unittest.TestCase):
    def test_equal_predictions_differ_by_nothing(self):
        side = right_or_wrong([1, 0, 1, 1])
        found = noise.compare(noise.ratio, side, side)
        self.assertEqual((found.value, found.low, found.high, found.noise, found.verdict), (0, 0, 0, 0, "level"))

    def test_what_is_right_wherever_the_other_is_wrong_is_better(self):
        found = noise.compare(noise.ratio, right_or_wrong([1] * 100), right_or_wrong([0] * 50 + [1] * 50))
        self.assertEqual(found.verdict, "better")
        self.assertEqual(found.value, 50)
        self.assertLess(found.low, 50)
        self.assertGreater(found.high, 50)

    def test_exchanging_the_sides_exchanges_the_verdict(self):
        rng = random.Random(3)
        ours, peer = ([rng.random() < p for _ in range(400)] for p in (0.6, 0.8))
        one = noise.compare(noise.ratio, right_or_wrong(ours), right_or_wrong(peer))
        other = noise.compare(noise.ratio, right_or_wrong(peer), right_or_wrong(ours))
        self.assertEqual((one.verdict, other.verdict), ("worse", "better"))
        self.assertAlmostEqual(one.low, -other.high)

    def test_the_interval_is_that_of_the_normal_law_for_means(self):
        rng = random.Random(4)
        n = 1000
        ours, peer = ([rng.random() for _ in range(n)] for _ in range(2))
        found = noise.compare(noise.ratio, right_or_wrong(ours), right_or_wrong(peer))
        differences = [100 * (a - b) for a, b in zip(ours, peer)]
        mean = sum(differences) / n
        deviation = (sum((d - mean) ** 2 for d in differences) / n) ** 0.5
        self.assertAlmostEqual(found.value, mean)
        self.assertAlmostEqual(found.noise / (1.96 * deviation / n**0.5), 1, delta=0.1)

    def test_pairing_takes_out_what_both_find_hard(self):
        rng = random.Random(5)
        easy = [rng.random() < 0.5 for _ in range(500)]
        ours = [e or rng.random() < 0.02 for e in easy]
        self.assertLess(noise.compare(noise.ratio, right_or_wrong(ours), right_or_wrong(easy)).noise, 1.5)

    def test_other_test_parts_are_refused(self):
        with self.assertRaises(ValueError):
            noise.compare(noise.ratio, right_or_wrong([1]), right_or_wrong([1, 1]))


class RowsTest(unittest.TestCase):
    def job(self, ours, **peers):
        return rows.Job("tag", "news", "accuracy", noise.ratio, ours, peers)

    @staticmethod
    def side(values, cpu):
        return lambda session: rows.Side(right_or_wrong(values), cpu)

    @staticmethod
    def failing(session):
        raise Failed("status 1")

    def test_a_row_has_both_figures_and_both_times(self):
        (row,) = self.job(self.side([1, 1], 3.0), other=self.side([1, 0], 2.0)).rows(None, ["other"])
        self.assertEqual((row["value"], row["peer"], row["difference"], row["ratio"]), (100, 50, 50, 1.5))
        self.assertIn("+50.00", rows.line(rows.cells(row)))

    def test_a_peer_that_fails_takes_no_other_with_it(self):
        job = self.job(self.side([1], 1.0), bad=self.failing, good=self.side([1], 1.0))
        found = list(job.rows(None, ["bad", "good"]))
        self.assertEqual(found[0]["failed"], "bad: status 1")
        self.assertEqual(found[1]["verdict"], "level")
        self.assertIn("status 1", rows.line(rows.cells(found[0])))

    def test_where_ours_fails_no_peer_is_run(self):
        found = list(self.job(self.failing, one=self.side([1], 1.0), two=self.side([1], 1.0)).rows(None, ["one", "two"]))
        self.assertEqual([row["failed"] for row in found], ["ours: status 1"])

    def test_parts_are_chosen_by_names_and_what_stands_before_a_colon(self):
        job = rows.Job("tag", "news:template", "f1", noise.f1, None, {})
        for only in ([], ["tag"], ["tag:news"], ["rank", "tag:news:template"]):
            self.assertTrue(job.wanted(only))
        for only in (["ta"], ["tag:new"], ["tag:news:items"]):
            self.assertFalse(job.wanted(only))

    def test_a_run_goes_on_where_it_was_broken_off(self):
        job = self.job(self.side([1], 1.0), bad=self.failing, good=self.side([1], 1.0), late=self.side([0], 1.0))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "rows.jsonl")
            kept = rows.Kept(path, quick=False, resume=False)
            for row in job.rows(None, ["bad", "good"]):
                kept.write(row)
            again = rows.Kept(path, quick=False, resume=True)
            self.assertEqual(again.missing(job), ["bad", "late"])
            for row in job.rows(None, again.missing(job)):
                again.write(row)
            self.assertEqual(rows.Kept(path, quick=False, resume=True).missing(job), ["bad"])
            self.assertEqual(len(again.of(job)), 3)
            self.assertEqual(json.loads(path.read_text().splitlines()[0])["quick"], False)
            with self.assertRaises(SystemExit):
                rows.Kept(path, quick=True, resume=True)


class DataTest(unittest.TestCase):
    def test_spans_of_both_schemes(self):
        self.assertEqual(spans(["I-A", "I-A", "B-A", "O", "I-B", "I-A"]), {(0, 2, "A"), (2, 3, "A"), (4, 5, "B"), (5, 6, "A")})
        self.assertEqual(span_counts(["B-A", "I-A", "O"], ["B-A", "O", "B-A"]), (0, 2, 1))

    def test_parts_are_disjoint_and_shrink_where_there_is_too_little(self):
        self.assertEqual(cut(range(10), (3, 2)), [[0, 1, 2], [3, 4]])
        small = cut(range(10), (100, 50, 50))
        self.assertEqual(small, [[0, 1, 2, 3, 4], [5, 6], [7, 8]])

    def test_blocks_end_at_empty_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "sentences.txt")
            path.write_text("a\nb\n\nc\n")
            self.assertEqual(list(blocks(path)), ["a\nb\n\n", "c\n\n"])

    def test_items_are_escaped(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "items")
            tutorial_features.write_items(path, [([["w=a:b\\c", "x"]], ["O"])])
            self.assertEqual(path.read_text(), "O\tw=a\\:b\\\\c\tx\n\n")

    def test_columns_are_scaled_by_the_training_part(self):
        train = [(1, {1: -2.0, 2: 4.0}, 0), (2, {1: 2.0}, 1)]
        test = [(1, {1: 4.0, 2: 2.0}, 0), (1, {}, 1)]
        found = classifying.scaled(train, test)
        self.assertEqual([row for _, row, _ in found[0]], [{1: 0.0, 2: 1.0}, {1: 1.0}])
        self.assertEqual([row for _, row, _ in found[1]], [{1: 1.5, 2: 0.5}, {1: 0.5}])
        small = [(1, {3: 0.5}, 0)]
        self.assertIs(classifying.scaled(small, test)[0], small)

    def test_frames_that_train_do_not_test(self):
        for in_blocks in (False, True):
            for distance in (30, 50):
                train, dev, test = matching.starts(in_blocks, distance, quick=False)
                self.assertFalse(set(train) & set(test) or set(dev) & set(test) or set(train) & set(dev))
                quick = matching.starts(in_blocks, distance, quick=True)
                self.assertFalse(set(sum(quick, [])) & set(test), "a quick run must not look at test pairs")
                self.assertTrue(all(quick[k] for k in ((0, 2) if in_blocks else (0, 1, 2))))

    def test_blocks_have_no_frame_in_common(self):
        train, _, test = matching.starts(True, 30, quick=False)
        frames = [{t for start in part for t in (start, start + 30)} for part in (train, test)]
        self.assertFalse(frames[0] & frames[1])


if __name__ == "__main__":
    unittest.main()
