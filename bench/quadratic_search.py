"""Quadratic matchings of random sentences of 10, 20 and 30 words, one or two links for each word: exact search and Cbc.

Problems have the form of those of the aligner, with 4 to 5 candidate links for each word. The exact search and the integer program in Cbc
must find the same value. `no split` is the share for which the relaxation with its reduced costs is sufficient. Dense problems in which
nearly all links have similar scores are much harder, and are not included.

    ./dev bench quadratic-search [--problems N]
"""

import argparse
import json
import sys

from peers import BUILD, run, save, sized, table

REPORT = {
    "title": "Quadratic matchings compared with Cbc",
    "chapter": "Word alignment",
    "claims": {"search": ["On random sentences of up to 30 words the best quadratic matching takes less than a millisecond on average, less than a "
                          "hundredth of the time of an integer program.", ""]},
    "minutes": [1, 1],
    "needs": ["debian"],
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--problems", type=int, default=50, help="of each kind")
    arguments = sized(parser)
    rows = []
    for links in (1, 2):
        for words in (10, 20, 30):
            row = json.loads(run(BUILD / "bench" / "quadratic_search_program", words, links, arguments.problems)["output"])
            if row["difference"] > 1e-6:
                sys.exit(f"{words} words, {links} links: the values of Trellis and Cbc differ by {row['difference']:.1e}")
            rows.append({**row, "ratio": row["cbc"] / row["ours"]})
    table("The best quadratic matching, the same value found by both (means)",
          ["words", "links", "edges", "pairs", "ms", "Cbc ms", "× Trellis", "no split %", "LP fractional %"],
          [[r["words"], r["links"], r["edges"], r["pairs"], 1e3 * r["ours"], 1e3 * r["cbc"], r["ratio"], 100 * r["unbranched"],
            100 * r["fractional"]] for r in rows])
    save({"rows": rows})


if __name__ == "__main__":
    main()
