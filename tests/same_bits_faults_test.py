#!/usr/bin/env python3
"""Plants faults in sources and expects same_bits_test.py to find each, and nothing else."""

import unittest

from same_bits_test import LET_IN, complaints

SOUND = {name: f"#include <{libraries[0]}X>\n" for name, (libraries, _) in LET_IN.items()}


def found(text, name="trellis/learn/a.cc"):
    return list(complaints({**SOUND, name: text}))


class SameBitsFaults(unittest.TestCase):
    def expect(self, what, text):
        lines = found(text)
        self.assertEqual(len(lines), 1, lines)
        self.assertIn(what, lines[0])

    def test_functions_of_the_c_library(self):
        self.expect("a.cc:2: std::exp ", "\ndouble x = std::exp(1);")
        self.expect("std::pow ", "y = 2 * std::pow(x, 3);")
        self.expect("log ", "using std::log;\ny = log(x);")
        self.expect("::lgamma_r ", "return ::lgamma_r(x, &sign);")
        self.expect("std::cosf ", "y = std::cosf(x);")
        self.expect("std::hypot ", "y = std::hypot (a, b);")

    def test_what_is_exact_or_the_houses_own_passes(self):
        for text in (
            "y = std::sqrt(x) + std::floor(x) + std::ldexp(x, 3);",
            "y = portable_exp(x) + portable_log(x);",
            "const V y = exp(d, hn::Sub(x, largest));",
            "return hn::GetLane(log(One(), hn::Set(One(), x)));",
            "const WideNumber y = WideNumber::exp(x);\nreturn y.log();",
            "// std::exp(x) is another on other machines",
            'throw UsageError("log(x) of nothing");',
        ):
            self.assertEqual(found(text), [], text)

    def test_what_only_pictures_and_the_program_show_passes(self):
        self.assertEqual(found("y = std::log10(x);", "trellis/pictures/charts/a.cc"), [])
        self.assertEqual(found("y = std::log10(x);", "trellis/tasks/tag/page/a.cc"), [])

    def test_sums_and_draws_that_the_standard_leaves_open(self):
        self.expect("std::reduce ", "y = std::reduce(x.begin(), x.end());")
        self.expect("std::normal_distribution ", "std::normal_distribution<double> bell;")
        self.expect("hn::MulAdd ", "y = hn::MulAdd(a, b, c);")
        self.expect("long double ", "long double sum = 0;")

    def test_libraries(self):
        self.expect("includes <Eigen/Dense>", "#include <Eigen/Dense>\n")
        self.expect("includes <IpTNLP.hpp>", "#  include <IpTNLP.hpp>\n")
        self.assertIn("<Eigen/Core>", found("#include <Eigen/Core>\n", "trellis/solve/polytopes/linear_program.cc")[0])

    def test_who_is_let_in_without_need(self):
        name = next(iter(LET_IN))
        self.assertEqual(found("int x;", name), [f"{name}: is let in and does not need to be"])


if __name__ == "__main__":
    unittest.main()
