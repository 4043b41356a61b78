"""SciPy on an assignment problem of assignment_bench; prints JSON. Needs Debian's python3-scipy."""

import json
import sys
import time

import numpy as np
import scipy.optimize
import scipy.sparse
import scipy.sparse.csgraph

RUNS = 3


def read(path):
    with open(path, "rb") as file:
        rows, columns, edges = (int(x) for x in file.readline().split())
        if edges == 0:
            return np.fromfile(file, dtype=np.float64).reshape(rows, columns)
        begin = np.fromfile(file, dtype=np.uint64, count=rows + 1).astype(np.int32)
        column = np.fromfile(file, dtype=np.uint32, count=edges).astype(np.int32)
        weights = np.fromfile(file, dtype=np.float64, count=edges)
    return scipy.sparse.csr_matrix((weights, column, begin), shape=(rows, columns))


def main():
    weights = read(sys.argv[1])
    dense = isinstance(weights, np.ndarray)
    solve = scipy.optimize.linear_sum_assignment if dense else scipy.sparse.csgraph.min_weight_full_bipartite_matching
    seconds = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        rows, columns = solve(weights, maximize=True)
        seconds = min(seconds, time.process_time() - start)
    print(json.dumps([{"name": f"SciPy {solve.__name__}", "seconds": seconds, "weight": float(weights[rows, columns].sum())}]))


if __name__ == "__main__":
    main()
