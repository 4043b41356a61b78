"""The text and the arithmetic of ./dev bench paper-alignment. All sentences are invented."""

import gzip
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

os.environ.setdefault("TRELLIS_BUILD_DIR", "build/release")  # what the measurements find their program by; none is run here
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))

import peers  # noqa: E402
from peers import curves, links, parallel_text  # noqa: E402


def french(sentence):
    return " ".join(parallel_text.french(sentence))


def english(sentence):
    return " ".join(parallel_text.english(sentence))


class FrenchTest(unittest.TestCase):
    def test_elisions_are_written_in_full(self):
        self.assertEqual(french("Qu'il n'ait d'ami que l'eau, j'en doute."), "que il ne ait de ami que le eau , je en doute .")
        self.assertEqual(french("C'est s'il m'aime et t'attend"), "ce est se il me aime et te attend")
        self.assertEqual(french("Jusqu'à lorsqu'elle, puisqu'on, quoiqu'un, quelqu'un"),
                         "jusque à lorsque elle , puisque on , quoique un , quelque un")

    def test_an_apostrophe_has_many_shapes(self):
        for mark in "'’‘\"":
            self.assertEqual(french(f"L{mark}arbre d{mark}or"), "le arbre de or")
        self.assertEqual(french("l’ arbre"), "le arbre")

    def test_a_quotation_mark_is_an_apostrophe_behind_an_elision_alone(self):
        self.assertEqual(french('Il dit "non" et part.'), "il dit « non » et part .")
        self.assertEqual(french('la lettre "d" est'), "la lettre « d » est")
        self.assertEqual(french("il dit “non”"), "il dit « non »")

    def test_contractions_are_written_in_full(self):
        self.assertEqual(french("Le chat du voisin va au marché des fleurs aux tulipes"),
                         "le chat de le voisin va à le marché de les fleurs à les tulipes")
        self.assertEqual(french("DU pain"), "de le pain")
        self.assertEqual(french("Duquel auquel dune"), "duquel auquel dune")

    def test_today_is_two_words(self):
        for today in ("Aujourd'hui", "aujourd’hui", 'aujourd"hui', "aujourd' hui"):
            self.assertEqual(french(f"{today}, il neige"), "aujourd' hui , il neige")
        self.assertEqual(french("d'aujourd'hui"), "de aujourd' hui")

    def test_hyphens_and_punctuation_are_words(self):
        self.assertEqual(french("Peut-être (ou pas) : donnez-moi-la !"), "peut - être ( ou pas ) : donnez - moi - la !")
        self.assertEqual(french("Un loup – gris…"), "un loup - gris ...")

    def test_numbers_stay_whole_and_are_written_as_in_english(self):
        self.assertEqual(french("3,5 % de 250 000 euros, 12.30 en 1999 500 fois"), "3.5 % de 250,000 euros , 12.30 en 1999 500 fois")
        self.assertEqual(french("98,355 et 1 250 300 au 36e G7"), "98,355 et 1,250,300 à le 36e g7")
        self.assertEqual(french("en 1999, 2000, et 4."), "en 1999 , 2000 , et 4 .")

    def test_titles_keep_their_point(self):
        self.assertEqual(french("(M. Martin et MM. Roux)"), "( m. martin et mm. roux )")

    def test_what_is_written_so_stays_so(self):
        for sentence in ("je ne ai que aujourd' hui , à le bout de les rues , 250,000 voix « pour » .", "se il y a 6.42 $ ( m. roux ) ..."):
            self.assertEqual(french(sentence), sentence)


class EnglishTest(unittest.TestCase):
    def test_possessives_are_words(self):
        for mark in "'’\"":
            self.assertEqual(english(f"The cat{mark}s milk"), "the cat 's milk")
        self.assertEqual(english("the cat ' s milk, the cats' milk"), "the cat 's milk , the cats ' milk")

    def test_negations_are_written_in_full(self):
        self.assertEqual(english("I don't, can't and won't; it isn’t"), "i do not , cannot and will not ; it is not")

    def test_brackets_and_quotes_are_those_of_the_treebank(self):
        self.assertEqual(english('He (or she) said "no" and “yes”.'), "he -lrb- or she -rrb- said '' no '' and '' yes '' .")
        self.assertEqual(english("a bridge – long — fell…"), "a bridge -- long -- fell ...")

    def test_titles_and_short_forms_keep_their_points(self):
        self.assertEqual(english("Mr Brown and Mrs. Grey met Dr. White at 5 p.m. in the U.S. plan b."),
                         "mr. brown and mrs. grey met dr. white at 5 p.m. in the u.s. plan b .")
        self.assertEqual(english("Bill No. 7? No."), "bill no. 7 ? no .")
        self.assertEqual(english('At ten o"clock'), "at ten o'clock")

    def test_numbers_stay_whole(self):
        self.assertEqual(english("$250,000 or 10 000, 3.5% well-known"), "$ 250,000 or 10,000 , 3.5 % well - known")

    def test_the_language_of_a_speech_is_left_out(self):
        self.assertEqual(english("(FR) Thank you."), "thank you .")

    def test_what_is_written_so_stays_so(self):
        for sentence in ("mr. grey -lrb- a cat 's friend -rrb- said '' no '' -- at 2.30 p.m. .", "the hon. member has 1,200 cats ..."):
            self.assertEqual(english(sentence), sentence)


