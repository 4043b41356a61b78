"""`trellis topics` as its users meet it: training on notes, mixtures, tables, and what it says when something is wrong."""

import gzip
import json
import unittest

from program import SOURCE, ProgramTest

PASTIMES = SOURCE / "data" / "pastimes"
TRAIN = str(PASTIMES / "train.tsv")
TEST = str(PASTIMES / "test.tsv")
NOTICES = str(PASTIMES / "notices.en-fr.tsv")
DICTIONARY = str(PASTIMES / "eng-fra.tsv")
NOTE = "The boat left the harbour with the tide, and the sail was full of wind.\n"


class TopicsTest(ProgramTest):
    TASK = "topics"
    topics = ProgramTest.run_program

    def train(self, *options, file=TRAIN, model="m", sweeps=100, **more):
        return self.topics("train", file, "--topics", 4, "--sweeps", sweeps, "--model", self.path(model), *options, **more)

    def predict(self, *options, **more):
        return self.topics("predict", *options, "--model", self.path("m"), **more).out

    def evaluate(self, *options, file=TEST, **more):
        return self.topics("evaluate", file, "--model", self.path("m"), *options, **more).out

    def inspect(self, *options):
        return self.topics("inspect", "--model", self.path("m"), *options).out


class Training(TopicsTest):
    def test_what_is_told(self):
        done = self.train("--held-out", 0.1)
        for said in ("read 240 documents", "4 topics by gibbs after 100 sweeps", "log-likelihood -", "perplexity", "(NPMI)", "wrote "):
            self.assertIn(said, done.err)
        result = json.loads(self.train("--held-out", TEST, "--json", "--watch-every", 25).out)
        self.assertEqual(result["documents"], 240)
        self.assertEqual(result["held_out_documents"], 60)
        self.assertEqual([look["sweep"] for look in result["looks"]], [25, 50, 75, 100])
        self.assertLess(result["log_likelihood"], 0)
        self.assertEqual(result["perplexity"], result["looks"][-1]["perplexity"])

    def test_topics_are_those_of_the_notes(self):
        """Most notes of a pastime have one topic in front, and pastimes have different ones."""
        self.train(sweeps=300)
        rows = [json.loads(line) for line in self.predict(TRAIN, "--json").splitlines()]
        votes = {}
        for row in rows:
            best = max(range(4), key=row["mixture"].__getitem__)
            votes.setdefault(row["label"], []).append(best)
        self.assertEqual(sorted(votes), ["baking", "cycling", "music", "sailing"])
        agreed = sum(max(map(best.count, range(4))) for best in votes.values())
        self.assertGreater(agreed, 0.6 * len(rows))

    def test_the_same_model_whatever_the_threads(self):
        for method in ((), ("--method", "cvb0")):
            self.train("--threads", 1, *method)
            first = self.read("m")
            self.train("--threads", 3, *method)
            self.assertEqual(self.read("m"), first)
            self.train("--seed", 2, *method)
            self.assertNotEqual(self.read("m"), first)

    def test_a_chain_goes_on_from_a_model(self):
        self.train("--keep-chain", sweeps=60, model="whole")
        self.train("--keep-chain", sweeps=25)
        self.assertIn("from sweep 25", self.inspect())
        self.train("--keep-chain", "--start", self.path("m"), sweeps=60, model="more")
        self.assertEqual(self.read("more"), self.read("whole"))

    def test_history_has_a_line_for_each_look(self):
        self.train("--watch-every", 20, "--held-out", 0.2, "--history", self.path("h"))
        lines = [json.loads(line) for line in self.read("h").decode().splitlines()]
        self.assertEqual([line["epoch"] for line in lines], [20, 40, 60, 80, 100])
        self.assertGreater(lines[-1]["dev"], 1)

    def test_cvb0_says_whether_it_converged(self):
        done = self.train("--method", "cvb0", sweeps=3)
        self.assertIn("a larger --sweeps", done.err)
        done = self.train("--method", "cvb0", "--tolerance", 0.05, sweeps=1000)
        self.assertNotIn("a larger --sweeps", done.err)
        self.assertIn("cvb0", self.inspect())
        self.assertGreater(json.loads(self.evaluate("--json"))["perplexity"], 1)


