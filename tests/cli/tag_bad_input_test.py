"""Bad input and wrong calls: refused with one sentence that says where and what was expected."""

import subprocess
import unittest

from tag_program import TagTest, sentences
from program import PROGRAM

SMALL = "Lima X B-CITY\nis Y O\nfar Z O\n\nNora X B-PERSON\nflies Y O\n\n"


class BadData(TagTest):
    def refuse_training(self, content, saying, *arguments, name="bad.txt"):
        file = self.write(name, content)
        done = self.refused("train", file, "--quiet", "--model", self.path("m"), *arguments, saying=saying)
        self.assertNotIn("m", self.files())
        return done

    def test_unequal_columns_are_refused_with_their_line(self):
        self.refuse_training(
            "a X O\nb X O\n\nc O\n\n", "bad.txt:4: expected 3 columns, as in line 1, found 2"
        )

    def test_files_with_other_columns_than_the_first_are_refused(self):
        other = self.write("other.txt", "a O\n\n")
        self.refused(
            "train", self.train, other, "--quiet", "--model", self.path("m"),
            saying="other.txt:1: expected 3 columns, as in",
        )

    def test_a_file_without_a_sentence_is_refused(self):
        for content in ("", "\n\n\n", "-DOCSTART- -X- O\n\n"):
            self.refuse_training(content, "bad.txt: expected sequences to train on, found none")

    def test_an_empty_dev_or_test_file_is_refused(self):
        empty = self.write("empty.txt", "")
        self.refused(
            "train", self.train, "--dev", empty, "--quiet", "--model", self.path("m"),
            saying="empty.txt: expected sequences to evaluate on, found none",
        )
        self.train_model()
        self.refused("evaluate", empty, "--model", self.path("m"), saying="empty.txt: expected sequences, found none")

    def test_nothing_to_predict_is_no_error(self):
        self.train_model()
        self.assertEqual(self.predict("").out, "")

    def test_invalid_utf8_is_refused_with_its_line(self):
        bad = b"Lima X O\nBod\xc3 X O\n\n"
        self.refuse_training(bad, "bad.txt:2: expected UTF-8, found an invalid sequence at byte 4")
        self.train_model()
        self.refused(
            "predict", self.path("bad.txt"), "--model", self.path("m"), saying="bad.txt:2: expected UTF-8"
        )

    def test_an_illegal_tag_sequence_is_refused_unless_it_is_to_be_repaired(self):
        illegal = SMALL + "in X O\nRio Y I-CITY\n\n"
        self.refuse_training(illegal, "bad.txt:9: expected a legal iob2 sequence, found I-CITY after O")
        done = self.tag("train", self.path("bad.txt"), "--repair", "--epochs", 3, "--model", self.path("m"))
        self.assertIn("repaired 1 labels", done.err)

    def test_a_label_of_no_scheme_is_refused_where_there_is_one(self):
        self.refuse_training(
            SMALL + "x X Q-CITY\n\n",
            "bad.txt:8: expected O or a label with B-, I- (iob2), found Q-CITY",
            "--file-scheme", "iob2",
        )

    def test_an_empty_label_is_refused(self):
        self.refuse_training("a\tX\nb\t\n\n", "bad.txt:2: expected a label, found an empty column")

    def test_a_dev_set_with_other_columns_is_refused(self):
        dev = self.write("dev2.txt", "Lima B-CITY\n\n")
        self.refused(
            "train", self.train, "--dev", dev, "--quiet", "--model", self.path("m"),
            saying="dev2.txt:1: expected 3 columns, as in the training set, found 2",
        )

    def test_a_file_with_other_columns_than_the_model_is_refused(self):
        self.train_model()
        self.refused(
            "predict", "--model", self.path("m"), stdin="one\n\n",
            saying="<stdin>:1: expected 2 columns, or 3 with the label, as in training, found 1",
        )
        two = self.write("two.txt", "one X\n\n")
        self.refused(
            "evaluate", two, "--model", self.path("m"),
            saying="two.txt:1: expected 3 columns, as in training, found 2",
        )

    def test_sentences_before_an_error_are_tagged(self):
        self.train_model()
        file = self.write("late.txt", "Lima PROPN\n\n" * 3 + "broken\n\n")
        done = self.tag("predict", file, "--model", self.path("m"), status=1)
        self.assertEqual(done.out.count("Lima PROPN "), 3)
        self.assertIn("late.txt:7:", done.err)

    def test_a_column_file_is_no_item_file(self):
        self.refuse_training(SMALL, "bad.txt:1: expected items after the label", "--template", "none")

    def test_an_item_value_that_is_no_number_is_refused(self):
        self.refuse_training("O\tw=a:b\n\n", 'bad.txt:1: expected name:number', "--format", "items")

    def test_partial_labels_must_leave_a_legal_labelling(self):
        self.refuse_training(
            SMALL + "x X ?\ny X O\nz X I-CITY|I-PERSON\n\n", "bad.txt:8: expected labels that allow a legal labelling",
            "--partial", "--file-scheme", "iob2",
        )


