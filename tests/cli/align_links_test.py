"""`trellis align` with links to learn from: the four shapes, what they print and explain, and calls that do not go together."""

import json
import pathlib
import struct
import unittest

from align_test import HARBOUR, AlignTest

DEV = (HARBOUR / "dev.en", HARBOUR / "dev.fr")
TEST = (HARBOUR / "test.en", HARBOUR / "test.fr")
TEXT = (HARBOUR / "train.en", HARBOUR / "train.fr")
LESSON = (*DEV, "--gold", HARBOUR / "dev.links")
GOLD = ("--gold", HARBOUR / "test.links")
HELD = ("--lambda", "0.01", "--cost", "2", "--epochs", "30")  # one run, no folds
SHAPES = {"M": (), "M+F": ("--fertility", 2), "M+Q": ("--quadratic",), "M+F+Q": ("--fertility", 2, "--quadratic")}


class LinksTest(AlignTest):
    """A generative model with statistics is trained once for each class."""

    @classmethod
    def setUpClass(cls):
        cls.before = AlignTest()
        cls.before.setUp()
        cls.addClassCleanup(cls.before.doCleanups)
        cls.generative = cls.before.path("generative")
        cls.before.align("train", *TEXT, "--unsupervised", "--statistics", "--quiet", "--model", cls.generative)

    def learn(self, *options, model="m", held=HELD, base=None):
        beneath = ("--generative", self.generative) if base is None else base
        return self.align("train", *LESSON, *beneath, *held, *options, "--quiet", "--model", self.path(model))

    def predict(self, *options, model="m", pairs=TEST):
        return self.align("predict", *pairs, "--model", self.path(model), *options).out

    def aer(self, model, *options):
        return json.loads(self.align("evaluate", *TEST, *GOLD, "--model", model, "--json", *options).out)["aer"]

    def explain(self, *options):
        return self.align("explain", *TEST, "--model", self.path("m"), *options).out

    def external(self, name, pairs, *options):
        """What the generative model finds, as if another aligner had found it."""
        return self.write(name, self.align("predict", *pairs, "--model", self.generative, *options).out)

    def learned(self):
        return json.loads(self.align("inspect", "--model", self.path("m"), "--top", 1000, "--json").out)["links"]

    def weights(self):
        """The features that have one."""
        return [one["feature"] for one in self.learned()["weights"]]


