#!/usr/bin/env python3
"""Fails on what would make the bits of a model depend on the machine, anywhere but in pictures, pages of tasks and the
command line: functions of the C library that are not rounded exactly (solve/vectors/ has its own), random
distributions and sums of an order that the standard leaves open, and libraries whose arithmetic is not the house's.
A library is let into the files that are named here, each with a reason. Usage: same_bits_test.py SOURCE_DIR
"""

import re
import sys
from pathlib import Path

# What these print is looked at; nothing that they compute is learned from.
ABOVE = re.compile(r"trellis/(?:pictures|cli|frame/training/page|tasks(?:/\w+)+/page)/")

C_LIBRARY = (
    "exp exp2 expm1 log log2 log10 log1p pow cbrt hypot sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh"
    " sincos erf erfc lgamma lgamma_r tgamma fma"
).split()
# std::NAME, ::NAME or NAME alone, called, with the suffix of another type or not. What has another owner (Wide::exp,
# x.log()) is the house's, and so are those whose first argument is a Highway tag.
CALL = re.compile(r"(?<![\w.>:])((?:std::|::)?(?:%s)[fl]?)\s*\((?!(?:d|narrow|One\(\)), )" % "|".join(C_LIBRARY))
DEFINITION = re.compile(r"\bstatic WideNumber exp\(|\bdouble log\(\) const\b|HWY_INLINE V (?:exp|log)\(D d, V x\)")
UNORDERED = re.compile(r"\b(std::(?:reduce|transform_reduce|\w+_distribution|random_device|mt19937\w*)|long double|"
                       r"hn::(?:MulAdd|NegMulAdd|MulSub|NegMulSub|ApproximateReciprocal\w*|SumOfLanes|ReduceSum))\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]((?:Eigen|hwy/contrib|Clp|Coin|Ip[A-Z]|cblas|lapacke)[^>"]*)[>"]', re.MULTILINE)
COMMENT = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')

ONE_ORDER = "without vector code, of vectors and single columns alone, Eigen adds up in one order"
LET_IN = {
    "trellis/solve/polytopes/normal_equations.h": (("Eigen",), "a sparse Cholesky decomposition, column by column: " + ONE_ORDER),
    "trellis/solve/polytopes/factor_size.cc": (("Eigen",), "an ordering and an elimination tree: whole numbers alone"),
    "trellis/solve/polytopes/nearest_mix.cc": (("Eigen",), "dense systems of a few unknowns: " + ONE_ORDER),
    "trellis/solve/polytopes/linear_program.cc": (("Clp", "Coin"), "vertices of linear programs, rounded to a grid by those who learn from them"),
    "trellis/solve/polytopes/convex_program.cc": (("Ip",), "the reference quadratic program, to its tolerance: not by its bits"),
}


# What these print is what another program prints, to its last digit, and its logarithm is the C library's.
AS_OTHERS_PRINT = {"trellis/scorers/letor_scripts.cc"}


def complaints(texts):
    used = set()
    for name, text in sorted(texts.items()):
        if ABOVE.match(name):
            continue
        libraries, _ = LET_IN.get(name, ((), ""))
        for header in INCLUDE.findall(text):
            if header.startswith(libraries):
                used.add(name)
            else:
                yield f"{name}: includes <{header}>, whose arithmetic is not the house's"
        for number, line in enumerate(COMMENT.sub("", text).splitlines(), 1):
            line = DEFINITION.sub("", line)
            called = () if name in AS_OTHERS_PRINT else CALL.findall(line)
            for found in (*called, *UNORDERED.findall(line)):
                yield f"{name}:{number}: {found} has other bits on other machines"
    for name in LET_IN.keys() - used:
        yield f"{name}: is let in and does not need to be"


def main():
    root = Path(sys.argv[1])
    files = [p for p in (root / "trellis").rglob("*") if p.suffix in {".h", ".cc"}]
    found = list(complaints({p.relative_to(root).as_posix(): p.read_text(encoding="utf-8") for p in files}))
    print("\n".join(found) if found else f"{len(files)} files, no complaint")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