class NoLegalLabels(TagTest):
    """In BIOES a single token needs O or an S-label; here training has neither."""

    def test_every_command_says_so(self):
        pairs = self.write("pairs.txt", "New X B-CITY\nYork X E-CITY\n\n")
        single = self.write("single.txt", "New X B-CITY\nYork X E-CITY\n\nLima X S-CITY\n\n")
        self.train_model(files=[pairs], epochs=2)
        commands = (["predict"], ["evaluate"], ["explain", "--sentence", 2])
        for command, *options in commands:
            self.refused(
                command, single, "--model", self.path("m"), *options,
                saying="single.txt:4: the model allows no label sequence of this length",
            )
        self.refused(
            "train", pairs, "--dev", single, "--quiet", "--model", self.path("m"),
            saying="single.txt:4: the labels of the training set allow no label sequence",
        )


class UnseenLabels(TagTest):
    def test_evaluate_warns_and_counts_them_as_missed(self):
        self.train_model()
        gold = self.write("gold.txt", "Lima PROPN B-PLANET\nis VERB O\n\n")
        done = self.tag("evaluate", gold, "--model", self.path("m"))
        self.assertIn("gold.txt: the model has no label 'B-PLANET': its occurrences count as mistakes", done.err)
        self.assertEqual(self.evaluate(file=gold)["unseen_labels"], ["B-PLANET"])
        self.assertEqual(self.evaluate(file=gold)["recall"], 0)

    def test_train_warns_of_those_of_the_dev_set(self):
        gold = self.write("gold.txt", "Lima PROPN B-PLANET\nis VERB O\n\n")
        done = self.train_model("--dev", gold, "--quiet")
        self.assertIn("gold.txt: the label 'B-PLANET' does not occur in the training set", done.err)

    def test_a_constraint_with_one_is_refused(self):
        self.train_model()
        self.refused(
            "predict", "--model", self.path("m"), "--constraints", 1, stdin="is _\nLima B-PLANET\n\n",
            saying="<stdin>:2: expected labels of the model",
        )


class BadTemplates(TagTest):
    def test_a_syntax_error_shows_its_place(self):
        template = self.write("t.template", "word = column 0\nnode lower(word)[0\nedge\n")
        done = self.tag(
            "train", self.train, "--template", template, "--model", self.path("m"), status=1
        )
        first, source, caret = done.err.rstrip("\n").split("\n")
        self.assertIn("t.template:2:", first)
        self.assertIn("node lower(word)[0", source)
        column = caret.index("^")
        self.assertEqual(source[:column].strip(), "node lower(word)[0")

    def test_a_missing_list_is_named(self):
        template = self.write("t.template", 'word = column 0\nnode in(word, "nowhere.txt")\n')
        done = self.tag("train", self.train, "--template", template, "--model", self.path("m"), status=1)
        self.assertIn("nowhere.txt", done.err)

    def test_more_columns_than_the_file_has_are_refused(self):
        template = self.write("t.template", "node column 7\n")
        self.refused(
            "train", self.train, "--template", template, "--model", self.path("m"),
            saying="train.txt:1: expected at least 9 columns",
        )

    def test_the_label_is_no_feature(self):
        self.refused(
            "train", self.train, "--label-column", 0, "--model", self.path("m"), status=2,
            saying="the template uses column 0, which contains the label to predict",
        )