class Learning(LinksTest):
    def test_every_shape_is_better_than_the_generative_model_alone(self):
        alone = self.aer(self.generative)
        for shape, options in SHAPES.items():
            with self.subTest(shape=shape):
                result = json.loads(self.learn(*options, "--json", model=shape).out)
                for key in ("objective", "bound", "gap", "epochs", "seconds", "pairs", "sure_links", "candidates", "weights", "left_out",
                            "cost", "offset", "lambda", "train"):
                    self.assertIn(key, result)
                self.assertEqual((result["model"], result["pairs"], result["cost"]), (shape, 51, 2))
                self.assertNotIn("held_out", result)
                self.assertLessEqual(self.aer(self.path(shape)), alone)

    def test_a_word_has_as_many_links_as_the_shape_lets_it(self):
        most = {}
        for shape in ("M", "M+F"):
            self.learn(*SHAPES[shape])
            most[shape] = 0
            for line in self.predict().splitlines():
                for side in zip(*(link.split("-") for link in line.split())):
                    most[shape] = max(most[shape], *(side.count(word) for word in set(side)))
        self.assertEqual(most, {"M": 1, "M+F": 2})

    def test_more_text_is_read_or_a_model_of_it(self):
        self.learn(base=("--text", *TEXT), model="text")
        self.learn(base=(), model="labelled")
        self.assertLess(self.aer(self.path("text")), self.aer(self.path("labelled")))
        self.assertEqual(self.files(), ["labelled", "text"])

    def test_folds_choose_the_cost_and_the_offset(self):
        result = json.loads(self.learn("--cv", 2, "--json", held=("--lambda", "0.1,0.01", "--cost", "1,4", "--epochs", 20)).out)
        self.assertIn(result["cost"], (1, 4))
        self.assertIn(result["lambda"], (0.1, 0.01))
        self.assertGreater(result["held_out"]["aer"], result["train"]["aer"])

    def test_dev_chooses_as_folds_do(self):
        dev = ("--dev", *TEST, "--dev-gold", HARBOUR / "test.links")
        result = json.loads(self.learn(*dev, "--json", held=("--lambda", "0.1,0.01", "--cost", "1,4", "--epochs", 20)).out)
        self.assertAlmostEqual(result["dev"]["aer"], self.aer(self.path("m")))
        self.assertNotIn("held_out", result)

    def test_an_offset_trades_precision_for_recall(self):
        self.learn()
        found = [json.loads(self.align("evaluate", *TEST, *GOLD, "--model", self.path("m"), "--json", "--offset", x).out)["found"] for x in (-1, 0, 1)]
        self.assertEqual(found, sorted(found))
        self.assertLess(found[0], found[2])

    def test_a_limit_on_the_search_and_what_is_proved(self):
        self.learn("--quadratic", "--quadratic-training", "exact", "--search-limit", 2)
        for limit in ((), ("--search-limit", 1)):
            pairs = [json.loads(line) for line in self.predict("--json", "--nbest", 2, *limit).splitlines()]
            unproved = [pair for pair in pairs if not pair["proven"]]
            for pair in pairs:
                self.assertEqual(pair["proven"], pair["gap"] == 0)
                self.assertIn("proven", pair["nbest"][0])
            scores = json.loads(self.align("evaluate", *TEST, *GOLD, "--model", self.path("m"), "--json", *limit).out)
            self.assertEqual(scores["not_proven"], len(unproved))
            self.assertEqual(scores["largest_gap"], max(pair["gap"] for pair in pairs))
            said = self.align("predict", *TEST, "--model", self.path("m"), *limit).err
            told = f"{len(unproved)} of {len(pairs)} pairs reached --search-limit"
            self.assertEqual(told in said, bool(unproved))
            if not limit:
                self.assertEqual(unproved, [])
        self.learn()
        self.assertNotIn("proven", self.predict("--json"))

    def test_the_same_bytes_for_any_number_of_threads(self):
        for shape in ("M+F", "M+F+Q"):
            made = []
            for threads in (1, 2):
                self.learn(*SHAPES[shape], "--threads", threads)
                made.append((self.read("m"), self.predict("--threads", threads, "--nbest", 2)))
            self.assertEqual(made[0], made[1], shape)

    def test_learners_meet_at_one_optimum(self):
        held = ("--lambda", "0.1", "--cost", "2", "--gap", "0.01")
        made = {}
        for learner in ("bcfw", "bmrm"):
            made[learner] = json.loads(self.learn("--fertility", 2, "--learner", learner, "--json", held=held).out)
        # Their intervals from the bound to the objective have a point in common.
        self.assertLessEqual(made["bcfw"]["bound"], made["bmrm"]["objective"])
        self.assertLessEqual(made["bmrm"]["bound"], made["bcfw"]["objective"])

    def test_links_that_no_word_may_have_are_told(self):
        self.learn("--strict", "--fertility", 16)
        said = self.align("train", *LESSON, "--generative", self.generative, *HELD, "--model", self.path("m")).err
        self.assertIn("a word may have at most 1 links (--fertility)", said)