class Corpora(TopicsTest):
    def test_a_corpus_that_was_written_gives_the_same_model(self):
        self.train("--min-documents", 2)
        first = self.read("m")
        done = self.topics("corpus", TRAIN, "--min-documents", 2, "--output", self.path("c"), "--json")
        told = json.loads(done.out)
        self.assertEqual((told["documents"], told["labels"]), (240, 4))
        self.assertGreater(told["left_out"], 1000)
        self.train(file=self.path("c"))
        self.assertEqual(self.read("m"), first)
        self.assertEqual(self.predict(self.path("c")).count("\n"), 240)
        self.assertIn("whose words are fixed", self.refused_call("--ngrams", 2, file=self.path("c"), status=2))

    def refused_call(self, *options, file=TRAIN, topics=4, status=1):
        call = ("train", file, "--topics", topics, "--sweeps", 5, "--model", self.path("r"), "--quiet", *options)
        done = self.topics(*call, status=status)
        self.assertOneSentence(done.err)
        self.assertNotIn("r", self.files())
        return done.err

    def test_lines_folders_and_compressed_files(self):
        texts = [line.split("\t")[2] for line in (PASTIMES / "train.tsv").read_text(encoding="utf-8").splitlines()]
        self.write("lines.txt", "\n".join(texts) + "\n")
        self.train(file=self.write("lines.gz", gzip.compress("\n".join(texts).encode())))
        first = self.read("m")
        self.train(file=self.path("lines.txt"))
        self.assertEqual(self.read("m"), first)
        for k, text in enumerate(texts[:40]):
            (self.folder / "texts" / f"part{k % 2}").mkdir(parents=True, exist_ok=True)
            (self.folder / "texts" / f"part{k % 2}" / f"{k:03}.txt").write_text(text, encoding="utf-8")
        self.train(file=self.path("texts"))
        rows = self.predict(self.path("texts"), "--as", "csv").splitlines()
        self.assertEqual(rows[0], "id,label,words,topic_0,topic_1,topic_2,topic_3")
        self.assertTrue(rows[1].startswith("part0/000.txt,part0,"), rows[1])

    def test_counts(self):
        self.write("docword.txt", "3\n4\n6\n1 1 2\n1 2 1\n2 3 4\n2 4 1\n3 1 1\n3 2 5\n")
        self.write("vocab.txt", "boat\ntide\ndough\noven\n")
        call = ("train", self.path("docword.txt"), "--topics", 2, "--sweeps", 20, "--model", self.path("m"))
        self.topics(*call, "--vocabulary", self.path("vocab.txt"))
        self.assertIn("dough", self.inspect())
        self.assertEqual(self.predict(self.path("docword.txt"), "--vocabulary", self.path("vocab.txt")).count("\n"), 3)
        # Text is read in the same words.
        self.assertEqual(json.loads(self.predict("--json", stdin="Boats and a boat, an oven.\n"))["words"], 2)


