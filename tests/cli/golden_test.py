"""What the official scorers print (tests/golden), and what `trellis` prints of the same files: the same bytes, and exit status 1
with one clear sentence where they refuse. Where we differ on purpose, it is said here, and in docs/."""

import fractions
import json
import shlex
import unittest

from program import ProgramTest, SOURCE

GOLDEN = SOURCE / "tests" / "golden"


class Case:
    def __init__(self, folder):
        self.folder = folder
        self.name = folder.name
        said = dict(line.split(": ", 1) for line in (folder / "command.txt").read_text().splitlines()
                    if not line.startswith(" ") and ": " in line)
        self.words = shlex.split(said["command"].replace("$'\\t'", "'\t'").split("|")[0].split("<")[0])
        self.status = int(said["exit status"])
        self.expected = (folder / "expected.txt").read_bytes()

    def file(self, name):
        return str(self.folder / name)

    def has(self, option):
        return option in self.words

    def value(self, option):
        return self.words[self.words.index(option) + 1]


def cases(scorer):
    return [Case(folder) for folder in sorted((GOLDEN / scorer).iterdir())]


class Golden(ProgramTest):
    """Files are called by bare names, as the scorers were, in their folders."""

    def held_to(self, scorer, arguments, different=(), count=0):
        """arguments(case) are those of the program. `different`: cases in which we differ on purpose."""
        seen = set()
        for case in cases(scorer):
            seen.add(case.name)
            if case.name in different:
                continue
            with self.subTest(case=case.name):
                self.same(case, arguments(case))
        self.assertEqual(len(seen), count)
        self.assertLessEqual(set(different), seen)

    def same(self, case, arguments):
        refused = case.status != 0 or not case.expected
        done = self.run_program(*arguments, status=1 if refused else 0, cwd=case.folder)
        if refused:
            self.assertOneSentence(done.err)
        self.assertEqual(done.stdout, case.expected)


class Conlleval(Golden):
    TASK = "tag"

    def arguments(self, case):
        call = ["evaluate", "input.txt", "--convention", "conlleval"]
        for option, ours in (("-r", "--raw"), ("-l", "--latex")):
            call += [ours] if case.has(option) else []
        for option, ours in (("-o", "--outside"), ("-d", "--delimiter")):
            call += [ours, case.value(option)] if case.has(option) else []
        return call

    def test_conlleval(self):
        # Windows line ends are line ends here.
        self.held_to("conlleval", self.arguments, {"21_crlf"}, 25)

    def test_windows_line_ends(self):
        folder = GOLDEN / "conlleval" / "21_crlf"
        self.write("unix", (folder / "input.txt").read_bytes().replace(b"\r\n", b"\n"))
        both = [self.run_program("evaluate", file, "--convention", "conlleval").out
                for file in (folder / "input.txt", self.path("unix"))]
        self.assertEqual(*both)


class Letor(Golden):
    TASK = "rank"

    def test_scripts_of_the_collections(self):
        for scorer in ("letor3", "letor4", "mslr"):
            def arguments(case, convention=scorer):
                each = ["--per-query"] if case.words[-1] == "1" else []
                return ["evaluate", "features.txt", "--predictions", "predictions.txt", "--convention", convention, *each]
            self.held_to(f"{scorer}_eval", arguments, (), 13)


class Sklearn(Golden):
    TASK = "label"

    def test_multi_label_figures(self):
        def arguments(case):
            scores = ["--scores", "y_score.txt"] if (case.folder / "y_score.txt").exists() else []
            return ["evaluate", "y_true.txt", "--predictions", "y_pred.txt", "--matrix", "--convention", "sklearn", *scores]
        self.held_to("sklearn_multilabel", arguments, (), 12)


