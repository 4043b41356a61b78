"""`trellis align` as its users meet it: training without links, links in every format, and what it says when something is wrong."""

import gzip
import json
import pathlib
import subprocess
import unittest

from program import PROGRAM, SOURCE, ProgramTest

HARBOUR = SOURCE / "data" / "harbour"


class AlignTest(ProgramTest):
    TASK = "align"
    align = ProgramTest.run_program

    def harbour(self, part):
        return [str(HARBOUR / f"{part}.en"), str(HARBOUR / f"{part}.fr")]

    def train(self, *options):
        return self.align("train", *self.harbour("train"), "--unsupervised", "--model", self.path("m"), *options)

    def evaluate(self, *options):
        call = ("evaluate", *self.harbour("test"), "--gold", HARBOUR / "test.links", "--model", self.path("m"), "--json", *options)
        return json.loads(self.align(*call).out)


class Learning(AlignTest):
    def test_the_harbour_is_aligned_without_a_link(self):
        result = json.loads(self.train("--json").out)
        for key in ("objective", "bound", "gap", "epochs", "seconds", "pairs", "iterations"):
            self.assertIn(key, result)
        scores = self.evaluate()
        self.assertLess(scores["aer"], 0.15)
        for key in ("precision", "recall", "f1"):
            self.assertGreater(scores[key], 0.8)

    def test_dev_chooses_the_threshold_for_what_is_asked(self):
        dev = ("--dev", *self.harbour("dev"), "--dev-gold", HARBOUR / "dev.links", "--json")
        by_aer = json.loads(self.train(*dev).out)
        followed = [one["aer"] for one in by_aer["iterations"] if one["stage"] == "hmm"]  # Model 1 has no lexicon to look into
        self.assertTrue(followed and all(aer is not None for aer in followed))
        by_recall = json.loads(self.train(*dev, "--aim", "recall:0.9").out)
        self.assertGreaterEqual(by_recall["dev"]["recall"], 0.9)
        of_less = json.loads(self.train(*dev, "--aim", "recall:0.5").out)
        self.assertLess(by_recall["threshold"], of_less["threshold"])

    def test_what_a_model_gives_is_what_it_gave_in_training(self):
        self.train()
        text = self.align("predict", *self.harbour("train"), "--model", self.path("m")).out
        self.assertEqual(len(text.splitlines()), 612)
        again = self.align("predict", *self.harbour("train"), "--model", self.path("m"), "--threads", "1").out
        self.assertEqual(text, again)

    def test_every_way_to_combine_and_to_decode(self):
        self.train()
        found = {way: self.evaluate("--symmetrise", way)["found"] for way in ("intersection", "forward", "reverse", "union", "grow-diag",
                                                                             "grow-diag-final", "grow-diag-final-and")}
        self.assertLessEqual(found["intersection"], min(found.values()))
        self.assertGreaterEqual(found["union"], max(found.values()))
        few = self.evaluate("--symmetrise", "forward", "--decode", "posterior", "--threshold", "0.9")
        many = self.evaluate("--symmetrise", "forward", "--decode", "posterior", "--threshold", "0.1")
        self.assertLess(few["found"], many["found"])

    def test_inspect_shows_the_lexicon_and_the_jumps(self):
        self.train()
        text = self.align("inspect", "--model", self.path("m")).out
        self.assertIn("jumps", text)
        one = json.loads(self.align("inspect", "--model", self.path("m"), "--word", "boat", "--json").out)
        self.assertEqual(one["lexicon"][0]["target"], "bateau")


