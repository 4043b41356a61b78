"""Speed of LDA beside tomotopy and scikit-learn: tokens/s, held-out likelihood after the same time, memory, growth.

    ./dev bench topics-speed [--data newsgroups zipf] [--topics 100 1000] [--seconds S] [--tokens N] [--part speed growth] [--without-scikit]

Documents of 20 Newsgroups' training part (every tenth held out; the test part is not read), and a made-up corpus with Zipfian words.
Priors are held: β = 0.01, α = 10 / K for 100 topics and 50 / K for 1000. Speed is that of the sweeps after the start, in the same run and
by turns with the peer's. The held-out likelihood is the left-to-right estimate of one program for both, after the same seconds from the
start on. Growth: seconds of a sweep against tokens (parts of the made-up corpus) and against topics, as exponents of power laws.
"""

import argparse
import json
import pathlib

from peers import BUILD, WORK, data, exponent, peer_python, run, save, table

HERE = pathlib.Path(__file__).parent / "peers"
PYTHON = peer_python("numpy", "scipy", "scikit-learn", "tomotopy")
PROGRAM = BUILD / "bench" / "topics_speed_program"
BETA = 0.01


def alpha(topics):
    return 10 / topics if topics <= 100 else 50 / topics


def corpus(name, tokens):
    path = WORK / f"topics-{name}-{tokens}.bin"
    held_out = WORK / f"topics-{name}-held-out.bin"
    if name == "newsgroups":
        run(PYTHON, HERE / "word_numbers.py", "newsgroups", data("20news", "train.tsv.gz"), path, held_out)
        return path, held_out
    if not path.exists():
        run(PYTHON, HERE / "word_numbers.py", "zipf", tokens, path)
    return path, "-"


def ours(path, held_out, topics, threads, sweeps, seconds, sampler="auto"):
    call = run(PROGRAM, path, held_out, topics, alpha(topics), BETA, threads, sampler, sweeps, seconds)
    return {**json.loads(call["output"]), "memory": call["memory"]}


def theirs(path, held_out, topics, workers, sweeps, seconds):
    counts = WORK / "topics-counts.bin" if held_out != "-" else "-"
    call = run(PYTHON, HERE / "tomotopy_lda.py", path, counts, topics, alpha(topics), BETA, workers, sweeps, seconds)
    result = json.loads(call["output"])
    if held_out != "-":
        judged = run(PROGRAM, "judge", counts, held_out, topics, alpha(topics), BETA)
        result.update(json.loads(judged["output"]))
    return result


def scikit(path, topics, jobs):
    return json.loads(run(PYTHON, HERE / "sklearn_lda.py", path, topics, alpha(topics), BETA, jobs, 2)["output"])


def speed(names, all_topics, seconds, tokens, with_scikit):
    results, rows = [], []
    for name in names:
        path, held_out = corpus(name, tokens)
        for topics in all_topics:
            for threads in (1, 2):
                us = ours(path, held_out, topics, threads, 10**6, seconds)
                them = theirs(path, held_out, topics, threads, 10**6, seconds)
                row = {"data": name, "topics": topics, "threads": threads, "trellis": us, "tomotopy": them}
                # The memory of the chain itself, without the judgement of held-out documents.
                row["trellis"]["memory"] = ours(path, "-", topics, threads, 2, seconds)["memory"]
                if name == "newsgroups" and with_scikit:
                    row["scikit_learn"] = scikit(path, topics, threads)
                results.append(row)
                rate = [r["tokens_per_second"] / 1e6 for r in (us, them)]
                rows.append([name, topics, threads, *rate, rate[0] / rate[1],
                             row.get("scikit_learn", {}).get("tokens_per_second", float("nan")) / 1e6,
                             us.get("held_out", float("nan")), them.get("held_out", float("nan")),
                             f"{us['memory']:.0f}", f"{them['memory']:.0f}"])
    table(f"Million tokens a second; log-likelihood of a held-out token after {seconds:g} s; MB (tomotopy's less what Python had before)",
          ["data", "K", "threads", "trellis", "tomotopy", "ratio", "sklearn", "trellis", "tomotopy", "MB", "tomotopy"], rows)
    return results


def growth(tokens):
    """One thread, five sweeps."""
    sizes = [tokens // 8, tokens // 4, tokens // 2, tokens]
    by_tokens = [ours(corpus("zipf", n)[0], "-", 100, 1, 5, 10**6)["seconds"] for n in sizes]
    many = [50, 100, 200, 500, 1000, 2000]
    path = corpus("zipf", sizes[0])[0]
    by_topics = [ours(path, "-", k, 1, 5, 10**6)["seconds"] for k in many]
    result = {"tokens": {"sizes": sizes, "seconds": by_tokens, "exponent": exponent(sizes, by_tokens)},
              "topics": {"sizes": many, "seconds": by_topics, "exponent": exponent(many, by_topics)}}
    table("Seconds of five sweeps, one thread", ["of", *["" for _ in many], "exponent"],
          [["tokens", *sizes, *["" for _ in many[len(sizes):]], ""],
           ["", *by_tokens, *["" for _ in many[len(sizes):]], result["tokens"]["exponent"]],
           ["topics", *many, ""], ["", *by_topics, result["topics"]["exponent"]]])
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", nargs="+", default=["newsgroups", "zipf"])
    parser.add_argument("--topics", nargs="+", type=int, default=[100, 1000])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--tokens", type=int, default=20_000_000)
    parser.add_argument("--part", nargs="+", default=["speed", "growth"])
    parser.add_argument("--without-scikit", action="store_true")
    asked = parser.parse_args()
    results = {}
    if "speed" in asked.part:
        results["speed"] = speed(asked.data, asked.topics, asked.seconds, asked.tokens, not asked.without_scikit)
    if "growth" in asked.part:
        results["growth"] = growth(asked.tokens)
    save(results)


main()
