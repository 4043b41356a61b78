"""Petterson 2011, chapter 6: LDA with word features on speeches of the European Parliament in three languages.

    ./dev bench paper-wordlda [--only agreement words cost tenth edges] [--seeds 1 2 3] [--shares 20 40 60 80 100] [--sweeps 500]

agreement: after figures 6.3 to 6.5. Training has all English speeches of a part, and a share of them in French and Portuguese. On other
speeches the topics of each language are compared with those of its translations: STD1 is LDA of all languages at once, STD2 LDA with English
for the first half of the sweeps, DC the same with a graph of English-French and English-Portuguese dictionaries (none is of French and
Portuguese). "apart" has --languages-apart: a topic has a distribution over the words of each language.
words: table 6.2, topics of 100 by language, of speeches that are in one language each (DC apart).
cost: a sweep of wordlda compared with one of lda, and the time of updates of the priors, 20 Newsgroups, 100 topics, one thread.
tenth: a tenth of 20 Newsgroups, with links by spelling and by co-occurrence in the other nine; perplexity of the test part.
edges: a graph of a million edges.

The thesis has curves without numbers for figures 6.3 to 6.5: for each pair and measure its DC is better than STD1 and STD2. Its experiment
differs: it compares documents that were learned from, beta is 1 where smoothers are 0 (here it is re-estimated, from 0.01 on), lambda is 1
and there is no sigma (here 0.5 and 5), every word has a smoother for all topics, also in plain LDA, and there are 3000 sweeps (docs/topics.md
has the table).

Speeches are numbered as in the file; those with number mod 5 = 0 or 1 train, those with 3 test. Priors (λ, σ) were chosen on those with 2.
"""

import argparse
import collections
import gzip
import json
import random
import re
import statistics
import sys

from peers import WORK, data, note, save, sized, table, trellis
from peers.curves import draw

REPORT = {
    "title": "Topics of related words",
    "chapter": "Topics",
    "claims": {"agreement": ["After figures 6.3 to 6.5, with other priors, baselines and documents than the thesis: with a graph of "
                             "dictionaries, and a distribution of each language for each topic, topics of translations agree better.", "--only agreement"],
               "words": ["Table 6.2: topics by language, of speeches each of which is in one language only.", "--only words"],
               "cost": ["A sweep takes at most 1.5 times one of LDA, an update of the priors a tenth of the time between two updates.", "--only cost"],
               "tenth": ["A tenth of 20 Newsgroups: the change of perplexity by links between words.", "--only tenth"],
               "edges": ["A graph of a million edges.", "--only edges"]},
    "minutes": [5, 90],
    "default": "there are one seed of three, 20 and 100 % of foreign speeches, and 200 sweeps instead of 500; cost is of one thread",
    "needs": ["data"],
}

LANGUAGES = ["en", "fr", "pt"]
PAIRS = [("en", "fr"), ("en", "pt"), ("fr", "pt")]
MEASURES = {"mean_l2": "l2 distance", "mean_hellinger": "Hellinger distance", "same_first_topic": "same first topic", "mean_common_topics": "common of 5",
            "rank_one": "translation found first"}
FALLS = ("mean_l2", "mean_hellinger")
TOPICS = 20
# As in the thesis, but for documents instead of occurrences: words of at least three; and without the words that occur more often than a tenth of the
# documents of all languages there are.
STOP_WORDS = WORK / "wordlda-frequent.txt"
TEXT = ["--min-documents", 3, "--stop-words", STOP_WORDS]
STAGES = ["--stage", "en"]
DICTIONARIES = ["--other-lines", "skip"] + [x for name in ("eng-fra", "fra-eng", "eng-por", "por-eng") for x in ("--dictionary", data("dictionaries", f"{name}.tsv.gz"))]
APART = ["--languages-apart"]
GRAPH = [*STAGES, "--kind", "wordlda", *DICTIONARIES]
METHODS = {"STD1": [], "STD2": STAGES, "DC": GRAPH, "STD2 apart": [*STAGES, *APART], "DC apart": [*GRAPH, *APART]}