class Formats(AlignTest):
    def test_bitext_with_tabs_or_bars_or_compressed_is_the_same_text(self):
        sides = [pathlib.Path(f).read_text().splitlines() for f in self.harbour("train")]
        self.train()
        expected = pathlib.Path(self.path("m")).read_bytes()
        self.write("tabs", "".join(f"{e}\t{f}\n" for e, f in zip(*sides)))
        self.write("bars", "".join(f"{e} ||| {f}\n" for e, f in zip(*sides)))
        with gzip.open(self.path("tabs.gz"), "wt") as file:
            file.write(pathlib.Path(self.path("tabs")).read_text())
        for name in ("tabs", "bars", "tabs.gz"):
            self.align("train", self.path(name), "--unsupervised", "--model", self.path("other"))
            self.assertEqual(pathlib.Path(self.path("other")).read_bytes(), expected, name)

    def test_links_are_written_in_three_formats_and_scored_alike(self):
        self.train()
        figures = []
        for form in ("pharaoh", "naacl", "giza"):
            text = self.align("predict", *self.harbour("test"), "--model", self.path("m"), "--format", form).out
            self.write(form, text)
            gold = HARBOUR / "test.links"
            if form == "naacl":
                continue  # a pair without a link would not be told
            figures.append(json.loads(self.align("score", self.path(form), "--gold", gold, "--json").out))
        self.assertEqual(figures[0], figures[1])
        self.assertEqual(figures[0]["aer"], self.evaluate()["aer"])

    def test_probabilities_and_scores_are_printed_on_request(self):
        self.train()
        line = self.align("predict", *self.harbour("test"), "--model", self.path("m"), "--probabilities", "--scores").out.splitlines()[0]
        links, forward, reverse = line.split("\t")
        self.assertRegex(links.split()[0], r"^\d+-\d+:[01]\.\d{4}$")
        self.assertLess(float(forward), 0)
        self.assertLess(float(reverse), 0)