class Using(TopicsTest):
    def setUp(self):
        super().setUp()
        self.train()

    def test_mixtures_in_every_form(self):
        line = self.predict(stdin=NOTE)
        name, shares = line.rstrip("\n").split("\t")
        self.assertEqual(name, "1")
        self.assertEqual(len(shares.split()), 4)
        self.assertEqual(len(self.predict("--top", 1, stdin=NOTE).split()), 2)
        row = json.loads(self.predict("--json", stdin=NOTE))
        self.assertAlmostEqual(sum(row["mixture"]), 1)
        self.assertIsNone(row["label"])
        self.assertEqual(self.predict("--as", "json", stdin=NOTE), self.predict("--json", stdin=NOTE))
        self.assertTrue(self.predict("--as", "libsvm", stdin=NOTE).startswith("0 1:0."))
        sampled = self.predict("--inference", "gibbs", stdin=NOTE)
        self.assertEqual(self.predict("--inference", "gibbs", stdin=NOTE), sampled)
        sizes = [float(share.split(":")[1]) for share in shares.split()]
        self.assertEqual(sizes, sorted(sizes, reverse=True))

    def test_classify_learns_from_mixtures(self):
        for part, file in (("train", TRAIN), ("test", TEST)):
            self.predict(file, "--as", "libsvm", "--output", self.path(f"{part}.libsvm"))
        self.TASK = "classify"  # pylint: disable=invalid-name
        self.topics("train", self.path("train.libsvm"), "--c", 10, "--model", self.path("labels"))
        found = json.loads(self.topics("evaluate", self.path("test.libsvm"), "--model", self.path("labels"), "--json").out)
        self.assertGreater(found["accuracy"], 40)  # by chance: 25

    def test_evaluation(self):
        found = json.loads(self.evaluate("--json"))
        for key in ("perplexity", "log_likelihood", "coherence_npmi", "coherence_umass", "unseen_tokens"):
            self.assertIn(key, found)
        self.assertEqual(found["documents"], 60)
        self.assertEqual(len(found["topic_npmi"]), 4)
        other = json.loads(self.evaluate("--json", "--estimator", "left-to-right", "--particles", 5))
        self.assertLess(abs(other["log_likelihood"] - found["log_likelihood"]), 0.1)
        self.assertIn("perplexity", self.evaluate())

    def test_tables(self):
        found = json.loads(self.inspect("--json", "--top", 3))
        self.assertEqual([len(topic["words"]) for topic in found["topics"]], [3] * 4)
        self.assertAlmostEqual(sum(topic["prevalence"] for topic in found["topics"]), 1)
        self.assertEqual(self.inspect("--as", "csv", "--top", 3).count("\n"), 13)
        self.assertIn("log_likelihood", self.inspect())

    def test_documents_of_nothing_and_of_new_words_have_a_convention(self):
        done = self.topics("predict", "--model", self.path("m"), "--json", stdin="\nzyzzyva qwertz\n" + NOTE)
        rows = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual(rows[0]["mixture"], rows[1]["mixture"])
        self.assertNotEqual(rows[0]["mixture"], rows[2]["mixture"])
        self.assertIn("2 of 3 documents have no word that the model knows", done.err)
        self.assertIn("words are unknown to the model", done.err)
        self.assertEqual(json.loads(self.evaluate("--json", file=self.write("none.txt", "zyzzyva\n")))["perplexity"], 1)


