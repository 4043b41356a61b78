"""The micro-benchmarks (google-benchmark): the claims of each, and their output as tables like those of the scripts."""

import re

# ratios: (name of a row, with {} for its size; name of the row that it is divided by; title of the column)
RATIOS = {"arborescence": [("log_sum/any/{}", "lu/{}", "× LU"), ("marginals/any/{}", "lu/{}", "× LU")]}
MICRO = {
    "ad3": {"title": "AD³ and exact search compared with Clp", "chapter": "Trees", "minutes": [2, 8], "claims": {
        "ad3": ["On trained and noisy scores, relaxations of second-order parsing take less than a tenth of Clp's time to a residual of 1e-6, and 99 % "
                "of the sentences no more than 200 iterations; with hard scores a third of the sentences take more.", ""]}},
    "arborescence": {"title": "Dependency trees: maxima and sums", "chapter": "Trees", "minutes": [2, 6], "claims": {
        "arborescence": ["log Σ over all trees without a subtraction takes less than 2.5 times an LU of the same matrix, all marginals less than 6 "
                         "times.", ""]}},
    "chain": {"title": "Label sequences", "chapter": "Sequences", "minutes": [1, 3], "claims": {
        "chain": ["In first-order chains of up to 50 labels the best sequence takes less than half a microsecond for each token, sums and marginals "
                  "less than two.", ""]}},
    "constraint_generation": {"title": "Constraint generation", "chapter": "Labels and sets of labels", "minutes": [2, 4], "claims": {
        "constraint_generation": ["The set that minimises a measure is found more than ten times as fast as by Algorithms 2 and 3 of Petterson "
                                  "(2011); the ratio grows with the number of items.", ""]}},
    "forest": {"title": "Packed forests", "chapter": "Trees", "minutes": [1, 3], "claims": {
        "forest": ["From 10 to 40 words the time for each edge changes by less than a factor of 2.5, in every operation of packed forests.", ""]}},
    "max_flow": {"title": "Maximum flow compared with Boost and LEMON", "chapter": "Pictures and matchings", "minutes": [4, 6], "claims": {
        "max_flow": ["Cuts of pictures are faster than Boost's Boykov–Kolmogorov and, if measured, LEMON's preflow. A projection onto the cut "
                     "polytope takes the time of fewer than 25 cuts.", ""]}},
    "permanent": {"title": "Sums over matchings", "chapter": "Pictures and matchings", "minutes": [3, 6], "claims": {
        "permanent": ["Exact sums over matchings of up to 22 nodes, exact draws of up to 50, and training by exact sums, compared with table 5.2 "
                      "of Petterson (2011), of a machine of its time.", ""]}},
}
FULL = ["--benchmark_min_time=2"]  # seconds of each value, instead of half a second


def clean(name):
    """Without what google-benchmark says of how it measured."""
    return re.sub(r"/(manual_time|iterations:\d+|repeats:\d+|real_time|process_time)\b", "", name)


FIELDS = {"name", "family_index", "per_family_instance_index", "run_name", "run_type", "repetitions", "repetition_index", "threads",
          "iterations", "real_time", "cpu_time", "time_unit", "error_occurred", "error_message", "label", "aggregate_name"}


def ratio(stem, times, name):
    """(title, the row's time over that of the row it stands beside), or nothing."""
    for above, below, title in RATIOS.get(stem, ()):
        match = re.fullmatch(re.escape(above).replace(r"\{\}", r"(\d+)"), name)
        if match and below.format(match[1]) in times:
            return title, times[name] / times[below.format(match[1])]
    return None


def tables(stem, output):
    """A table for each family. stem: of the bench's file; output: google-benchmark's JSON."""
    runs = [{**run, "name": clean(run["name"]), "manual": "/manual_time" in run["name"]} for run in output["benchmarks"]
            if run.get("run_type", "iteration") == "iteration"]
    times = {run["name"]: run["real_time" if run["manual"] else "cpu_time"] for run in runs if not run.get("error_occurred")}
    families = {}
    for run in runs:
        families.setdefault((run["name"].split("/")[0], run.get("time_unit", "ns")), []).append(run)
    found = []
    for (family, unit), members in families.items():
        counters = list(dict.fromkeys(key for run in members for key in run if key not in FIELDS and key != "manual"))
        beside = {run["name"]: ratio(stem, times, run["name"]) for run in members}
        more = list(dict.fromkeys(one[0] for one in beside.values() if one))
        rows = []
        for run in members:
            if run.get("error_occurred"):
                rows.append([run["name"], f"failed: {run['error_message']}"] + [""] * len(more + counters))
            else:
                rows.append([run["name"], times[run["name"]], *(beside[run["name"]][1] if beside[run["name"]] else "" for _ in more),
                             *(run.get(key, "") for key in counters)])
        found.append({"claim": stem, "title": family, "columns": ["", unit, *more, *(key.replace("_", " ") for key in counters)],
                      "rows": rows, "notes": []})
    return found