class Mistakes(AlignTest):
    def test_one_clear_line_each(self):
        self.write("a.en", "one two\nthree\n")
        self.write("a.fr", "un deux\n")
        self.write("b.fr", "un deux\ntrois\n")
        self.write("bad.fr", b"un deux\n\xff\xfe\n")
        self.write("tabs.txt", "one\tun\ntwo\tdeux\ttrois\n")
        self.write("bars.txt", "one ||| un\ntwo ||| deux ||| trois\n")
        self.write("both.txt", "one\teins ||| un\n")
        self.write("none.txt", "one ||| un\ntwo\tdeux\n")
        self.write("empty.txt", "")
        self.write("blank.txt", "\n\n")
        packed = gzip.compress("".join(f"w{k} x{k * k}\ty{k} z\n" for k in range(3000)).encode())
        self.write("cut.gz", packed[: len(packed) // 2])
        (self.folder / "folder").mkdir()
        self.write("long.txt", "one\tun\n" + "one " * 20000 + "\t" + "un " * 20000 + "\n")
        self.write("wide.txt", "one\tun\n" + "one " * 4000 + "\t" + "un " * 4000 + "\n")
        self.write("range.links", "0-0 1-7\n0-0\n")
        self.write("few.links", "0-0\n")
        self.write("many.links", "0-0\n0-0\n\n")
        self.write("words.links", "0-0\n0-one\n")
        self.write("bytes.links", b"0-0\n\xff\n")
        self.write("naacl.links", "0001 1 1 S\n0009 1 1 S\n")
        self.write("naacl-range.links", "0001 1 1 S\n0002 1 2 S\n")
        self.write("giza.links", "# Sentence pair (1) source length 2 target length 2 alignment score : 1\nun deux\n")
        model = self.path("m")
        paths = lambda files: map(self.path, files)
        self.align("train", *paths(("a.en", "b.fr")), "--unsupervised", "--quiet", "--model", model)
        self.write("half", self.read("m")[:300])
        train = lambda *files: ("train", *paths(files), "--unsupervised", "--quiet", "--model", self.path("new"))
        predict = lambda *files, using="m": ("predict", *paths(files), "--model", self.path(using), "--output", self.path("new.links"))
        evaluate = lambda gold: ("evaluate", self.path("a.en"), self.path("b.fr"), "--gold", self.path(gold), "--model", model)
        other = self.path("other")
        self.write("labelled.txt", "word X\nother Y\n\n")
        subprocess.run([PROGRAM, "tag", "train", self.path("labelled.txt"), "--c", "1", "--quiet", "--model", other], check=True)
        before = self.files()
        for call, said in (
            (train("a.en", "a.fr"), "a.fr:2: expected as many lines as"),
            (train("a.fr", "a.en"), "a.fr:2: expected as many lines as"),
            (train("a.en", "bad.fr"), "bad.fr:2: expected UTF-8"),
            (train("tabs.txt"), "tabs.txt:2: expected one tab"),
            (train("bars.txt"), "bars.txt:2: expected one ' ||| '"),
            (train("both.txt"), "both.txt:1: expected a tab or ' ||| ' between the two sides, found both"),
            (train("none.txt"), "none.txt:2: expected ' ||| ' between the two sides"),
            (train("long.txt"), "long.txt:2: expected a sentence of at most 4096 words"),
            (train("wide.txt"), "wide.txt:2: expected a pair of at most 4194304 cells"),
            (train("empty.txt"), "empty.txt: expected sentences, found an empty file"),
            (train("empty.txt", "a.en"), "empty.txt:1: expected as many lines as"),
            (train("blank.txt"), "blank.txt: expected words to align, found none in the source"),
            (train("a.en", "blank.txt"), "blank.txt: expected words to align, found none in the target"),
            (train("folder"), "folder: cannot read"),
            (train("a.en", "folder"), "folder: cannot read"),
            (train("cut.gz"), "cut.gz: the gzip data are truncated"),
            (train("a.en", "a.en"), "a.en: expected a source file and a target file, found the same file twice"),
            (train("missing.en", "b.fr"), "missing.en: cannot open"),
            (predict("a.en", "a.fr"), "a.fr:2: expected as many lines as"),
            (predict("a.en", "bad.fr"), "bad.fr:2: expected UTF-8"),
            (predict("tabs.txt"), "tabs.txt:2: expected one tab"),
            (predict("long.txt"), "long.txt:2: expected a sentence of at most 4096 words"),
            (predict("cut.gz"), "cut.gz: the gzip data are truncated"),
            (predict("empty.txt"), "empty.txt: expected sentences, found an empty file"),
            (predict("a.en", "b.fr", using="other"), 'other: expected a model of kind "align", found "tag"'),
            (predict("a.en", "b.fr", using="a.en"), "a.en: expected a Trellis model"),
            (predict("a.en", "b.fr", using="half"), "half: the model should have"),
            ((*train("a.en", "b.fr"), "--start", other), 'other: expected a model of kind "align", found "tag"'),
            (evaluate("range.links"), "range.links:1: expected a target word from 0 to 1"),
            (evaluate("few.links"), "few.links:1: expected links of 2 sentence pairs, found only 1"),
            (evaluate("many.links"), "many.links:3: expected links of 2 sentence pairs, found more"),
            (evaluate("words.links"), "words.links:2: expected links as"),
            (evaluate("bytes.links"), "bytes.links:2: expected links as"),
            (evaluate("naacl.links"), "naacl.links:2: expected a sentence from 1 to 2"),
            (evaluate("naacl-range.links"), "naacl-range.links:2: expected a target word from 1 to 1"),
            (evaluate("giza.links"), "giza.links:2: expected three lines for each sentence pair"),
            (evaluate("empty.txt"), "empty.txt: expected links, found an empty file"),
            (evaluate("folder"), "folder: cannot read"),
            ((*train("a.en", "b.fr"), "--dev", self.path("a.en"), self.path("b.fr"), "--dev-gold", self.path("range.links")), "range.links:1"),
        ):
            with self.subTest(call=call):
                self.refused(*call, saying=said)
        # Standard input cannot be both sides.
        self.refused("predict", "-", "-", "--model", model, stdin="one\nun\n", saying="<stdin>: expected a source file and a target file, found the same file twice")
        self.assertEqual(self.files(), before)  # nothing was written, whole or in part

    def test_calls_that_do_not_go_together(self):
        self.write("a.en", "one two\n")
        self.write("a.fr", "un deux\n")
        call = ("train", self.path("a.en"), self.path("a.fr"), "--model", self.path("m"))
        self.assertIn("--unsupervised", self.align(*call, status=2).err)
        self.assertIn("--dev-gold", self.align(*call, "--unsupervised", "--dev", self.path("a.en"), self.path("a.fr"), status=2).err)
        self.assertIn("--decode posterior", self.align(*call, "--unsupervised", "--symmetrise", "union", "--threshold", "0.4", status=2).err)

    def test_empty_lines_are_empty_alignments(self):
        self.write("a.en", "one two\n\ntwo one\n")
        self.write("a.fr", "un deux\nrien\ndeux un\n")
        call = (self.path("a.en"), self.path("a.fr"))
        self.align("train", *call, "--unsupervised", "--model", self.path("m"))
        lines = self.align("predict", *call, "--model", self.path("m")).out.split("\n")
        self.assertEqual(len(lines), 4)
        self.assertEqual(lines[1], "")


if __name__ == "__main__":
    unittest.main()