class Beside(LinksTest):
    """Links of other aligners, and tags."""

    def test_other_aligners_are_told_by_name(self):
        one, two = self.external("1.dev", DEV), self.external("2.dev", DEV, "--symmetrise", "union", "--format", "giza")
        self.learn("--external", f"one={one}", "--external", f"two={two}", *SHAPES["M+F+Q"])
        one, two = self.external("1.test", TEST), self.external("2.test", TEST, "--symmetrise", "union")
        links = self.predict("--external", f"one={one}", "--external", f"two={two}")
        self.assertEqual(links, self.predict("--external", f"two={two}", "--external", f"one={one}"))
        self.assertLessEqual(self.aer(self.path("m"), "--external", f"one={one}", "--external", f"two={two}"), self.aer(self.generative))
        self.assertEqual(self.learned()["externals"], ["one", "two"])
        self.assertIn("external.two.linked", self.weights())

    def test_dev_has_those_of_its_own(self):
        one, dev_one = self.external("1", DEV), self.external("1.dev", TEST)
        dev = ("--dev", *TEST, "--dev-gold", HARBOUR / "test.links")
        result = json.loads(self.learn("--external", f"one={one}", *dev, "--dev-external", f"one={dev_one}", "--json").out)
        self.assertAlmostEqual(result["dev"]["aer"], self.aer(self.path("m"), "--external", f"one={dev_one}"))

    def test_a_gold_aligner_beside_is_believed(self):
        self.learn("--external", f"gold={HARBOUR / 'dev.links'}", *SHAPES["M+F"])
        self.assertLess(self.aer(self.path("m"), "--external", f"gold={HARBOUR / 'test.links'}"), self.aer(self.generative))

    def tags(self, name, pairs):
        """Long words and short ones."""
        files = []
        for side, path in zip(("source", "target"), pairs):
            lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
            files.append(self.write(f"{name}.{side}", "".join(" ".join("LONG" if len(w) > 4 else "SHORT" for w in line.split()) + "\n" for line in lines)))
        return ("--tags", *files)

    def test_tags_have_weights_by_pair(self):
        self.learn(*self.tags("dev", DEV))
        self.assertTrue(self.learned()["tags"])
        self.assertIn("tags.LONG SHORT", self.weights())
        tags = self.tags("test", TEST)
        self.assertEqual(len(self.predict(*tags).splitlines()), 102)
        self.refused("predict", *TEST, "--model", self.path("m"), saying="the model was trained with tags: --tags", status=2)

    def test_frequent_words_have_weights_of_their_own(self):
        self.learn("--lexical", 20)
        self.assertIn("words.the le", self.weights())