class PairsTest(unittest.TestCase):
    def test_pairs_of_strange_lengths_are_left_out(self):
        self.assertTrue(parallel_text.fits(["a"], ["b"] * 6, 40))
        self.assertFalse(parallel_text.fits(["a"], ["b"] * 7, 40))
        self.assertFalse(parallel_text.fits([], ["b"], 40))
        self.assertFalse(parallel_text.fits(["a"] * 41, ["b"] * 40, 40))
        self.assertTrue(parallel_text.fits(["a"] * 41, ["b"] * 40, None))

    def test_the_text_of_every_size_has_the_known_pairs(self):
        with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as work:
            def put(path, lines):
                file = pathlib.Path(root, path)
                file.parent.mkdir(exist_ok=True)
                with gzip.open(file, "wt", encoding="utf-8") as out:
                    out.write("".join(line + "\n" for line in lines))

            put("hansards/trial.e.gz", ["A cat .", "It 's"])
            put("hansards/trial.f.gz", ["Un chat .", "Ce est"])
            put("hansards/unlabelled.e.gz", ["One day ' s work", ""])
            put("hansards/unlabelled.f.gz", ["un jour (M. Roux )", "rien"])
            put("europarl/en-fr.en.gz", [f"Dog {k}." for k in range(9)])
            put("europarl/en-fr.fr.gz", [f"L'ours {k}." for k in range(9)])
            kept, os.environ["TRELLIS_DATA"] = os.environ.get("TRELLIS_DATA"), root
            try:
                text = parallel_text.prepare(pathlib.Path(work), ("trial",))
                self.assertEqual(len(text.pairs), 2 + 1 + 9)
                self.assertEqual(text.parts, {"trial": (0, 2)})
                self.assertEqual(text.pairs[2], ("one day 's work", "un jour ( m. roux )"))
                self.assertEqual(parallel_text.prepare(pathlib.Path(work), ("trial",), 5).pairs, text.pairs[:5])
                source, target = text.files(3)
                self.assertEqual(pathlib.Path(source).read_text(), "a cat .\nit 's\none day 's work\n")
                self.assertEqual(pathlib.Path(target).read_text(), "un chat .\nce est\nun jour ( m. roux )\n")
                self.assertEqual(pathlib.Path(text.part_files("trial")[1]).read_text(), "un chat .\nce est\n")
            finally:
                del os.environ["TRELLIS_DATA"]
                if kept is not None:
                    os.environ["TRELLIS_DATA"] = kept

    def test_generated_text_is_always_the_same_and_has_few_words_often(self):
        pairs = list(parallel_text.generated(200))
        self.assertEqual(pairs[:50], list(parallel_text.generated(50)))
        words = [word for source, _ in pairs for word in source]
        self.assertGreater(words.count("e0"), len(words) / 100)
        self.assertTrue(all(4 <= len(source) <= 36 and target for source, target in pairs))

    def test_a_test_part_stays_closed(self):
        kept, os.environ["TRELLIS_DATA"] = os.environ.get("TRELLIS_DATA"), "/somewhere"
        try:
            peers.closed("open", ("/somewhere/hansards/trial.align.gz", "r", 0))
            peers.closed("open", ("/elsewhere/test.align.gz", "r", 0))
            with self.assertRaises(PermissionError):
                peers.closed("open", ("/somewhere/hansards/test.align.gz", "r", 0))
        finally:
            del os.environ["TRELLIS_DATA"]
            if kept is not None:
                os.environ["TRELLIS_DATA"] = kept