class Conllx(Golden):
    TASK = "parse"

    def arguments(self, official, punctuation):
        def call(case):
            words = ["score", "gold.conll", "system.conll", "--official", official, "--format", "conllx"]
            if case.has("-b"):
                words += ["--details", "sentences"]
            elif not case.has("-q"):
                words += ["--details", "tables"]
            words += ["--punctuation", punctuation] if case.has("-p") else []
            words += ["--no-deriv"] if case.has("-d") else []
            return words
        return call

    def test_conllx(self):
        # This copy of the script goes on where words differ; the released one stops, and so do we.
        self.held_to("conllx_eval", self.arguments("conllx", "scored"), {"13_word_pos_mismatch"}, 20)
        folder = GOLDEN / "conllx_eval" / "13_word_pos_mismatch"
        self.refused("score", folder / "gold.conll", folder / "system.conll", "--official", "conllx", "--format", "conllx",
                     saying="system.conll:")

    def test_conll07(self):
        # Version 1.2 of the script, which stops where words differ; 1.4 does not, and that is ours.
        self.held_to("conll07_eval", self.arguments("conll07", "left-out"), {"08_word_pos_mismatch_v12"}, 11)

    def test_evaluate_and_score_are_one(self):
        folder = GOLDEN / "conllx_eval" / "17_random"
        call = ["--official", "conllx", "--details", "sentences", "--format", "conllx"]
        done = self.run_program("evaluate", folder / "gold.conll", "--predictions", folder / "system.conll", *call)
        self.assertEqual(done.stdout, (folder / "expected.txt").read_bytes())


class Conll18(Golden):
    TASK = "parse"

    def arguments(self, case):
        details = "tables" if case.has("-v") else "counts" if case.has("-c") else "summary"
        return ["score", "gold.conllu", "system.conllu", "--official", "ud", "--details", details]

    def test_conll18(self):
        # Correct CoNLL-U, or nearly, that the script stops at.
        self.held_to("conll18_ud_eval", self.arguments,
                     {"20_error_no_final_blank_line", "21_error_empty_node_inside_mwt", "31_error_double_blank_line"}, 32)


class Evalb(Golden):
    TASK = "grammar"

    def arguments(self, case):
        call = ["score", "gold.mrg", "test.mrg", "--evalb", "--quiet", "--prm", "param.prm" if case.has("-p") else "none"]
        for option, ours in (("-c", "--cutoff"), ("-e", "--max-errors")):
            call += [ours, case.value(option)] if case.has(option) else []
        return call

    def test_evalb(self):
        self.held_to("evalb", self.arguments, (), 27)


class WaEvalAlign(Golden):
    TASK = "align"

    def test_wa_eval_align(self):
        self.held_to("wa_eval_align", lambda case: ["score", "submission.wa", "--gold", "gold.wa", "--official"], (), 19)


class TopicCoherence(Golden):
    TASK = "topics"

    MEASURES = {"u_mass": "umass", "c_uci": "uci", "c_npmi": "npmi", "pmi": "uci", "npmi": "npmi"}

    def figures(self, case, corpus, convention, window, epsilon):
        call = ["evaluate", corpus, "--topic-words", case.file("topics.txt"), "--convention", convention, "--json"]
        call += ["--window", window] if window else []
        call += ["--epsilon", epsilon] if epsilon else []
        return json.loads(self.run_program(*call).out)

    def test_coherence(self):
        compared = 0
        for case in cases_of_topics():
            corpus = self.path(case.name)
            self.run_program("corpus", case.file("docs.txt"), "--format", "lines", "--keep-case", "--numbers",
                             "--min-length", 1, "--stop-words", "none", "--output", corpus, "--quiet")
            told = {}
            for line in case.expected.decode().splitlines():
                library, measure, *settings, value = line.split()
                if measure not in self.MEASURES or library not in ("gensim", "tomotopy"):
                    continue
                said = dict(one.split("=") for one in settings if "=" in one)
                epsilon = fractions.Fraction(said["eps"]) if "/" in said.get("eps", "") else said.get("eps")
                key = (library, said.get("window", 0), epsilon if epsilon is None else float(epsilon))
                if key not in told:
                    told[key] = self.figures(case, corpus, *key)
                found = told[key]["topic_" + self.MEASURES[measure]][int(said["topic"]) - 1]
                if value == "nan":
                    self.assertIsNone(found, line)
                else:
                    self.assertAlmostEqual(found, float(value), delta=1e-12 + 1e-10 * abs(float(value)), msg=line)
                compared += 1
        self.assertEqual(compared, 288)


def cases_of_topics():
    class Topics(Case):
        def __init__(self, folder):
            self.folder, self.name = folder, folder.name
            self.expected = (folder / "expected.txt").read_bytes()
    return [Topics(folder) for folder in sorted((GOLDEN / "topic_coherence").iterdir())]


if __name__ == "__main__":
    unittest.main()
