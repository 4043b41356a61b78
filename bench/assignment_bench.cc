// Assignments and projections onto the matching polytope; `./dev bench assignment` has the peers.
//
//   assignment_bench write DIRECTORY   the problems
//   assignment_bench run FILE          seconds and weight of the best perfect matching
//   assignment_bench project           projections of 100×100, in assignments of that size
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "assignment_instance.h"
#include "trellis/base/random.h"
#include "trellis/solve/matchings/assignment.h"
#include "trellis/solve/matchings/matching_projection.h"

namespace trellis {
namespace {

using Weight = std::function<double(Index, Index)>;

AssignmentInstance dense(Index n, const Weight& weight) {
  AssignmentInstance instance;
  instance.rows = instance.columns = n;
  for (Index e = 0; e < n * n; ++e) instance.weights.push_back(weight(e / n, e % n));
  return instance;
}

// Random edges, and the diagonal, so that there is a perfect matching.
AssignmentInstance sparse(Index n, Index edges_per_row, const Weight& weight) {
  AssignmentInstance instance;
  instance.rows = instance.columns = n;
  instance.begin = {0};
  for (Index i = 0; i < n; ++i) {
    Random random(2, i);
    std::vector<std::uint32_t> row = {static_cast<std::uint32_t>(i)};
    while (row.size() < edges_per_row) {
      const auto j = static_cast<std::uint32_t>(random.below(n));
      if (std::find(row.begin(), row.end(), j) == row.end()) row.push_back(j);
    }
    std::sort(row.begin(), row.end());
    for (const std::uint32_t j : row) {
      instance.column.push_back(j);
      instance.weights.push_back(weight(i, j));
    }
    instance.begin.push_back(instance.column.size());
  }
  return instance;
}

// Minus the distance between random points of the unit square.
class Distances {
 public:
  explicit Distances(Index n) {
    Random random(3);
    for (Index k = 0; k < 4 * n; ++k) points_.push_back(random.uniform());
  }
  double operator()(Index i, Index j) const {
    const Index n = points_.size() / 4;
    return -std::hypot(points_[2 * i] - points_[2 * (n + j)],
                       points_[2 * i + 1] - points_[2 * (n + j) + 1]);
  }

 private:
  std::vector<double> points_;
};

void write_instances(const std::string& directory) {
  Random random(1);
  const Weight uniform = [&](Index, Index) { return random.uniform(); };
  const Weight integer = [&](Index, Index) { return static_cast<double>(1 + random.below(100)); };
  dense(1000, uniform).write(directory + "/dense-uniform.bin");
  dense(1000, integer).write(directory + "/dense-integer.bin");
  dense(1000, Distances(1000)).write(directory + "/dense-distance.bin");
  sparse(10000, 16, uniform).write(directory + "/sparse-uniform.bin");
  sparse(10000, 16, integer).write(directory + "/sparse-integer.bin");
  sparse(10000, 16, Distances(10000)).write(directory + "/sparse-distance.bin");
}

void run(const std::string& path) {
  const AssignmentInstance instance = AssignmentInstance::read(path);
  const std::vector<Index> begin(instance.begin.begin(), instance.begin.end());
  const BipartiteGraph graph = {instance.rows, instance.columns, begin, instance.column};
  AssignmentSolver solver;
  const double seconds =
      fastest(7, [&] { solver.solve(graph, instance.weights, Cover::kPerfect); });
  double weight = 0;
  instance.each_edge([&](std::size_t i, std::size_t j, double w) {
    if (solver.column_of_row()[i] == static_cast<Label>(j)) weight += w;
  });
  fmt::print("[{{\"name\": \"Trellis\", \"seconds\": {}, \"weight\": {}}}]\n", seconds, weight);
}

// What an extragradient step projects: a point of the polytope, moved.
std::vector<double> moved_point(Index n, double step, Cover cover, Random& random) {
  std::vector<double> v(n * n), z(n * n);
  for (double& x : v) x = random.normal();
  MatchingProjector projector;
  projector.project({n, n, {}, {}}, v, cover, z);
  for (double& x : z) x += step * random.normal();
  return z;
}

void project() {
  constexpr Index kSize = 100;
  constexpr Index kProblems = 10;
  const std::vector<std::pair<std::string, std::function<double(Random&)>>> kinds = {
      {"normal", [](Random& r) { return r.normal(); }},
      {"uniform", [](Random& r) { return r.uniform(); }},
      {"normal x 10", [](Random& r) { return 10 * r.normal(); }},
      {"normal x 1e6", [](Random& r) { return 1e6 * r.normal(); }},
      {"normal x 1e-6", [](Random& r) { return 1e-6 * r.normal(); }},
      {"-1, 0 or 1", [](Random& r) { return static_cast<double>(r.below(3)) - 1; }},
      {"point + normal/2", nullptr},
  };
  std::string separator = "[";
  for (const Cover cover : {Cover::kPartial, Cover::kPerfect}) {
    for (const auto& [name, draw] : kinds) {
      double assignment = 0, projection = 0, residual = 0, steps = 0;
      for (Index problem = 0; problem < kProblems; ++problem) {
        Random random(5, problem);
        std::vector<double> v(kSize * kSize), z(v.size());
        if (draw) {
          for (double& x : v) x = draw(random);
        } else {
          v = moved_point(kSize, 0.5, cover, random);
        }
        const BipartiteGraph graph = {kSize, kSize, {}, {}};
        AssignmentSolver solver;
        MatchingProjector projector;
        assignment += fastest(20, [&] { solver.solve(graph, v, cover); }) / kProblems;
        projection += fastest(20, [&] { projector.project(graph, v, cover, z); }) / kProblems;
        steps += static_cast<double>(projector.newton_steps()) / kProblems;
        residual =
            std::max(residual, matching_kkt_residual(graph, v, cover, z, projector.row_duals(),
                                                     projector.column_duals()));
      }
      fmt::print(
          "{}{{\"cover\": \"{}\", \"v\": \"{}\", \"assignment\": {}, \"projection\": {}, "
          "\"steps\": {}, \"residual\": {}}}",
          separator, cover == Cover::kPartial ? "partial" : "perfect", name, assignment, projection,
          steps, residual);
      separator = ",\n ";
    }
  }
  fmt::print("]\n");
}

}  // namespace
}  // namespace trellis

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "write") == 0) {
    trellis::write_instances(argv[2]);
  } else if (argc == 3 && std::strcmp(argv[1], "run") == 0) {
    trellis::run(argv[2]);
  } else if (argc == 2 && std::strcmp(argv[1], "project") == 0) {
    trellis::project();
  } else {
    fmt::print(stderr, "assignment_bench write DIRECTORY | run FILE | project\n");
    return 2;
  }
  return 0;
}