class Languages(TopicsTest):
    """Notices in English and French, with topics that know nothing of either."""

    WORDS = ("--stop-words", "english", "--stop-words", str(PASTIMES / "stop_words.fr.txt"))
    MEASURES = ("mean_l2", "mean_hellinger", "same_first_topic", "mean_common_topics")

    def agreement(self, *options, **more):
        return json.loads(self.evaluate("--agreement", "--json", *options, **{"file": NOTICES, **more}))["agreement"]

    def test_agreement(self):
        self.train(*self.WORDS, file=NOTICES)
        (found,) = self.agreement()
        self.assertEqual(found["languages"], ["en", "fr"])
        self.assertEqual((found["pairs"], found["left_out"]), (80, 0))
        self.assertEqual(found["top_topics"], 4)  # of 5, all that there are
        self.assertEqual(found["mean_common_topics"], 4)
        for name in self.MEASURES:
            self.assertGreaterEqual(found[name], 0)
        self.assertEqual([(way["from"], way["to"]) for way in found["retrieval"]], [("en", "fr"), ("fr", "en")])
        for way in found["retrieval"]:
            self.assertLessEqual(way["first"], way["mean_reciprocal_rank"])
            self.assertLessEqual(way["mean_reciprocal_rank"], 1)
        self.assertEqual(self.agreement("--threads", 3), [found])
        (fewer,) = self.agreement("--agreement-topics", 1)
        self.assertEqual(fewer["mean_common_topics"], found["same_first_topic"])
        text = self.evaluate("--agreement", file=NOTICES)
        self.assertIn("en → fr", text)
        self.assertIn("Hellinger", text)
        self.assertNotIn("Hellinger", self.evaluate(file=NOTICES))

    def test_agreement_is_that_of_the_mixtures(self):
        self.train(*self.WORDS, file=NOTICES)
        rows = [json.loads(line) for line in self.predict(NOTICES, "--json").splitlines()]
        mixtures = {(row["id"], row["language"]): row["mixture"] for row in rows}
        ids = [row["id"] for row in rows if row["language"] == "en"]
        pairs = [(mixtures[name, "en"], mixtures[name, "fr"]) for name in ids]
        (found,) = self.agreement()
        distances = [sum((a - b) ** 2 for a, b in zip(*pair)) ** 0.5 for pair in pairs]
        self.assertAlmostEqual(found["mean_l2"], sum(distances) / 80)
        hellinger = [sum((a**0.5 - b**0.5) ** 2 for a, b in zip(*pair)) for pair in pairs]
        self.assertAlmostEqual(found["mean_hellinger"], sum(hellinger) / 80)
        same = [left.index(max(left)) == right.index(max(right)) for left, right in pairs]
        self.assertAlmostEqual(found["same_first_topic"], sum(same) / 80)

    def test_a_language_is_a_column_of_mixtures(self):
        self.train(file=NOTICES)
        lines = self.predict(NOTICES, "--as", "csv").splitlines()
        self.assertEqual(lines[0], "id,language,label,words,topic_0,topic_1,topic_2,topic_3")
        self.assertTrue(lines[1].startswith("baking-01,en,,"), lines[1])
        self.assertTrue(lines[2].startswith("baking-01,fr,,"), lines[2])
        self.assertEqual(len(lines), 161)
        self.assertTrue(self.predict(NOTICES).startswith("baking-01\ten\t"))
        self.assertEqual(json.loads(self.topics("corpus", NOTICES, "--output", self.path("c"), "--json").out)["languages"], 2)
        self.assertEqual(self.predict(self.path("c"), "--as", "csv").splitlines(), lines)
        self.assertEqual(self.agreement(file=self.path("c")), self.agreement())
        piped = self.predict("--as", "csv", stdin="id\ten\tfr\nx\tthe boat\tle bateau\n").splitlines()
        self.assertEqual([line.split(",")[:2] for line in piped], [["id", "language"], ["x", "en"], ["x", "fr"]])

    def test_what_has_no_translations(self):
        self.train(file=NOTICES, sweeps=5)
        for name, content, saying in (
            ("lines.txt", "boat\n", "lines.txt: expected documents with ids"),
            ("table.tsv", "a\tsea\tboat\n", "table.tsv: expected documents with languages"),
            ("one.tsv", "id\ten\tfr\na\tboat\t\n", 'found only "en"'),
            ("apart.tsv", "id\ten\tfr\na\tboat\t\nb\t\tbateau\n", "with the same id in two languages, found none"),
            ("twice.tsv", "id\ten\tfr\na\tboat\tbateau\na\tsail\t\n", 'in the language en, found two of "a"'),
            ("short.tsv", "id\ten\tfr\na\tboat\n", "short.tsv:2: expected 3 columns (id, en, fr), found 2"),
        ):
            call = ("evaluate", self.write(name, content), "--model", self.path("m"), "--agreement")
            self.refused(*call, saying=saying)
        call = ("evaluate", NOTICES, "--model", self.path("m"), "--agreement-topics", 3)
        self.refused(*call, saying="--agreement-topics requires --agreement", status=2)
        self.refused(*call[:-1], 0, "--agreement", saying="--agreement-topics", status=2)
        self.refused("evaluate", NOTICES, "--model", self.path("m"), "--format", "translations", "--columns", "id,text", saying="tsv", status=2)


