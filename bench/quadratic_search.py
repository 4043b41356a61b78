"""Quadratic matchings of random sentences of 10, 20 and 30 words, one or two links a word: the exact search beside the integer program in Cbc.

Problems of the aligner's shape, with 4 to 5 candidate links a word; both must find the same value. `no split`: the relaxation, with its
reduced costs, is enough. Dense problems in which nearly every link scores alike are harder by far, and are not among these.

    ./dev bench quadratic-search [--problems N]"""

import argparse
import json
import sys

from peers import BUILD, run, save, sized, table

REPORT = {
    "title": "Quadratic matchings beside Cbc",
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
