"""Scores of LightGBM's and XGBoost's rankers on LETOR folds. Runs in the environment of bench/peers/__init__.py.

    python tree_rankers.py lightgbm|xgboost TRAIN VALI TEST

For each setting of a modest grid: trained on TRAIN with early stopping on VALI's NDCG@10; prints one JSON object with the
scores of the documents of VALI and of TEST for each setting, and the CPU seconds that it took.
"""

import gzip
import itertools
import json
import sys
import time
import warnings

import numpy as np

ROUNDS, PATIENCE = 300, 30
warnings.filterwarnings("ignore")  # of arguments that are to be renamed


def read(path):
    rows, grades, queries = [], [], []
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as lines:
        for line in lines:
            grade, qid, *pairs = line.split("#")[0].split()
            grades.append(int(grade))
            queries.append(qid)
            rows.append({int(k): float(v) for k, v in (pair.split(":") for pair in pairs)})
    width = 1 + max(max(row, default=0) for row in rows)
    x = np.zeros((len(rows), width))
    for r, row in enumerate(rows):
        x[r, list(row)] = list(row.values())
    sizes = [len(list(group)) for _, group in itertools.groupby(queries)]
    return x, np.array(grades), sizes


def lightgbm(train, vali, test):
    import lightgbm as lgb

    for rate, leaves, least in itertools.product((0.03, 0.1), (4, 12), (20, 100)):
        model = lgb.LGBMRanker(objective="lambdarank", n_estimators=ROUNDS, learning_rate=rate, num_leaves=leaves,
                               min_child_samples=least, subsample=0.8, subsample_freq=1, colsample_bytree=0.8,
                               random_state=1, n_jobs=1, verbose=-1)
        model.fit(train[0], train[1], group=train[2], eval_set=[(vali[0], vali[1])], eval_group=[vali[2]], eval_at=[10],
                  callbacks=[lgb.early_stopping(PATIENCE, verbose=False)])
        yield f"rate {rate}, {leaves} leaves of {least}", model.predict(vali[0]), model.predict(test[0])


def xgboost(train, vali, test):
    import xgboost as xgb

    for objective, rate, depth, weight in itertools.product(("rank:pairwise", "rank:ndcg"), (0.03, 0.1), (2, 4), (20,)):
        model = xgb.XGBRanker(objective=objective, n_estimators=ROUNDS, learning_rate=rate, max_depth=depth,
                              min_child_weight=weight, subsample=0.8, colsample_bytree=0.8, eval_metric="ndcg@10",
                              early_stopping_rounds=PATIENCE, random_state=1, n_jobs=1)
        model.fit(train[0], train[1], group=train[2], eval_set=[(vali[0], vali[1])], eval_group=[vali[2]], verbose=False)
        yield f"{objective}, rate {rate}, depth {depth}, weight {weight}", model.predict(vali[0]), model.predict(test[0])


def main():
    name, *files = sys.argv[1:]
    parts = [read(path) for path in files]
    runs = {"lightgbm": lightgbm, "xgboost": xgboost}[name](*parts)
    found, start = [], time.process_time()
    for setting, on_vali, on_test in runs:
        end = time.process_time()
        found.append({"setting": setting, "vali": on_vali.tolist(), "test": on_test.tolist(), "cpu": end - start})
        start = end
    print(json.dumps(found))


if __name__ == "__main__":
    main()