class Pages(TopicsTest):
    def page(self, name="page.html"):
        return super().page(name)

    def test_of_training(self):
        self.train("--held-out", 0.2, "--watch-every", 25, "--report", self.path("page.html"))
        page = self.page()
        for said in ("Map of topics", "240 documents", "sailing", "Topics by prevalence", "Training", "Log-likelihood", "Perplexity", "NPMI"):
            self.assertIn(said, page)

    def test_of_an_evaluation(self):
        self.train()
        text = self.evaluate()
        self.assertEqual(self.evaluate("--report", self.path("page.html")), text)
        page = self.page()
        self.assertIn("60 documents", page)
        self.assertNotIn('"sweep', page)
        self.evaluate("--report", self.path("page.html"), "--map-documents", 12)
        self.assertIn("12 of 60 documents", self.page())
        self.evaluate("--report", self.path("page.html"), "--map-documents", 0)
        self.assertNotIn("documents-data", self.page())

    def test_the_same_bytes_whatever_the_threads(self):
        for call in ((self.train, ()), (self.evaluate, ())):
            pages = []
            for threads in (1, 2):
                call[0]("--threads", threads, "--report", self.path("page.html"))
                pages.append(self.page())
            self.assertEqual(*pages)

    def test_documents_of_nothing(self):
        """They have no place on a map; where none has a word there is no map."""
        self.train()
        self.evaluate("--report", self.path("page.html"), file=self.write("some.txt", "\n" + NOTE + "zyzzyva\n" + NOTE))
        self.assertIn("2 of 4 documents", self.page())
        self.evaluate("--report", self.path("page.html"), file=self.write("none.txt", "zyzzyva\n"))
        self.assertNotIn("documents-data", self.page())

    def test_cvb0_shows_its_changes(self):
        self.train("--method", "cvb0", "--watch-every", 5, "--report", self.path("page.html"), sweeps=20)
        self.assertIn("Change of the topics of a word", self.page())

    def test_what_makes_no_page(self):
        for options, saying, status in (
            (("--map-documents", 5), "--report", 2),
            (("--report", self.path("page.html"), "--map-documents", -1), "--map-documents", 2),
            (("--report", self.path("none/page.html")), "none/page.html", 1),
        ):
            self.refused("train", TRAIN, "--topics", 4, "--sweeps", 5, "--model", self.path("m"), *options, saying=saying, status=status)
            self.assertEqual(self.files(), [])


