// Assignment problems as files that every program of the measurement reads: a line of text
// "rows columns edges" (edges 0: all pairs), then the binary arrays begin, column and weights.
#pragma once

#include <time.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

struct AssignmentInstance {
  std::size_t rows = 0, columns = 0;
  std::vector<std::uint64_t> begin;  // none: all pairs
  std::vector<std::uint32_t> column;
  std::vector<double> weights;

  void write(const std::string& path) const {
    std::ofstream file(path, std::ios::binary);
    file << rows << ' ' << columns << ' ' << column.size() << '\n';
    put(file, begin);
    put(file, column);
    put(file, weights);
    if (!file) throw std::runtime_error("cannot write " + path);
  }

  static AssignmentInstance read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    AssignmentInstance instance;
    std::size_t edges = 0;
    file >> instance.rows >> instance.columns >> edges;
    file.get();
    if (edges > 0) instance.begin.resize(instance.rows + 1);
    instance.column.resize(edges);
    instance.weights.resize(edges > 0 ? edges : instance.rows * instance.columns);
    get(file, instance.begin);
    get(file, instance.column);
    get(file, instance.weights);
    if (!file) throw std::runtime_error("cannot read " + path);
    return instance;
  }

  // visit(row, column, weight) for each edge
  template <class Visit>
  void each_edge(const Visit& visit) const {
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t first = begin.empty() ? i * columns : begin[i];
      const std::size_t last = begin.empty() ? first + columns : begin[i + 1];
      for (std::size_t e = first; e < last; ++e) {
        visit(i, begin.empty() ? e - first : column[e], weights[e]);
      }
    }
  }

 private:
  template <class T>
  static void put(std::ofstream& file, const std::vector<T>& values) {
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(T)));
  }
  template <class T>
  static void get(std::ifstream& file, std::vector<T>& values) {
    file.read(reinterpret_cast<char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(T)));
  }
};

// The CPU seconds of the fastest of some runs.
template <class Run>
double fastest(int runs, const Run& run) {
  const auto now = [] {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  double best = 1e300;
  for (int k = 0; k < runs; ++k) {
    const double start = now();
    run();
    const double time = now() - start;
    best = time < best ? time : best;
  }
  return best;
}
