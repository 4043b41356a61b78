#include "trellis/solve/matchings/permanent_enumeration.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kMost = 24;  // 4!
constexpr std::array<Index, kLargestEnumeration + 1> kCount = {1, 1, 2, 6, 24};

using Columns = std::array<unsigned char, kLargestEnumeration>;
using Table = std::array<Columns, kMost>;

// All orders of n columns, lexicographically.
constexpr Table list_permutations(Index n) {
  Table table{};
  Columns order{0, 1, 2, 3};
  Index row = 0;
  do {
    table[row++] = order;
  } while (std::next_permutation(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n)));
  return table;
}

constexpr std::array<Table, kLargestEnumeration + 1> kPermutations = {
    list_permutations(0), list_permutations(1), list_permutations(2), list_permutations(3),
    list_permutations(4)};

using Values = std::array<double, kMost>;

template <Index n>
void add_scores(std::span<const double> scores, Values& values) {
  for (Index p = 0; p < kCount[n]; ++p) {
    double sum = 0;
    for (Index i = 0; i < n; ++i) sum += scores[i * n + kPermutations[n][p][i]];
    values[p] = sum;
  }
}

// The permutations' scores, a memory of the size that they need.
std::span<double> permutation_scores(Index n, std::span<const double> scores, Values& values) {
  assert(n <= kLargestEnumeration && scores.size() == n * n);
  switch (n) {
    case 0:
      add_scores<0>(scores, values);
      break;
    case 1:
      add_scores<1>(scores, values);
      break;
    case 2:
      add_scores<2>(scores, values);
      break;
    case 3:
      add_scores<3>(scores, values);
      break;
    default:
      add_scores<4>(scores, values);
  }
  return std::span(values).first(kCount[n]);
}

}  // namespace

double enumerate_log_sum(Index n, std::span<const double> scores) {
  Values values;
  return log_sum_exp(permutation_scores(n, scores, values));
}

double enumerate_log_sum(Index n, std::span<const double> scores, std::span<double> marginals) {
  assert(marginals.size() == n * n);
  Values values;
  const std::span<double> p = permutation_scores(n, scores, values);
  const double log_sum = softmax(p, p);
  std::fill(marginals.begin(), marginals.end(), 0.0);
  for (Index k = 0; k < p.size(); ++k) {
    for (Index i = 0; i < n; ++i) marginals[i * n + kPermutations[n][k][i]] += p[k];
  }
  return log_sum;
}

double enumerate_entropy(Index n, std::span<const double> scores) {
  Values values;
  return softmax_entropy(permutation_scores(n, scores, values));
}

void enumerate_draw(Index n, std::span<const double> scores, Random& random,
                    std::span<Label> columns) {
  assert(columns.size() == n);
  Values values;
  const std::span<double> p = permutation_scores(n, scores, values);
  exp_shifted(p, max_value(p), p);
  const Index k = draw(p, random);
  for (Index i = 0; i < n; ++i) columns[i] = static_cast<Label>(kPermutations[n][k][i]);
}

}  // namespace trellis
