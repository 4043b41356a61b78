"""The pages of `trellis align`: one file each, and what is on them."""

import re

from align_test import HARBOUR, AlignTest

DEV = (HARBOUR / "dev.en", HARBOUR / "dev.fr")
GOLD = ("--gold", HARBOUR / "dev.links")
KNOWN = ("--dev", *DEV, "--dev-gold", HARBOUR / "dev.links")


class Reports(AlignTest):
    def grids(self, html):
        return html.count('role="img" aria-label="Links of')

    def test_training_shows_curves_the_lexicon_and_pairs(self):
        self.train(*KNOWN, "--report", self.path("t.html"))
        html = self.page("t.html")
        for heading in ("Training", "Sentence pairs", "Words with the most mistakes", "Strongest translations", "Jumps",
                        "Words aligned to nothing"):
            self.assertIn(f">{heading}</h2>", html)
        for part in ("model1", "hmm"):
            self.assertIn(f">{part}</text>", html)
        self.assertGreater(self.grids(html), 2)

    def test_training_without_dev_has_neither_scores_nor_pairs(self):
        self.train("--report", self.path("t.html"), "--aligner", "model1")
        html = self.page("t.html")
        self.assertIn(">Strongest translations</h2>", html)
        for absent in ("Sentence pairs", "Jumps", "AER on"):
            self.assertNotIn(absent, html)
        self.assertEqual(self.grids(html), 0)

    def test_evaluation_shows_the_figures_that_it_prints(self):
        self.train(*KNOWN)
        printed = self.align("evaluate", *DEV, *GOLD, "--model", self.path("m"), "--report", self.path("e.html")).out
        html = self.page("e.html")
        aer = float(re.search(r"AER ([0-9.]+)", printed).group(1))
        self.assertIn(f'>AER</dt><dd class="figure">{aer:.2f}<', html)
        self.assertEqual(self.grids(html), 16)
        errors = [float(found) for found in re.findall(r'aria-label="Links of line \d+: AER ([0-9.]+)', html)]
        self.assertEqual(errors, sorted(errors, reverse=True))

    def test_inspection_shows_what_was_learned(self):
        self.train()
        self.align("inspect", "--model", self.path("m"), "--report", self.path("i.html"), "--top", 7)
        self.assertIn(">Jumps</h2>", self.page("i.html"))
        self.align("inspect", "--model", self.path("m"), "--word", "harbour", "--report", self.path("w.html"))
        html = self.page("w.html")
        self.assertIn("<bdi>harbour</bdi>", html)
        self.assertNotIn(">Jumps</h2>", html)

    def test_new_pairs_are_drawn_as_they_are_read(self):
        self.train()
        text = "the <harbour>\tle <port>\n\t\nthe boat\tle bateau\n"
        plain = self.align("predict", "--model", self.path("m"), stdin=text).out
        shown = self.align("predict", "--model", self.path("m"), "--report", self.path("p.html"), stdin=text).out
        self.assertEqual(plain, shown)
        html = self.page("p.html")
        self.assertEqual(self.grids(html), 2)
        self.assertIn("empty sentence", html)
        self.assertIn("&lt;port&gt;", html)
        self.assertNotIn("sure, but missed", html)

    def test_a_page_that_cannot_be_written_is_refused_at_once(self):
        done = self.align("predict", "--model", self.path("none"), "--report", "/nonexistent/p.html", status=1)
        self.assertIn("/nonexistent/p.html", done.err)
        self.assertEqual(done.err.count("\n"), 1)
