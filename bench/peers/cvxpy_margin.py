"""Max-margin training of a hidden Markov model as one convex program, by CVXPY and Clarabel.

    cvxpy_margin.py SEQUENCES STATES VALUES ETA LOSS TOLERANCE [FIRST]

SEQUENCES is a column file `observation TAB state`, both numbers from 0, a blank line after each sequence; of the FIRST of them, or all.
LOSS is ring or hamming. Uniform distributions c, linear slacks. The program is (P) of Yu, Bertsekas & Rousu:

    min −Σ_i c_i'θ_i + η Σ_k ε_k   over θ, ε   such that   Σ_j exp θ_ij ≤ 1,   max_s [ln P(s, o_k) + l(s_k, s)] − ln P(s_k, o_k) ≤ ε_k.

The maximum over paths is below ε_k + ln P(s_k, o_k) where there are potentials F_t(s), the dual of the linear program of a best path, with

    F_1(s) ≥ ln π_s + ln b_s(o_1) + l_1(s),   F_{t+1}(s') ≥ F_t(s) + ln a_ss' + ln b_s'(o_{t+1}) + l_{t+1}(s'),   F_T(s) ≤ ε_k + ln P(s_k, o_k):

S² constraints a position, and three-dimensional exponential cones for the probabilities. TOLERANCE is Clarabel's on gap and residuals, relative and
absolute. Prints a JSON object: `objective` is (P) at the θ that was found, each distribution with a sum above 1 shifted down to it and paths maximised by
Viterbi's recursion, so that what the solver lets pass is paid for; `solver_objective` as the solver tells it; `seconds` of the solver alone, and
`total_seconds` with CVXPY's translation. Where the solver gives up, `status` says so and there is no objective.
"""

import json
import sys
import time

import cvxpy
import numpy
import scipy.sparse


def read(path):
    sequences = [[]]
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if line.strip():
                sequences[-1].append([int(x) for x in line.split()])
            elif sequences[-1]:
                sequences.append([])
    return [numpy.array(rows).T for rows in sequences if rows]


class Layout:
    """θ end to end: the initial distribution, a row of transitions and then one of observations for each state."""

    def __init__(self, states, values):
        self.states, self.values = states, values
        self.size = states * (1 + states + values)
        self.sizes = [states] * (1 + states) + [values] * states
        self.owner = numpy.repeat(numpy.arange(len(self.sizes)), self.sizes)

    def initial(self, s):
        return s

    def move(self, s, then):
        return self.states * (1 + s) + then

    def emit(self, s, value):
        return self.states * (1 + self.states) + self.values * s + value


class Rows:
    """Rows of A x ≥ b, told as entries."""

    def __init__(self):
        self.row, self.column, self.entry, self.bound = [], [], [], []

    def add(self, columns, entries, bounds):
        """columns: one for each entry of a row, a number or an array over the rows; bounds: an array, a row each."""
        count = len(bounds)
        rows = sum(map(len, self.bound)) + numpy.arange(count)
        for column, entry in zip(columns, entries):
            self.row.append(rows)
            self.column.append(numpy.broadcast_to(column, count))
            self.entry.append(numpy.full(count, float(entry)))
        self.bound.append(numpy.asarray(bounds, float))

    def matrix(self, width):
        bound = numpy.concatenate(self.bound)
        entries = (numpy.concatenate(self.entry), (numpy.concatenate(self.row), numpy.concatenate(self.column)))
        return scipy.sparse.csr_matrix(entries, shape=(len(bound), width)), bound


def path_constraints(layout, sequences, cost):
    """A, b and the number of columns: θ, then ε, then the potentials of sequence after sequence. Repeated entries of a row add up."""
    rows, states = Rows(), numpy.arange(layout.states)
    before, then = (x.ravel() for x in numpy.meshgrid(states, states, indexing="ij"))
    next_potential = layout.size + len(sequences)
    for k, (seen, truth) in enumerate(sequences):
        potential = next_potential + layout.states * numpy.arange(len(seen))
        next_potential = potential[-1] + layout.states
        rows.add([potential[0] + states, layout.initial(states), layout.emit(states, seen[0])], [1, -1, -1], cost[truth[0]])
        for t in range(1, len(seen)):
            rows.add([potential[t] + then, potential[t - 1] + before, layout.move(before, then), layout.emit(then, seen[t])],
                     [1, -1, -1, -1], cost[truth[t]][then])
        gold = [layout.initial(truth[0]), *layout.move(truth[:-1], truth[1:]), *layout.emit(truth, seen)]
        rows.add([layout.size + k, *gold, potential[-1] + states], [1] * (1 + len(gold)) + [-1], numpy.zeros(layout.states))
    return *rows.matrix(next_potential), next_potential


def objective(layout, theta, sequences, cost, eta):
    total = numpy.log(numpy.bincount(layout.owner, numpy.exp(theta)))
    theta = theta - numpy.maximum(0, total)[layout.owner]
    states = numpy.arange(layout.states)
    moves = theta[layout.move(states[:, None], states)]
    value = -(theta / numpy.array(layout.sizes)[layout.owner]).sum()
    for seen, truth in sequences:
        best = theta[layout.initial(states)] + theta[layout.emit(states, seen[0])] + cost[truth[0]]
        for t in range(1, len(seen)):
            best = (best[:, None] + moves).max(0) + theta[layout.emit(states, seen[t])] + cost[truth[t]]
        gold = theta[layout.initial(truth[0])] + theta[layout.move(truth[:-1], truth[1:])].sum() + theta[layout.emit(truth, seen)].sum()
        value += eta * (best.max() - gold)
    return value


def main():
    path, states, values, eta, loss, tolerance, *first = sys.argv[1:]
    states, values, eta, tolerance = int(states), int(values), float(eta), float(tolerance)
    sequences = read(path)[:int(first[0]) if first else None]
    apart = numpy.abs(numpy.arange(states)[:, None] - numpy.arange(states))
    cost = {"ring": numpy.minimum(apart, states - apart), "hamming": apart > 0}[loss].astype(float)
    layout = Layout(states, values)
    constraints, bound, width = path_constraints(layout, sequences, cost)
    start = time.monotonic()
    x = cvxpy.Variable(width)
    price = numpy.zeros(width)
    price[:layout.size] = -1 / numpy.array(layout.sizes)[layout.owner]
    price[layout.size:layout.size + len(sequences)] = eta
    sums = scipy.sparse.csr_matrix((numpy.ones(layout.size), (layout.owner, numpy.arange(layout.size))))
    problem = cvxpy.Problem(cvxpy.Minimize(price @ x), [constraints @ x >= bound, sums @ cvxpy.exp(x[:layout.size]) <= 1])
    limits = dict.fromkeys(("tol_gap_rel", "tol_gap_abs", "tol_feas"), tolerance)
    told = {"sequences": len(sequences), "constraints": len(bound), "variables": int(width)}
    try:
        problem.solve(solver=cvxpy.CLARABEL, max_threads=1, **limits)
        status = problem.status
    except cvxpy.error.SolverError:
        status = "failed"
    told.update(status=status, total_seconds=time.monotonic() - start)
    if status not in ("optimal", "optimal_inaccurate"):
        print(json.dumps(told))
        return
    theta = numpy.asarray(x.value[:layout.size])
    told.update(objective=objective(layout, theta, sequences, cost, eta), solver_objective=float(problem.value),
                seconds=problem.solver_stats.solve_time, iterations=problem.solver_stats.num_iters, theta=theta.tolist())
    print(json.dumps(told))


if __name__ == "__main__":
    main()