class FullDisk(TagTest):
    def test_predictions_that_cannot_be_written_are_an_error(self):
        self.train_model()
        self.refused(
            "predict", self.dev, "--model", self.path("m"), "--output", "/dev/full",
            saying="/dev/full: cannot write: No space left on device",
        )
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [PROGRAM, "tag", "predict", self.dev, "--model", self.path("m")],
                stdout=full, stderr=subprocess.PIPE, check=False,
            )
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"No space left on device", done.stderr)

    def test_a_model_that_cannot_be_written_is_an_error(self):
        self.refused(
            "train", self.train, "--quiet", "--epochs", 2, "--model", "/dev/full",
            saying="/dev/full: cannot write: No space left on device",
        )

    def test_the_old_model_stays_and_nothing_is_left_behind(self):
        self.train_model(epochs=2)
        before = self.read("m")
        # A file may not grow beyond 4 KiB: what a full disk does to the new model.
        limited = ["sh", "-c", 'ulimit -f 8; trap "" XFSZ; exec "$@"', "sh", PROGRAM]
        done = subprocess.run(
            limited + ["tag", "train", self.train, "--epochs", "3", "--model", self.path("m")],
            capture_output=True, check=False,
        )
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"cannot write", done.stderr)
        self.assertEqual(self.read("m"), before)
        self.assertEqual(self.files(), ["dev.txt", "m", "train.txt"])

    def test_a_failed_prediction_leaves_the_old_output(self):
        self.train_model(epochs=2)
        out = self.write("out.txt", "old\n")
        bad = self.write("bad.txt", "Lima PROPN\n\nbroken\n\n")
        self.tag("predict", bad, "--model", self.path("m"), "--output", out, status=1)
        self.assertEqual(self.read("out.txt"), b"old\n")
        self.assertEqual(self.files(), ["bad.txt", "dev.txt", "m", "out.txt", "train.txt"])

    def test_a_folder_that_does_not_exist_is_found_before_training(self):
        for option in (["--model", "/nonexistent/m"], ["--model", self.path("m"), "--report", "/nonexistent/r"],
                       ["--model", self.path("m"), "--checkpoint", "/nonexistent/c"]):
            done = self.refused("train", self.train, *option, saying="/nonexistent/")
            self.assertNotIn("read", done.err)