def speeches(*remainders):
    """[id, {language: text}] of the speeches whose number mod 5 is one of these."""
    with gzip.open(data("europarl", "speeches.en-fr-pt.tsv.gz"), "rt", encoding="utf-8") as file:
        names = next(file).rstrip("\n").split("\t")[1:]
        rows = [line.rstrip("\n").split("\t") for line in file]
    return [(row[0], dict(zip(names, row[1:]))) for i, row in enumerate(rows) if i % 5 in remainders]


def write_frequent_words():
    rows, counts = speeches(0, 1), collections.Counter()
    for _, texts in rows:
        for language in LANGUAGES:
            counts.update(re.findall(r"[^\W\d_]+", texts[language].lower()))
    frequent = sorted(word for word, count in counts.items() if count > len(rows) * len(LANGUAGES) / 10)
    STOP_WORDS.write_text("\n".join(frequent) + "\n", encoding="utf-8")


def write(name, rows, kept=lambda i, language: True):
    path = WORK / f"wordlda-{name}.tsv"
    lines = ["\t".join(["id", *LANGUAGES])]
    lines += ["\t".join([key, *(texts[l] if kept(i, l) else "" for l in LANGUAGES)]) for i, (key, texts) in enumerate(rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def training_file(share):
    """All of English; of each other language that share of the speeches, other ones for each."""
    def kept(i, language):
        order = (i * 7919 + LANGUAGES.index(language) * 37) % 100  # 7919 is prime to 100: every order comes alike often
        return language == "en" or order < share
    return write(f"train-{share}", speeches(0, 1), kept)


def fit(name, path, seed, *options, sweeps, topics=TOPICS):
    model = WORK / f"wordlda-{name}-{seed}.trellis"
    call = trellis("topics", "train", path, "--model", model, "--topics", topics, "--sweeps", sweeps, "--seed", seed, "--watch-every", 0, "--json", "--quiet", *options)
    found = json.loads(call["output"])
    print(name, "seed", seed, f"{call['cpu']:.0f} CPU s, {call['memory']:.0f} MB", file=sys.stderr, flush=True)
    return model, {**found, "cpu": call["cpu"], "memory": call["memory"]}


def agreement_of(model, path):
    found = json.loads(trellis("topics", "evaluate", path, "--model", model, "--agreement", "--json")["output"])["agreement"]
    return {tuple(one["languages"]): one for one in found}


def measured(pair, key):
    """Retrieval goes both ways: their mean."""
    return statistics.mean(way["first"] for way in pair["retrieval"]) if key == "rank_one" else pair[key]


def verdict(key, standard, ours):
    """Of the values of all seeds."""
    sign = -1 if key in FALLS else 1
    if min(sign * x for x in ours) > max(sign * x for x in standard):
        return "better than all"
    return "better on average" if sign * statistics.mean(ours) > sign * statistics.mean(standard) else "not better"


def counted(words):
    return ", ".join(f"{words.count(word)} {word}" for word in sorted(set(words)))


def agreement(shares, seeds, sweeps):
    write_frequent_words()
    test = write("test", speeches(3))
    found = {}
    for share in shares:
        path = training_file(share)
        for method, options in METHODS.items():
            for seed in seeds:
                model, _ = fit(f"{method.replace(' ', '-')}-{share}", path, seed, *TEXT, *options, sweeps=sweeps)
                for pair, one in agreement_of(model, test).items():
                    for key in MEASURES:
                        found.setdefault((pair, key, method, share), []).append(measured(one, key))
                model.unlink()
    mean = {key: statistics.mean(values) for key, values in found.items()}
    verdicts = []
    for figure, pair in zip((3, 4, 5), PAIRS):
        rows = []
        for key, title in MEASURES.items():
            for share in shares:
                values = {method: found[pair, key, method, share] for method in METHODS}
                said = {ours: verdict(key, values["STD1"] + values["STD2"], values[ours]) for ours in ("DC", "DC apart")}
                verdicts += said.items()
                rows.append([title, share, *(mean[pair, key, method, share] for method in METHODS), *said.values()])
            picture = WORK / f"paper-wordlda-6.{figure}-{key}.svg"
            draw(picture, f"{pair[0]}-{pair[1]}: {title}", "% of foreign speeches", title,
                 {method: [(share, mean[pair, key, method, share]) for share in shares] for method in METHODS})
        table(f"Figure 6.{figure}: {pair[0]}-{pair[1]}, means of {len(seeds)} seeds, {sweeps} sweeps",
              ["", "% foreign", *METHODS, "DC compared", "DC apart compared"], rows, claim="agreement")
        print("  pictures:", WORK / f"paper-wordlda-6.{figure}-*.svg")
    for ours in ("DC", "DC apart"):
        said = [what for name, what in verdicts if name == ours]
        note(f"{ours} compared with STD1 and STD2 (better than all: its worst seed than their best; {len(seeds)} seeds), {len(said)} comparisons: {counted(said)}")
    said = [verdict(key, found[pair, key, "STD2 apart", share], values) for (pair, key, method, share), values in found.items() if method == "DC apart"]
    note(f"DC apart compared with STD2 apart: {counted(said)}")
    return [{"pair": pair, "measure": key, "method": method, "share": share, "values": values} for (pair, key, method, share), values in found.items()]


def words(seed, sweeps):
    """Speeches in turn in one language each: no two are translations."""
    write_frequent_words()
    path = write("alone", speeches(0, 1), lambda i, language: LANGUAGES[i % 3] == language)
    model, _ = fit("alone", path, seed, *TEXT, *METHODS["DC apart"], topics=100, sweeps=sweeps)
    topics = json.loads(trellis("topics", "inspect", "--model", model, "--top", 6, "--json")["output"])["topics"]
    rows = [[t["topic"], *(" ".join(w["word"].split(":")[-1] for w in t["languages"][l]) for l in LANGUAGES)] for t in topics[:12]]
    table("Table 6.2: words of 12 of 100 topics, no speech in two languages", ["topic", *LANGUAGES], rows, claim="words")
    return rows


def newsgroups(part, kept=lambda i: True):
    with gzip.open(data("20news", f"{part}.tsv.gz"), "rt", encoding="utf-8") as file:
        return [line for i, line in enumerate(file) if kept(i)]


def cost(all_threads):
    path = WORK / "wordlda-20news.tsv"
    path.write_text("".join(newsgroups("train")), encoding="utf-8")
    corpus = WORK / "wordlda-20news.corpus"
    trellis("topics", "corpus", path, "--min-documents", 2, "--output", corpus)
    rows, sweeps, every = [], 300, 100
    for threads in all_threads:
        options = ["--threads", threads, "--optimise-every", 0]
        _, plain = fit(f"cost-lda-{threads}", corpus, 1, *options, topics=100, sweeps=sweeps)
        _, related = fit(f"cost-wordlda-{threads}", corpus, 1, *options, "--kind", "wordlda", "--spelling", "substrings", topics=100, sweeps=sweeps)
        sweep = [plain["seconds"] / sweeps, (related["seconds"] - related["smoothing_seconds"]) / sweeps]
        look = related["smoothing_seconds"] / (sweeps // every)
        rows.append([threads, related["related_words"], related["words"], 1000 * sweep[0], 1000 * sweep[1], sweep[1] / sweep[0], look / (every * sweep[1])])
    table("20 Newsgroups, 100 topics: a sweep, and an update of the priors as a share of the time between two (targets: 1.5 and 0.1)",
          ["threads", "related", "of words", "lda, ms", "wordlda, ms", "ratio", "update"], rows, claim="cost")
    return rows


def tenth(seeds, sweeps):
    small, rest, test = (WORK / f"wordlda-{name}.tsv" for name in ("tenth", "rest", "20news-test"))
    small.write_text("".join(newsgroups("train", lambda i: i % 10 == 0)), encoding="utf-8")
    rest.write_text("".join(newsgroups("train", lambda i: i % 10 != 0)), encoding="utf-8")
    test.write_text("".join(newsgroups("test")), encoding="utf-8")
    corpus = WORK / "wordlda-tenth.corpus"
    trellis("topics", "corpus", small, "--min-documents", 2, "--output", corpus)
    related = ["--kind", "wordlda", "--lambda", 0.2]  # of 0.1, 0.2, 0.5 and 2 by another tenth
    kinds = {"LDA": [], "spelling": [*related, "--spelling", "substrings"], "company": [*related, "--company", rest],
             "both": [*related, "--spelling", "substrings", "--company", rest]}
    rows, found = [], {}
    for name, options in kinds.items():
        found[name] = [fit(f"tenth-{name}", corpus, seed, *options, "--held-out", test, topics=50, sweeps=sweeps)[1] for seed in seeds]
        perplexity = [run["perplexity"] for run in found[name]]
        base = statistics.mean(run["perplexity"] for run in found["LDA"])
        rows.append([name, found[name][0].get("links", 0), statistics.mean(perplexity), min(perplexity), max(perplexity), 100 * (statistics.mean(perplexity) / base - 1)])
    table(f"A tenth of 20 Newsgroups, 50 topics: perplexity of the test part, {len(seeds)} seeds", ["", "links", "mean", "least", "most", "% of change"], rows, claim="tenth")
    return rows


def edges():
    path, graph = training_file(100), WORK / "wordlda-edges.tsv"
    corpus = WORK / "wordlda-edges.corpus"
    trellis("topics", "corpus", path, "--stop-words", "none", "--output", corpus)
    text = (texts[l] for _, texts in speeches(0, 1) for l in LANGUAGES)
    vocabulary = sorted({word for one in text for word in one.lower().split() if word.isalpha() and len(word) > 2})
    draws = random.Random(1)
    pairs = set()
    while len(pairs) < 1_000_000:
        pairs.add(tuple(sorted(draws.sample(range(len(vocabulary)), 2))))
    graph.write_text("".join(f"{vocabulary[a]}\t{vocabulary[b]}\t{draws.random() + 0.1:.3f}\n" for a, b in sorted(pairs)), encoding="utf-8")
    _, found = fit("edges", corpus, 1, "--kind", "wordlda", "--word-graph", graph, "--smooth-first", 10, "--smooth-every", 10, topics=TOPICS, sweeps=20)
    row = [found["links"], found["related_words"], found["words"], found["read_seconds"], found["smoothing_seconds"] / 2, found["memory"]]
    table("A graph of a million edges at random: seconds to read documents and graph, and for an update of the priors, 20 topics",
          ["links", "related", "of words", "reading", "an update", "MB"], [row], claim="edges")
    return row


def main():
    parts = ("agreement", "words", "cost", "tenth", "edges")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--shares", nargs="+", type=int, default=[20, 100])
    parser.add_argument("--sweeps", type=int, default=200)
    parser.add_argument("--threads", nargs="+", type=int, default=[1], help="of cost")
    call = sized(parser, seeds=[1, 2, 3], shares=[20, 40, 60, 80, 100], sweeps=500, threads=[1, 2])
    made = {"agreement": lambda: agreement(call.shares, call.seeds, call.sweeps), "words": lambda: words(call.seeds[0], call.sweeps),
            "cost": lambda: cost(call.threads), "tenth": lambda: tenth(call.seeds, call.sweeps), "edges": edges}
    save({part: made[part]() for part in call.only})


if __name__ == "__main__":
    main()