class BadInput(TopicsTest):
    def refusal(self, *options, file=TRAIN, topics=4, status=1):
        done = self.topics(
            "train", file, "--topics", topics, "--sweeps", 5, "--model", self.path("m"), "--quiet", *options, status=status
        )
        self.assertOneSentence(done.err)
        self.assertNotIn("m", self.files())
        return done.err

    def test_related_words(self):
        words = ("--kind", "wordlda")
        for options, saying in (
            (words, "requires a source of related words"),
            (("--dictionary", DICTIONARY), "requires --kind wordlda"),
            (("--sigma", 2), "requires --kind wordlda"),
            ((*words, "--dictionary", DICTIONARY, "--lambda", "nan"), "expected a number above 0"),
            ((*words, "--dictionary", DICTIONARY, "--lambda", "1,-2"), "--lambda is -2"),
            ((*words, "--dictionary", DICTIONARY, "--method", "cvb0"), "requires --method gibbs"),
            ((*words, "--spelling", "edits", "--min-cosine", 0.7), "--min-cosine requires"),
            ((*words, "--dictionary", DICTIONARY, "--stage", "de"), "no document is in that language; they are in en, fr"),
            ((*words, "--dictionary", DICTIONARY, "--stage", "en", "--stage-sweeps", 9), "each stage requires at least one sweep"),
            (("--languages-apart", "--sampler", "alias"), "--languages-apart requires"),
        ):
            self.assertIn(saying, self.refusal(*options, file=NOTICES, status=2))
        for option in (("--stage", "en"), ("--languages-apart",)):
            self.assertIn("languages", self.refusal(*option, status=2))

    def test_links_that_are_none(self):
        words = ("--kind", "wordlda", "--word-graph")
        for line, saying in (
            ("boat\tharbour\t-1", "bad.tsv:2:"),
            ("boat\tharbour\tinf", "bad.tsv:2:"),
            ("boat", "bad.tsv:2:"),
            ("boat\ttide\t1\t2", "bad.tsv:2:"),
        ):
            self.assertIn(saying, self.refusal(*words, self.write("bad.tsv", f"boat\ttide\n{line}\n"), file=NOTICES))
        dictionary = self.write("bad.dict", "boat\tbateau\nrampage\tkingpin\tx\n")
        call = ("--kind", "wordlda", "--dictionary", dictionary)
        self.assertIn("bad.dict:2: expected an entry, a tab and its translations", self.refusal(*call, file=NOTICES))
        done = self.train(*call, "--other-lines", "skip", file=NOTICES, sweeps=5)
        self.assertIn("1 lines in another format", done.err)

    def test_more_topics_than_words(self):
        self.assertIn("more than the 2 words of the vocabulary", self.refusal(file=self.write("two", "boat tide boat\n"), topics=3, status=2))

    def test_priors_that_are_none(self):
        for options in (("--alpha", "nan"), ("--alpha", "0"), ("--beta", "-1"), ("--beta", "inf")):
            self.refusal(*options, status=2)

    def test_options_of_another_method(self):
        for options, saying in (
            (("--method", "cvb0", "--sampler", "dense"), "requires --method gibbs"),
            (("--method", "cvb0", "--fixed-alpha"), "requires --method gibbs"),
            (("--tolerance", 0.1), "--tolerance requires --method cvb0"),
            (("--cycles", 5), "--cycles requires --sampler alias"),
        ):
            self.assertIn(saying, self.refusal(*options, status=2))
        self.train(model="used", sweeps=2)
        call = ("predict", TEST, "--model", self.path("used"), "--samples", 5)
        self.assertIn("--inference gibbs", self.topics(*call, status=2).err)

    def test_a_label_column_where_there_is_none(self):
        lines = self.write("lines.txt", "boat and tide\noven and dough\n")
        self.assertIn("lines.txt:1:", self.refusal("--columns", "label,text", file=lines))

    def test_texts_without_a_word(self):
        self.assertIn("expected words, found only stop words, numbers and short words", self.refusal(file=self.write("stop.txt", "the and of\n12\n"), topics=1))
        self.assertIn("expected documents, found none", self.refusal(file=self.write("empty.txt", "")))
        self.assertIn("within the document limits", self.refusal("--min-documents", 1000))

    def test_files_that_are_missing_or_others(self):
        for option in ("--held-out", "--stop-words", "--start"):
            self.assertIn("missing: cannot open", self.refusal(option, "missing"))
        self.assertIn("expected 4 columns (id,label,text,text), found 3", self.refusal("--columns", "id,label,text,text"))
        self.assertIn("expected the number of documents", self.refusal("--format", "uci"))

    def test_text_that_is_none(self):
        self.assertIn("bad.txt:2:", self.refusal(file=self.write("bad.txt", b"boat\n\xff\xfe\n")))

    def test_chains_that_do_not_fit(self):
        self.train(model="plain", sweeps=5)
        self.train("--keep-chain", model="kept", sweeps=5)
        start = ("--start", self.path("plain"))
        self.assertIn("--keep-chain", self.refusal(*start, status=2))
        start = ("--start", self.path("kept"))
        self.assertIn("already has 5 sweeps", self.refusal(*start, status=2))
        self.assertIn("has 4 topics, not 3", self.refusal(*start, topics=3, status=2))
        self.assertIn("other documents", self.refusal(*start, "--ngrams", 2, status=2))

    def test_shares_that_cannot_be_held_out(self):
        for share in ("0", "1", "-0.5", "0.0001"):
            self.refusal("--held-out", share, status=2)