class Showing(LinksTest):
    def test_a_line_for_each_pair_and_its_score_on_request(self):
        self.learn(*SHAPES["M+F"])
        lines = self.predict().splitlines()
        self.assertEqual(len(lines), 102)
        self.assertRegex(lines[0], r"^\d+-\d+( \d+-\d+)*$")
        scored = [line.split("\t") for line in self.predict("--scores").splitlines()]
        self.assertEqual([links for links, _ in scored], lines)
        told = [json.loads(line) for line in self.predict("--json").splitlines()]
        for (links, score), one in zip(scored, told):
            self.assertEqual(" ".join(f"{i}-{j}" for i, j in one["links"]), links)
            self.assertAlmostEqual(one["score"], float(score), delta=1e-4 * abs(one["score"]))

    def test_an_empty_line_is_an_empty_alignment(self):
        self.learn()
        empty = self.align("predict", "--model", self.path("m"), stdin="the harbour\tle port\n\t\nthe boat\t\n").out.split("\n")
        self.assertEqual(empty[1:], ["", "", ""])

    def test_the_best_alignments_of_each_pair(self):
        for shape in ("M+F", "M+Q"):
            self.learn(*SHAPES[shape])
            plain = self.predict("--scores").splitlines()
            blocks = self.predict("--nbest", 3).rstrip("\n").split("\n\n")
            self.assertEqual(len(blocks), 102)
            for first, block in zip(plain, blocks):
                lines = block.split("\n")
                self.assertEqual(lines[0], first)
                self.assertEqual(len(lines), 3)
                self.assertEqual(len({line.split("\t")[0] for line in lines}), 3)
                scores = [float(line.split("\t")[1]) for line in lines]
                self.assertEqual(scores, sorted(scores, reverse=True))
            told = json.loads(self.predict("--nbest", 3, "--json").splitlines()[0])
            self.assertEqual(told["nbest"][0], {key: told[key] for key in told["nbest"][0]})

    def test_explain_takes_links_apart(self):
        self.learn(*SHAPES["M+F+Q"])
        text = self.explain("--pair", 2)
        self.assertTrue(text.startswith("pair 2\n"))
        self.assertIn("linked, score", text)
        self.assertIn("better than without it by", text)
        self.assertIn("next to", text)
        told = json.loads(self.explain("--pair", 2, "--json", "--top", 1000))
        links = self.predict().splitlines()[1]
        self.assertEqual(" ".join("{}-{}".format(*one["link"]) for one in told["links"]), links)
        for one in told["links"]:
            self.assertTrue(one["linked"])
            self.assertGreaterEqual(one["margin"], 0)
            self.assertAlmostEqual(sum(part["product"] for part in one["features"]), one["score"], places=6)
            for neighbour in one["neighbours"]:
                self.assertIn("{}-{}".format(*neighbour["link"]), links.split())
        self.assertEqual(len(self.explain("--json").splitlines()), 102)
        self.assertEqual(len(self.explain("--pair", 2, "--pair", 3, "--json").splitlines()), 2)

    def test_explain_says_why_a_link_is_not_there(self):
        self.learn()
        told = [json.loads(line) for line in self.predict("--nbest", 2, "--json").splitlines()]
        # A pair whose second best alignment has a link more: the margin of that link is what the two differ by.
        pair, (best, second), link = next((one["pair"], one["nbest"], link) for one in told for link in one["nbest"][1]["links"] if link not in one["links"])
        asked = ("--pair", pair, "--link", "{}-{}".format(*link))
        (one,) = json.loads(self.explain(*asked, "--json"))["links"]
        self.assertFalse(one["linked"])
        self.assertAlmostEqual(one["margin"], best["score"] - second["score"], places=6)
        self.assertIn("worse with it by", self.explain(*asked))
        both = json.loads(self.explain(*asked, "--link", "0-0", "--json"))["links"]
        self.assertEqual([one["link"] for one in both], [link, [0, 0]])
        # Far from all that speaks for it.
        self.assertIn("not linked: not a candidate, no evidence for this link", self.explain("--pair", 2, "--link", "0-3"))

    def test_inspect_shows_the_weights(self):
        self.learn(*SHAPES["M+F+Q"])
        text = self.align("inspect", "--model", self.path("m"), "--top", 5).out
        self.assertRegex(text, r"links     M\+F\+Q, 2 links, offset [+-]")
        self.assertIn("   weight  feature\n", text)
        told = self.learned()
        self.assertEqual((told["model"], told["fertility"], told["quadratic"]), ("M+F+Q", 2, True))
        sizes = [abs(one["weight"]) for one in told["weights"]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        signed = [one["weight"] for one in told["weights"] if one["feature"].startswith(("pair: ", "source link", "target link"))]
        self.assertTrue(signed and min(signed) > 0)

    def test_pages_are_written_for_all(self):
        dev = ("--dev", *TEST, "--dev-gold", HARBOUR / "test.links")
        self.learn(*SHAPES["M+F"], *dev, "--report", self.path("train.html"))
        self.align("evaluate", *TEST, *GOLD, "--model", self.path("m"), "--report", self.path("evaluate.html"))
        self.assertEqual(self.predict("--report", self.path("predict.html")), self.predict())
        self.align("inspect", "--model", self.path("m"), "--report", self.path("inspect.html"))
        for name in ("train", "evaluate", "predict"):
            self.assertIn('role="img" aria-label="Links of', self.page(f"{name}.html"), name)
        for name in ("train", "inspect"):
            self.assertIn("dice", self.page(f"{name}.html"), name)


class Mistakes(LinksTest):
    def setUp(self):
        super().setUp()
        lines = (HARBOUR / "dev.links").read_text(encoding="utf-8").splitlines()
        self.write("few", "".join(f"{line}\n" for line in lines[1:]))
        self.write("many", "".join(f"{line}\n" for line in (*lines, "0-0")))
        self.write("range", "".join(f"{line}\n" for line in ("0-0 0-99", *lines[1:])))
        self.write("unsure", "0?0\n" * 51)
        self.write("none", "\n" * 51)

    def all_refused(self, cases, status):
        """Each in one line, with nothing written, whole or in part."""
        before = self.files()
        for call, said in cases:
            with self.subTest(call=[pathlib.Path(str(word)).name for word in call]):
                try:
                    self.refused(*call, saying=said, status=status)
                    self.assertEqual(self.files(), before)
                finally:
                    for name in set(self.files()) - set(before):
                        (self.folder / name).unlink()

    def lesson(self, *options, gold=HARBOUR / "dev.links"):
        return ("train", *DEV, "--gold", gold, "--quiet", "--model", self.path("new"), *options)

    def upon(self, *options):
        return self.lesson("--generative", self.generative, *options)

    def with_links(self, *options):
        return ("predict", *TEST, "--model", self.path("m"), "--output", self.path("new"), *options)

    def without(self, *options):
        return ("predict", *TEST, "--model", self.generative, "--output", self.path("new"), *options)

    def test_ways_to_train_that_do_not_go_together(self):
        train = ("train", *DEV, "--quiet", "--model", self.path("new"))
        text = (*train, "--unsupervised")
        dials = "requires --gold: --unsupervised is trained by EM"
        lesson = "requires --gold"
        unheard = "requires --unsupervised"
        trained = "cannot be combined with --generative"
        gold = HARBOUR / "dev.links"
        cases = [
            (train, "--gold LINKS (learn from links) or --unsupervised"),
            ((*text, "--gold", gold), "--gold and --unsupervised cannot be combined"),
            *(((*text, *said), dials) for said in (
                ("--learner", "bcfw"), ("--lambda", 1), ("--c", 1), ("--epochs", 3), ("--gap", 0.1), ("--cv", 3), ("--certify",), ("--loss", "svm"))),
            *(((*text, *said), lesson) for said in (
                ("--fertility", 2), ("--quadratic",), ("--cost", 2), ("--offset", 1), ("--lexical", 5), ("--strict",), ("--text", *TEXT),
                ("--generative", self.generative), ("--external", f"a={gold}"), ("--tags", *DEV))),
            *((self.lesson(*said), unheard) for said in (
                ("--symmetrise", "union"), ("--threshold", 0.5), ("--decode", "viterbi"), ("--aim", "f1"), ("--start", self.generative), ("--statistics",))),
            ((*text, "--quadratic-training", "exact"), "--quadratic-training requires --quadratic"),
            (self.upon("--quadratic-training", "exact"), "--quadratic-training requires --quadratic"),
            (self.upon("--search-limit", 100), "--search-limit requires --quadratic"),
            ((*text, "--search-limit", 100), "--search-limit requires --quadratic"),
            (self.upon("--text", *TEXT), "--text cannot be combined with --generative"),
            *((self.upon(*said), trained) for said in (("--aligner", "hmm"), ("--iterations", 3), ("--keep-case",), ("--frequent", 3))),
            (self.lesson("--dev", *TEST), "--dev requires --dev-gold"),
            (self.lesson("--dev-gold", HARBOUR / "test.links"), "--dev-gold requires --dev"),
            (self.lesson("--dev-external", f"a={gold}"), "--dev-external requires --dev"),
            (self.upon("--dev", *TEST, "--dev-gold", HARBOUR / "test.links", "--external", f"a={gold}"), "the same aligners"),
            (self.lesson("--text", *TEXT, *DEV), "expected a source and a target file, or one file with both sides"),
        ]
        self.all_refused(cases, status=2)

    def test_values_that_cannot_be(self):
        gold = HARBOUR / "dev.links"
        self.all_refused([
            (self.upon("--fertility", 0), "--fertility must be 1 to 16"),
            (self.upon("--fertility", 17), "--fertility must be 1 to 16"),
            (self.upon("--fertility", "two"), "--fertility"),
            (self.upon("--cost", 0), "--cost must be above 0"),
            (self.upon("--cost", "-1"), "--cost must be above 0"),
            (self.upon("--cost", "x"), "expected --cost to be a number, or several separated by commas, found 'x'"),
            (self.upon("--cost", "1,,2"), "expected --cost to be a number, or several separated by commas"),
            (self.upon("--cost", "1,2", "--lambda", 0.01), "several values of --cost require --cv or --dev to choose among them"),
            (self.upon("--offset", "nan"), "--offset: nan: expected -1000 to 1000"),
            (self.upon("--quadratic", "--search-limit", 0), "--search-limit: 0: expected 1 or more"),
            (self.upon("--lexical", -1), "--lexical: expected a number from 0 on"),
            (self.upon("--external", "eflomal"), "--external is 'eflomal': expected NAME=FILE"),
            (self.upon("--external", f"={gold}"), ": expected NAME=FILE"),
            (self.upon("--external", "a="), ": expected NAME=FILE"),
            (self.upon("--external", f"a={gold}", "--external", f"a={gold}"), "--external gives the name 'a' twice"),
            (self.upon("--tags", DEV[0]), "--tags"),
            (self.upon("--learner", "lbfgs"), "lbfgs cannot train this: a smooth loss requires sums over outputs"),
            (self.upon("--learner", "qp", "--quadratic", "--quadratic-training", "exact"), "qp cannot train this: the linear program of this structure is a relaxation"),
            (self.upon("--learner", "extragradient", "--quadratic", "--quadratic-training", "exact"), "there is no projection onto the polytope of this structure"),
            (self.upon("--loss", "crf"), "a smooth loss requires sums over outputs"),
        ], status=2)

    def test_data_that_do_not_fit(self):
        self.write("german", "der Hund bellt laut\n" * 51)
        self.write("spanish", "el perro ladra fuerte\n" * 51)
        self.write("links", "0-0 1-1 2-2 3-3\n" * 51)
        self.write("words", "some words\n" * 51)
        plain = self.path("plain")
        self.align("train", *TEXT, "--unsupervised", "--aligner", "model1", "--quiet", "--model", plain)
        self.learn()
        path = self.path
        self.all_refused([
            (self.lesson("--generative", plain), "plain: expected a model with statistics of its text: train it with --statistics"),
            (self.lesson("--generative", path("m")), "m: expected a model trained on text only, found a model trained with links"),
            (self.lesson("--generative", path("missing")), "missing: cannot open"),
            (self.lesson("--generative", path("links")), "links: expected a Trellis model"),
            (("train", path("german"), path("spanish"), "--gold", path("links"), "--generative", self.generative, "--quiet", "--model", path("new")),
             "knows 0 of the 408 words of the labelled pairs: expected a model of these languages"),
            (self.lesson(gold=path("few")), "few:"),
            (self.lesson(gold=path("many")), "many:52: expected links of 51 sentence pairs, found more"),
            (self.lesson(gold=path("range")), "range:1: expected a target word from 0 to 10"),
            (self.lesson(gold=path("words")), "words:1: expected links as"),
            (self.lesson(gold=path("unsure")), "unsure: expected sure links to learn from, found none"),
            (self.lesson(gold=path("none")), "none: expected"),
            (self.lesson(gold=path("missing")), "missing: cannot open"),
            (self.lesson("--strict"), "dev.links: pair 3: expected at most 1 sure links of a word (--fertility), found more of 'Combien'"),
            (self.upon("--strict", "--fertility", 3), "dev.links: pair 26: expected at most 3 sure links of a word"),
            (self.upon("--external", f"a={path('few')}"), "few:"),
            (self.upon("--external", f"a={path('many')}"), "many:52: expected links of 51 sentence pairs, found more"),
            (self.upon("--external", f"a={path('range')}"), "range:1: expected a target word"),
            (self.upon("--external", f"a={path('missing')}"), "missing: cannot open"),
            (self.upon("--tags", *TEST), "test.en:1: expected 10 tags, one for each word of the source sentence, found 14"),
            (self.upon("--tags", DEV[0], DEV[0]), "dev.en:1: expected 11 tags, one for each word of the target sentence"),
            (self.upon("--tags", DEV[0], path("missing")), "missing: cannot open"),
            (self.lesson("--text", path("missing"), TEXT[1]), "missing: cannot open"),
            (self.lesson("--text", TEXT[0], DEV[1]), "expected as many lines as"),
            (self.upon("--dev", *TEST, "--dev-gold", path("range")), "range:"),
        ], status=1)

    def test_what_a_model_is_not_for(self):
        gold = HARBOUR / "dev.links"
        self.learn("--external", f"a={gold}")
        beside = ("--external", f"a={HARBOUR / 'test.links'}")
        of_text = "require a model trained on text only: this model was trained with links (use --offset)"
        self.all_refused([
            *((self.with_links(*beside, *said), of_text) for said in (("--symmetrise", "union"), ("--threshold", 0.5), ("--decode", "viterbi"))),
            (self.with_links(*beside, "--probabilities"), "--probabilities requires a model trained on text only: this model was trained with links and has scores"),
            (self.with_links(*beside, "--nbest", 3, "--format", "naacl"), "--nbest requires --format pharaoh"),
            (self.with_links(*beside, "--nbest", 0), "--nbest: 0: expected 1 to 10000"),
            (self.with_links(*beside, "--offset", "nan"), "--offset: nan: expected -1000 to 1000"),
            (self.with_links(), "the model was trained with links of 'a': --external a=FILE is required"),
            (self.with_links(*beside, "--external", f"b={gold}"), "--external b: the model was trained with those of a"),
            (self.with_links(*beside, *beside), "--external gives the same aligner twice"),
            (self.with_links("--external", "a"), "--external is 'a': expected NAME=FILE"),
            (self.with_links(*beside, "--tags", *TEST), "--tags is not possible: the model was trained without tags"),
            (("evaluate", *TEST, *GOLD, "--model", self.path("m")), "--external a=FILE is required"),
            (("evaluate", *TEST, *GOLD, *beside, "--model", self.path("m"), "--symmetrise", "union"), of_text),
            (self.with_links(*beside, "--search-limit", 5), "--search-limit requires a model trained with --quadratic"),
            (self.without("--search-limit", 5), "--search-limit requires a model trained with --quadratic"),
            (self.without("--offset", 1), "--offset requires a model trained with links: this model was trained on text only (use --threshold)"),
            (self.without("--nbest", 3), "--nbest requires a model trained with links: this model was trained on text only"),
            (self.without(*beside), "--external a: the model was trained without links of other aligners"),
            (("explain", *TEST, "--model", self.path("m")), "--external a=FILE is required"),
            (("explain", *TEST, *beside, "--model", self.path("m"), "--pair", 0), "--pair must be at least 1"),
            (("explain", *TEST, *beside, "--model", self.path("m"), "--link", "0:0"), "expected --link i-j (source word first, words counted from 0), found '0:0'"),
        ], status=2)
        self.all_refused([
            (self.with_links("--external", f"a={gold}"), "dev.links:1: expected a target word from 0 to 9"),
            (self.with_links("--external", f"a={self.path('missing')}"), "missing: cannot open"),
            (("explain", *TEST, "--model", self.generative), "expected a model trained with links, found one trained on text only"),
            (("explain", *TEST, *beside, "--model", self.path("m"), "--pair", 1, "--link", "0-99"), "test.en:1: has no such words as given in --link"),
            (("explain", *TEST, *beside, "--model", self.path("m"), "--pair", 103), "test.en: has 102 sentence pairs, so there is no pair 103"),
        ], status=1)

    def test_damaged_models(self):
        self.learn()
        whole = self.read("m")
        largest = self.learned()["weights"][0]["weight"]
        for length in (0, 7, 300, len(whole) // 2, len(whole) - 1):
            self.write("m", whole[:length])
            self.refused(*self.with_links(), saying="m: ")
        weight = whole.find(struct.pack("<d", largest))
        self.assertGreater(weight, 0)
        spread = (place for place in range(40, len(whole), len(whole) // 23) if whole[place] != 0)  # not what lies between two sections
        for place in (weight, *spread):
            damaged = bytearray(whole)
            damaged[place] ^= 16
            self.write("m", bytes(damaged))
            self.refused(*self.with_links(), saying="m: the model is damaged")
        self.assertFalse((self.folder / "new").exists())


if __name__ == "__main__":
    unittest.main()
