"""What newcomers trip over: formats, columns, templates and missing files, each told or mended in one sentence."""

import unittest

from tag_program import TRAVEL, TagTest, sentences


def conllu(count, first=0):
    """Sentences of the sample data as CoNLL-U, with a comment, a multiword range and an empty node each."""
    rows = []
    for block in sentences("train.txt", count, first).strip().split("\n\n"):
        rows.append("# text = a sentence")
        for t, line in enumerate(block.split("\n"), 1):
            word, pos, label = line.split()
            if t == 1:
                rows.append("\t".join(["1-2", word + "'s", *"________"]))
            rows.append("\t".join([str(t), word, "_", pos, "_", "_", "0", "root", "_", f"Slot={label}"]))
            if t == 1:
                rows.append("\t".join(["1.1", "nothing", *"________"]))
        rows.append("")
    return "\n".join(rows) + "\n"


class Conllu(TagTest):
    def setUp(self):
        super().setUp()
        self.file = self.write("train.conllu", conllu(40))

    def test_words_and_labels_are_found(self):
        done = self.train_model("--dev", self.write("dev.conllu", conllu(10, 40)), files=[self.file], epochs=20)
        said = [line for line in done.err.splitlines() if "CoNLL-U" in line]
        self.assertEqual(len(said), 1, done.err)
        for part in ("train.conllu is read as CoNLL-U", "FORM (1)", "UPOS (3)", "--label-column", "--format columns"):
            self.assertIn(part, said[0])
        self.assertIn("NOUN", self.inspect()["labels"])
        self.assertGreater(self.evaluate(file=self.file)["accuracy"], 95)
        self.train_model("--word-column", 1, "--label-column", 3, "--format", "conllu", files=[self.file],
                         epochs=20, model="said")
        self.train_model(files=[self.file], epochs=20, model="found")
        self.assertEqual(self.read("said"), self.read("found"))

    def test_it_may_come_through_a_pipe(self):
        self.train_model(files=[self.file], model="a")
        self.tag("train", "-", "--epochs", 8, "--c", 1, "--model", self.path("b"), stdin=self.read("train.conllu"))
        self.assertEqual(self.read("a"), self.read("b"))

    def test_ranges_and_empty_nodes_pass_through(self):
        self.train_model(files=[self.file], epochs=30)
        text = conllu(5)
        out = self.predict(text).out.splitlines()
        for before, after in zip(text.splitlines(), out, strict=True):
            if not before[:1].isdigit() or not before.split("\t")[0].isdigit():
                self.assertEqual(before, after)
            else:
                self.assertEqual(before.split("\t")[:3], after.split("\t")[:3])
                self.assertEqual(before.split("\t")[4:], after.split("\t")[4:])
        self.assertEqual(self.evaluate(file=self.file)["tokens"], sentences("train.txt", 40).count(" ") // 2)

    def test_other_columns_can_be_said(self):
        done = self.train_model("--label-column", 9, "--template", "ner", files=[self.file], epochs=2)
        self.assertIn("the label MISC (9)", done.err)
        self.assertIn("no column of chunk tags", done.err)
        self.assertIn("Slot=O", self.inspect()["labels"])
        self.assertIn("pos = column 3", self.tag("inspect", "--template", "--model", self.path("m")).out)

    def test_columns_means_as_they_stand(self):
        done = self.train_model("--format", "columns", files=[self.file], epochs=1)
        self.assertNotIn("CoNLL-U", done.err)
        self.assertIn("Slot=O", self.inspect()["labels"])

    def test_what_is_none_is_refused_where_it_is_expected(self):
        self.refused("train", self.train, "--format", "conllu", "--model", self.path("m"), "--quiet",
                     saying="train.txt:1: expected a CoNLL-U word id in column 1")
        self.train_model(files=[self.file])
        self.refused("predict", self.dev, "--model", self.path("m"), saying="expected a CoNLL-U word id")


class Templates(TagTest):
    def test_they_are_listed_and_printed(self):
        listed = self.tag("template").out
        for name in ("none", "pos", "chunk", "ner", "ner-gazetteer"):
            self.assertRegex(listed, rf"(?m)^{name} +\S")
        self.assertIn("word = column 2\n", self.tag("template", "pos", "--word-column", 2).out)
        self.refused("template", "nonsense", status=2, saying="there is no template \"nonsense\"; there are: none, pos")
        self.refused("template", "ner-gazetteer", status=2, saying="--gazetteer")

    def test_what_is_printed_is_what_is_built_in(self):
        cities = self.write("cities.txt", "Lima\nNew York\n")
        four = "".join(
            f"{line} {line.split()[-1]}\n" if line else "\n" for line in sentences("train.txt", 20).splitlines()
        )
        file = self.write("four.txt", four)
        for name, more in (("pos", []), ("chunk", []), ("ner", []), ("ner-gazetteer", ["--gazetteer", cities]),
                           ("none", ["--columns", "0,1"])):
            with self.subTest(name=name):
                template = self.write(f"{name}.template", self.tag("template", name, *more).out)
                self.train_model("--template", name, *more, files=[file], model="a", epochs=2)
                self.train_model("--template", template, files=[file], model="b", epochs=2)
                self.assertEqual(self.read("a"), self.read("b"))

    def test_ner_does_without_columns_that_are_not_there(self):
        done = self.train_model("--template", "ner", epochs=2)
        self.assertIn("train.txt has no column of chunk tags (--chunk-column): the template ner does not use them", done.err)
        self.assertNotIn("parts of speech", done.err)
        words = "".join(
            f"{line.split()[0]} {line.split()[-1]}\n" if line else "\n" for line in sentences("train.txt", 20).splitlines()
        )
        file = self.write("words.txt", words)
        done = self.train_model("--template", "ner", files=[file], epochs=2)
        self.assertIn("has no column of parts of speech (--pos-column)", done.err)
        self.refused("train", file, "--template", "chunk", "--model", self.path("m"), status=2,
                     saying="the output of 'trellis tag template chunk'")
        self.refused("train", file, "--template", "ner", "--pos-column", 1, "--model", self.path("m"), "--quiet",
                     saying="expected at least 3 columns")


class Export(TagTest):
    def export(self, file, *arguments, name="out.items"):
        self.tag("features", file, "--output", self.path(name), *arguments)
        return self.path(name)

    def test_items_lead_to_the_same_model(self):
        dev = self.export(self.dev, "--template", "chunk", name="dev.items")
        items = self.export(self.train, "--template", "chunk")
        self.train_model("--template", "chunk", "--dev", self.dev, model="columns")
        self.train_model("--format", "items", "--dev", dev, files=[items], model="items")
        reports = [self.inspect(model, top=100000) for model in ("columns", "items")]
        self.assertEqual(*[report["features"] for report in reports])
        self.assertEqual(*[report["training"] for report in reports])
        self.assertEqual(self.evaluate("columns")["f1"], self.evaluate("items", dev)["f1"])
        again = self.export(items, "--format", "items", name="again.items")
        self.assertEqual(self.read("again.items"), self.read("out.items"))
        self.train_model("--format", "items", "--dev", dev, files=[again], model="again")
        self.assertEqual(self.read("again"), self.read("items"))

    def test_it_streams_from_pipes_on_any_number_of_threads(self):
        self.export(self.train, "--threads", 1)
        piped = self.tag("features", "-", "--threads", 2, stdin=self.read("train.txt"))
        self.assertEqual(piped.stdout, self.read("out.items"))

    def test_conllu_is_recognised(self):
        file = self.write("train.conllu", conllu(5))
        done = self.tag("features", file)
        self.assertIn("is read as CoNLL-U", done.err)
        self.assertRegex(done.out, r"^[A-Z]+\tword\[-1\]=_B-1\tword\[0\]=")

    def test_what_items_cannot_hold_is_refused(self):
        template = self.write("t.template", "word = column 0\nnode word\nedge word[0]\nedge\n")
        self.refused("features", self.train, "--template", template, status=2, saying="edge word[0]")
        self.refused("features", self.train, "--template", self.write("u.template", "node column 7\n"),
                     saying="train.txt:1: expected at least 9 columns")
        self.refused("features", self.path("none.txt"), saying="none.txt: cannot open")


class Warnings(TagTest):
    def test_words_taken_for_labels(self):
        lines = [" ".join(reversed(line.split()[:2])) for line in sentences("train.txt", 120).splitlines()]
        file = self.write("swapped.txt", "\n".join(lines) + "\n\n")
        done = self.train_model("--quiet", "--learner", "perceptron", files=[file], epochs=1)
        self.assertEqual(done.err.count("\n"), 1, done.err)
        self.assertRegex(done.err, r"swapped.txt: \d+ labels, \d+ of which occur once .*--label-column")

    def test_nothing_but_one_label(self):
        file = self.write("o.txt", "Lima X O\nis Y O\n\nfar Z O\n\n")
        done = self.train_model("--quiet", files=[file], epochs=1)
        self.assertEqual(done.err.count("\n"), 1, done.err)
        self.assertIn("o.txt: every token has the label 'O'", done.err)

    def other_features(self, name="other.items"):
        self.tag("features", self.dev, "--template", "none", "--format", "columns", "--output", self.path(name))
        return self.path(name)

    def test_a_dev_set_of_other_features(self):
        items = self.path("train.items")
        self.tag("features", self.train, "--template", "chunk", "--output", items)
        done = self.train_model("--format", "items", "--dev", self.other_features(), "--quiet", files=[items], epochs=2)
        self.assertEqual(done.err.count("\n"), 1, done.err)
        self.assertRegex(done.err, r"other.items: 100 % of its features never occur in .*train.items")

    def test_a_dev_set_of_many_other_labels_is_told_in_a_few_lines(self):
        dev = self.write("labels.txt", "".join(f"Porto PROPN B-L{k}\n" for k in range(8)) + "\n" + sentences("dev.txt", 10))
        done = self.train_model("--dev", dev, epochs=2)
        self.assertEqual(done.err.count("does not occur in the training set"), 5)
        self.assertIn("labels.txt: 3 other labels do not occur in the training set either", done.err)

    def test_a_file_of_other_features_than_the_model(self):
        items = self.path("train.items")
        self.tag("features", self.train, "--template", "chunk", "--output", items)
        self.train_model("--format", "items", files=[items], epochs=2)
        other = self.other_features()
        for command in ("predict", "evaluate"):
            done = self.tag(command, other, "--model", self.path("m"), "--quiet")
            self.assertEqual(done.err.count("\n"), 1, done.err)
            self.assertIn("other.items: 100 % of its features are unknown to the model", done.err)

    def test_columns_that_mean_something_else(self):
        self.train_model("--template", "none", "--format", "columns", epochs=2)
        lines = [line.split() for line in self.read("dev.txt").decode().splitlines()]
        file = self.write("swapped.txt", "\n".join(" ".join([f[1], f[0], f[2]]) if f else "" for f in lines) + "\n")
        done = self.tag("predict", file, "--model", self.path("m"), "--quiet")
        self.assertIn("swapped.txt", done.err)
        self.assertIn("unknown to the model", done.err)

    def test_healthy_data_has_none(self):
        for arguments in (["--template", "pos"], ["--template", TRAVEL / "travel.template"], ["--l1", 0.5],
                          ["--learner", "perceptron"], ["--min-count", 3]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.train_model("--quiet", "--dev", self.dev, *arguments).err, "")
                for command in ("predict", "evaluate"):
                    self.assertEqual(self.tag(command, self.dev, "--model", self.path("m"), "--quiet").err, "")


class MissingInputs(TagTest):
    """Every input is opened before the training file is read: here that one is broken, and nobody gets to see it."""

    def test_they_are_found_before_any_work(self):
        broken = self.write("broken.txt", "a X O\nb O\n\n")
        gone = self.path("gone")
        for option in (["--dev", gone], ["--template", gone], ["--template", "ner-gazetteer", "--gazetteer", gone],
                       ["--warm-start", gone]):
            with self.subTest(option=option):
                done = self.tag("train", broken, *option, "--model", self.path("m"), "--quiet", status=1)
                self.assertIn("gone: cannot open", done.err)
        self.refused("train", broken, gone, "--model", self.path("m"), saying="gone: cannot open")


class IllegalTags(TagTest):
    def test_the_sentence_names_the_flag_that_helps(self):
        bad = self.write("bad.txt", "Lima X B-CITY\nis Y O\n\nin X O\nRio Y I-CITY\n\n")
        self.refused("train", bad, "--quiet", "--model", self.path("m"),
                     saying="bad.txt:5: expected a legal iob2 sequence, found I-CITY after O; use --repair to read it")
        self.tag("train", bad, "--repair", "--epochs", 2, "--model", self.path("m"))
        strange = self.write("strange.txt", "Lima X B-CITY\nRio Y Q-CITY\n\n")
        done = self.refused("train", strange, "--file-scheme", "iob2", "--quiet", "--model", self.path("m"),
                            saying="found Q-CITY")
        self.assertNotIn("--repair", done.err)


if __name__ == "__main__":
    unittest.main()