class RelatedWords(TopicsTest):
    """wordlda on notices in two languages."""

    CALL = ("--kind", "wordlda", "--dictionary", DICTIONARY, "--stage", "en", "--beta-prior", "fixed", "--languages-apart",
            "--stop-words", "english", "--stop-words", str(PASTIMES / "stop_words.fr.txt"))

    def agreement(self):
        return json.loads(self.evaluate("--agreement", "--json", file=NOTICES))["agreement"][0]

    def test_languages_share_topics(self):
        done = self.train(*self.CALL, file=NOTICES, sweeps=400)
        self.assertIn("related words, by", done.err)
        self.assertGreater(self.agreement()["same_first_topic"], 0.6)
        self.train("--languages-apart", "--stage", "en", "--beta-prior", "fixed", file=NOTICES, sweeps=400)
        self.assertLess(self.agreement()["same_first_topic"], 0.6)

    def test_what_is_told(self):
        result = json.loads(self.train(*self.CALL, "--json", file=NOTICES).out)
        self.assertEqual(result["kind"], "wordlda")
        self.assertEqual(result["stages"], 2)
        self.assertGreater(result["links"], 250)
        self.assertEqual((result["lambda"], result["sigma"], result["trials"]), (0.5, 5, []))
        told = json.loads(self.inspect("--json"))
        self.assertEqual(sorted(told["topics"][0]["languages"]), ["en", "fr"])
        raised = told["topics"][0]["raised"][0]
        self.assertGreater(raised["prior"], raised["usual"])
        self.assertIn("words by language", self.inspect())
        self.assertIn("topic,prevalence,alpha,rank,word,probability,count,language", self.inspect("--as", "csv"))
        self.assertIn("fr:", self.inspect("--as", "csv"))

    def test_without_a_link_it_is_lda(self):
        """Whatever has no word of the documents links nothing."""
        links = self.write("links.tsv", "zebra\tgnu\n")
        done = self.train("--kind", "wordlda", "--word-graph", links, file=NOTICES)
        self.assertIn("the model is the same as lda", done.err)
        related = self.predict(NOTICES, "--json")
        self.train(file=NOTICES)
        self.assertEqual(self.predict(NOTICES, "--json"), related)

    def test_the_same_model_whatever_the_threads(self):
        models = []
        for threads in (1, 2):
            self.train(*self.CALL, "--threads", threads, "--held-out", 0.1, file=NOTICES, sweeps=150)
            models.append(self.read("m"))
        self.assertEqual(*models)

    def test_values_are_chosen_by_documents_that_were_not_learned_from(self):
        result = json.loads(self.train(*self.CALL, "--lambda", "0.3,3", "--sigma", "inf", "--json", file=NOTICES, sweeps=60).out)
        self.assertEqual([trial["lambda"] for trial in result["trials"]], [0.3, 3])
        best = min(result["trials"], key=lambda trial: trial["perplexity"])
        self.assertEqual(result["lambda"], best["lambda"])
        self.assertIsNone(result["sigma"])

    def test_links_are_found_and_written(self):
        self.topics("graph", NOTICES, "--dictionary", DICTIONARY, "--output", self.path("links.tsv"))
        lines = self.read("links.tsv").decode().splitlines()
        self.assertIn({"boat", "bateau", "1"}, [set(line.split("\t")) for line in lines])
        self.train("--kind", "wordlda", "--word-graph", self.path("links.tsv"), file=NOTICES, sweeps=120, model="a")
        self.train("--kind", "wordlda", "--dictionary", DICTIONARY, file=NOTICES, sweeps=120, model="b")
        said = [self.topics("predict", NOTICES, "--model", self.path(model)).out for model in "ab"]
        self.assertEqual(*said)
        for options in (("--spelling", "substrings"), ("--spelling", "edits", "--edits", 2), ("--company", "corpus", "--min-together", 2), ("--synonyms", DICTIONARY)):
            found = json.loads(self.topics("graph", NOTICES, *options, "--output", self.path("more.tsv"), "--json").out)
            self.assertGreater(found["links"], 0, options)

    def test_vectors_and_features(self):
        vectors = self.write("vectors.txt", "3 2\nboat 1 0\nbateau 0.9 0.1\nflour 0 1\n")
        found = json.loads(self.topics("graph", NOTICES, "--word-vectors", vectors, "--output", self.path("links.tsv"), "--json").out)
        self.assertEqual(found["links"], 1)
        features = self.write("features.tsv", "boat\tsea\nbateau\tsea sail:0.5\nflour\tkitchen\n")
        result = json.loads(self.train("--kind", "wordlda", "--word-features", features, "--json", file=NOTICES, sweeps=120).out)
        self.assertEqual((result["links"], result["related_words"], result["word_features"]), (0, 3, 3))

    def test_the_page_shows_languages_and_links(self):
        self.train(*self.CALL, "--report", self.path("page.html"), file=NOTICES, sweeps=120)
        page = self.read("page.html").decode()
        self.assertIn("Topics by language", page)
        self.assertIn("Effect of links between words", page)


if __name__ == "__main__":
    unittest.main()