class LinksTest(unittest.TestCase):
    gold = [({(0, 0), (1, 1)}, {(0, 0), (1, 1), (1, 2)})]

    def test_lines_are_links(self):
        self.assertEqual(links.parse("0-0 12-3\n"), {(0, 0), (12, 3)})
        self.assertEqual(links.parse("\n"), set())
        self.assertEqual(links.parse_scored("0-0:0.5 1-2:1e-3"), {(0, 0): 0.5, (1, 2): 0.001})

    def test_gold_has_the_target_word_first(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "gold.gz")
            with gzip.open(path, "wt") as file:
                file.write("2-0 1-3-P\n\n")
            self.assertEqual(links.read_gold(path), [({(0, 2)}, {(0, 2), (3, 1)}), (set(), set())])

    def test_aer_is_that_of_och_and_ney(self):
        sums = links.counts({(0, 0), (1, 2), (5, 5)}, self.gold[0])
        self.assertEqual(sums, (3, 2, 1, 2))
        self.assertAlmostEqual(links.aer(sums), 100 * (1 - (1 + 2) / (3 + 2)))
        self.assertAlmostEqual(links.precision(sums), 100 * 2 / 3)
        self.assertAlmostEqual(links.recall(sums), 50)
        self.assertEqual(links.total([(1, 2, 0, 1), (3, 0, 0, 2)]), [4, 2, 0, 3])

    def test_nothing_found_has_the_worst_aer(self):
        self.assertEqual(links.aer((0, 4, 0, 0)), 100)
        self.assertEqual(links.aer((0, 0, 0, 0)), 0)

    def test_the_threshold_is_the_best_of_all(self):
        scored = [{(0, 0): 0.9, (1, 1): 0.4, (2, 2): 0.2, (1, 2): 0.4}]
        threshold, figure = links.best_threshold(scored, self.gold)
        self.assertAlmostEqual(threshold, 0.3)
        self.assertEqual(figure, 0)
        for cut in (0.1, 0.3, 0.5, 0.95):
            kept = {link for link, p in scored[0].items() if p >= cut}
            self.assertGreaterEqual(links.aer(links.counts(kept, self.gold[0])), figure)

    def test_grow_diag_final_and_of_a_pair_worked_by_hand(self):
        forward = {(0, 0), (1, 1), (1, 2), (4, 4)}
        reverse = {(0, 0), (1, 1), (3, 3), (4, 3)}
        # (1, 2) lies beside (1, 1), and target word 2 has no link; (4, 4) and then (3, 3) are two words without links far from any.
        self.assertEqual(links.grow_diag_final_and(forward, reverse), {(0, 0), (1, 1), (1, 2), (4, 4), (3, 3)})
        self.assertEqual(links.intersection(forward, reverse), {(0, 0), (1, 1)})

    def test_grown_links_lie_between_intersection_and_union(self):
        cells = list(itertools.product(range(3), range(3)))
        for k in range(0, 1 << 9, 7):
            forward = {cell for n, cell in enumerate(cells) if k >> n & 1}
            reverse = {cell for n, cell in enumerate(cells) if k * 37 >> n & 1}
            grown = links.grow_diag_final_and(forward, reverse)
            self.assertTrue(forward & reverse <= grown <= forward | reverse)


class RunTest(unittest.TestCase):
    def test_a_program_has_its_own_memory_alone(self):
        held = bytearray(300 << 20)
        done = peers.run(sys.executable, "-c", "print(sum(range(10**6)))")
        self.assertEqual(done["output"], f"{sum(range(10**6))}\n")
        self.assertLess(done["memory"], len(held) / (1 << 20) / 2)
        self.assertGreater(done["memory"], 1)
        self.assertGreater(done["cpu"], 0)

    def test_children_count(self):
        touched = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'b = b\"x\" * (200 << 20)'])"  # zeros would take no memory
        done = peers.run(sys.executable, "-c", touched)
        self.assertGreater(done["memory"], 200)

    def test_a_program_that_fails_ends_the_measurement(self):
        for command in ((sys.executable, "-c", "raise SystemExit(3)"), ("/no/such/program",)):
            with self.assertRaises(SystemExit):
                peers.run(*command, stderr=subprocess.DEVNULL)

    def test_the_environment_is_handed_on(self):
        done = peers.run(sys.executable, "-c", "import os; print(os.environ['SAID'])", env={**os.environ, "SAID": "so"})
        self.assertEqual(done["output"], "so\n")


class CurvesTest(unittest.TestCase):
    def test_a_power_law_has_its_exponent(self):
        self.assertAlmostEqual(peers.exponent([1, 2, 4, 8], [3, 6 * 2**0.5, 12 * 2, 24 * 8**0.5]), 1.5)

    def test_equal_ratios_are_equally_far_apart_on_a_logarithmic_axis(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "curve.svg")
            curves.draw(path, "t", "x", "y", {"a": [(1, 0), (10, 1), (100, 2)]}, log_x=True)
            points = path.read_text().split('points="')[1].split('"')[0].split()
        x = [float(point.split(",")[0]) for point in points]
        self.assertAlmostEqual(x[1] - x[0], x[2] - x[1], delta=0.11)


if __name__ == "__main__":
    unittest.main()