class ClosedPipe(TagTest):
    def test_a_reader_that_goes_away_ends_prediction_quietly(self):
        self.train_model(epochs=2)
        many = self.write("many.txt", sentences("dev.txt", 30) * 100)
        process = subprocess.Popen(
            [PROGRAM, "tag", "predict", many, "--model", self.path("m")],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        process.stdout.read(10)
        process.stdout.close()
        error = process.stderr.read()
        process.stderr.close()
        self.assertIn(process.wait(timeout=60), (-13, 1))
        self.assertLessEqual(error.count(b"\n"), 1, error)


class WrongCalls(TagTest):
    def refuse_call(self, *arguments, saying):
        done = self.tag("train", self.train, "--model", self.path("m"), *arguments, status=2)
        self.assertIn(saying, done.err)
        self.assertNotIn("m", self.files())

    def test_cells_of_the_table_that_mathematics_does_not_allow(self):
        cells = [
            ("--learner lbfgs --loss svm", "lbfgs needs a gradient"),
            ("--learner lbfgs --beta inf", "lbfgs needs a gradient"),
            ("--learner mira --loss crf", "mira works with best outputs and requires the hinge"),
            ("--learner mira --loss perceptron", "with gamma = 0 the hinge has no margin"),
            ("--learner dca --loss perceptron", "with gamma = 0 the hinge has no margin"),
            ("--learner perceptron --beta 2", "perceptron works with best outputs and requires the hinge"),
            ("--learner dca --l1 1", "--l1 cannot be combined with the learner dca: it requires lbfgs"),
            ("--learner dca --partial", "unknown labels make the loss non-convex"),
            ("--partial --certify", "--certify and --gap are not possible"),
            ("--partial --gap 0.1", "--certify and --gap are not possible"),
            ("--learner sgd --voters 3", "--voters cannot be combined with the learner sgd: it requires perceptron"),
            ("--learner sgd --dual stored", "--dual cannot be combined with the learner sgd: it requires dca"),
            ("--learner extragradient --loss crf", "extragradient works with best outputs and requires the hinge"),
            ("--learner smo", "for other structures choose structured-smo"),
            ("--rescale slack --learner mira", "--rescale cannot be combined with the learner mira: it requires dca, sgd, perceptron, bcfw or bmrm"),
            ("--rescale slack --loss crf --learner dca", "--rescale slack requires the hinge (beta = inf: svm), but beta is 1"),
            ("--rescale cost --learner dca", "--rescale is 'cost': expected one of margin, slack"),
            ("--learner structured-smo --loss perceptron", "with gamma = 0 the hinge has no margin"),
            ("--learner bcfw --radius 3", "--radius cannot be combined with the learner bcfw: it requires extragradient, projected-gradient or qp"),
            ("--learner extragradient --l1-ball", "--l1-ball requires extragradient with --radius"),
            ("--kernel poly:2 --l1 1", "--kernel poly:2:1 cannot be combined with an L1 penalty"),
            ("--kernel poly:2 --hash-bits 10", "--kernel poly:2:1 cannot be combined with --hash-bits"),
            ("--kernel cubic", "unknown kernel 'cubic': expected linear, poly:DEGREE"),
            ("--kernel-rank 10", "--kernel-rank requires --kernel"),
            ("--implicit", "--implicit requires --kernel"),
            ("--implicit --kernel poly:2 --kernel-rank 10", "--implicit cannot be combined with --kernel-rank"),
            ("--implicit --kernel poly:2 --learner dca --loss svm", "only extragradient"),
        ]
        for call, reason in cells:
            with self.subTest(call=call):
                done = self.tag("train", self.train, "--model", self.path("m"), *call.split(), status=2)
                self.assertOneSentence(done.err)
                self.assertIn(reason, done.err)

    def test_values_out_of_range(self):
        calls = [
            ("--c 0", "--c is '0': expected a number above 0"),
            ("--c nan", "--c is 'nan': expected a number"),
            ("--beta 0", "beta must be positive"),
            ("--beta x", "expected a positive number or inf"),
            ("--gamma -1", "gamma must be finite and not negative"),
            ("--l1 -1", "expected a number from 0 on"),
            ("--epsilon nan", "expected a number"),
            ("--gap -1", "expected a number from 0 on"),
            ("--label-column -2", "expected a number from 0 on"),
            ("--order 5", "--order"),
            ("--hash-bits 31", "--hash-bits"),
            ("--threads -1", "the number of threads must not be negative"),
            ("--learner mira --k 0", "expected a number above 0"),
            ("--learner sgd --eta -1", "expected a number from 0 on"),
            ("--label-weight O", "expected LABEL=WEIGHT"),
            ("--label-weight B-PLANET=2", "does not occur"),
            ("--loss huber", "unknown loss 'huber'"),
            ("--template ner-gazetteer", "the template ner-gazetteer requires --gazetteer"),
            ("--format items --template pos", "item files already contain their features"),
            ("--scheme iob1", "--scheme"),
        ]
        for call, reason in calls:
            with self.subTest(call=call):
                self.refuse_call("--quiet", *call.split(), saying=reason)

    def test_an_unknown_option_or_none_at_all(self):
        self.refuse_call("--bogus", saying="--bogus")
        self.tag("predict", status=2)
        self.tag("frobnicate", status=2)
        self.tag(status=2)

    def test_questions_that_a_voted_model_cannot_answer(self):
        self.train_model("--learner", "perceptron", "--voters", 5, epochs=2)
        for option in (["--nbest", 2], ["--scores"], ["--marginals"]):
            self.refused(
                "predict", "--model", self.path("m"), *option, status=2, saying="a voted model has no scores"
            )
        self.refused("explain", self.dev, "--model", self.path("m"), status=2, saying="a voted model")

    def test_a_token_or_sentence_that_is_not_there(self):
        self.train_model(epochs=2)
        self.refused(
            "explain", self.dev, "--model", self.path("m"), "--sentence", 99, saying="there is no sentence 99"
        )
        self.refused(
            "explain", self.dev, "--model", self.path("m"), "--token", 99, status=2, saying="no token 99"
        )


if __name__ == "__main__":
    unittest.main()
