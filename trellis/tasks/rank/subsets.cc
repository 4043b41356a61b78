#include "trellis/tasks/rank/subsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/solve/vectors/elementary_functions.h"
#include "trellis/solve/vectors/gamma_functions.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::rank {
namespace {

constexpr Index kMaxSizeOfAll = 3;

double log_choose(Index n, Index k) {
  const auto log_factorial = [](Index m) { return log_gamma(static_cast<double>(m) + 1); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

// The documents of a query by grade, best grade first.
std::vector<std::vector<std::uint32_t>> by_grade(const Query& query, Index first) {
  std::map<Grade, std::vector<std::uint32_t>, std::greater<>> groups;
  for (Index d = 0; d < query.num_documents(); ++d) {
    groups[query.grades[d]].push_back(static_cast<std::uint32_t>(first + d));
  }
  std::vector<std::vector<std::uint32_t>> lists;
  for (auto& [grade, documents] : groups) lists.push_back(std::move(documents));
  return lists;
}

// Draws how many documents of each grade a subset of m has, in proportion to the number of subsets.
class GradeCounts {
 public:
  GradeCounts(const std::vector<std::vector<std::uint32_t>>& groups, Index m)
      : groups_(groups), m_(m), log_count_((groups.size() + 1) * (m + 1), kNone) {
    at(groups.size(), 0) = 0;
    for (Index g = groups.size(); g-- > 0;) {
      for (Index rest = 1; rest <= m; ++rest) at(g, rest) = log_sum(g, rest);
    }
  }

  void draw(Random& random, std::vector<Index>& counts) const {
    counts.assign(groups_.size(), 0);
    Index rest = m_;
    for (Index g = 0; g < groups_.size(); ++g) {
      const Index most = std::min(rest, groups_[g].size());
      double left = random.uniform();
      // Because of rounding, `left` may stay positive after the last one, which is then taken.
      for (Index k = 1; k <= most; ++k) {
        const double share = portable_exp(term(g, rest, k) - at(g, rest));
        if (share > 0) counts[g] = k;
        left -= share;
        if (left < 0) break;
      }
      rest -= counts[g];
    }
  }

 private:
  static constexpr double kNone = -std::numeric_limits<double>::infinity();

  // log of the number of ways to take `rest` documents from the grades g, g + 1, …, with at least
  // one of each.
  double& at(Index g, Index rest) { return log_count_[g * (m_ + 1) + rest]; }
  double at(Index g, Index rest) const { return log_count_[g * (m_ + 1) + rest]; }
  double term(Index g, Index rest, Index k) const {
    return log_choose(groups_[g].size(), k) + at(g + 1, rest - k);
  }
  double log_sum(Index g, Index rest) const {
    double largest = kNone;
    const Index most = std::min(rest, groups_[g].size());
    for (Index k = 1; k <= most; ++k) largest = std::max(largest, term(g, rest, k));
    if (largest == kNone) return kNone;
    double sum = 0;
    for (Index k = 1; k <= most; ++k) sum += portable_exp(term(g, rest, k) - largest);
    return largest + portable_log(sum);
  }

  const std::vector<std::vector<std::uint32_t>>& groups_;
  Index m_;
  std::vector<double> log_count_;
};

// Draws `count` distinct members of the group in random order (Fisher & Yates, partially). Restores
// the group, because a draw must not depend on earlier ones.
void draw_members(std::vector<std::uint32_t>& group, Index count, Random& random,
                  std::vector<Index>& swapped, std::vector<std::uint32_t>& out) {
  swapped.clear();
  for (Index k = 0; k < count; ++k) {
    swapped.push_back(k + random.below(group.size() - k));
    std::swap(group[k], group[swapped[k]]);
    out.push_back(group[k]);
  }
  for (Index k = count; k-- > 0;) std::swap(group[k], group[swapped[k]]);
}

class SubsetDrawer {
 public:
  SubsetDrawer(const SubsetOptions& options, Index size) : options_(options), size_(size) {}

  void add(const Query& query, Index number, Index first) {
    auto groups = by_grade(query, first);
    if (groups.size() < 2) return;
    const Index documents = query.num_documents();
    if (options_.all) return add_all(groups, std::min(size_, documents));
    const Index m = std::min(std::max(size_, groups.size()), documents);
    const auto wanted = std::llround(options_.fraction * static_cast<double>(documents * m));
    const GradeCounts counts(groups, m);
    std::vector<Index> chosen;
    for (long long subset = 0; subset < std::max(1LL, wanted); ++subset) {
      Random random(options_.seed, number, static_cast<std::uint64_t>(subset));
      counts.draw(random, chosen);
      for (Index g = 0; g < groups.size(); ++g) {
        draw_members(groups[g], chosen[g], random, swapped_, lists_.documents);
      }
      finish_list(chosen);
    }
  }

  RankedLists take() && { return std::move(lists_); }

 private:
  // Adds every pair of documents with different grades; or every triple with at least two grades
  // and, as far as three documents allow, every grade of the query.
  void add_all(const std::vector<std::vector<std::uint32_t>>& groups, Index m) {
    std::vector<Index> counts(groups.size());
    choose_counts(groups, 0, m, counts);
  }

  void choose_counts(const std::vector<std::vector<std::uint32_t>>& groups, Index g, Index rest,
                     std::vector<Index>& counts) {
    if (g == groups.size()) {
      if (rest == 0 && covers(groups, counts)) add_product(groups, 0, counts);
      return;
    }
    for (Index k = 0; k <= std::min(rest, groups[g].size()); ++k) {
      counts[g] = k;
      choose_counts(groups, g + 1, rest - k, counts);
    }
  }

  // Whether there are at least two grades, and all grades that fit into the subset.
  bool covers(const std::vector<std::vector<std::uint32_t>>& groups,
              const std::vector<Index>& counts) const {
    const auto present =
        counts.size() - static_cast<Index>(std::count(counts.begin(), counts.end(), Index{0}));
    return present >= std::min(groups.size(), size_) && present >= 2;
  }

  void add_product(const std::vector<std::vector<std::uint32_t>>& groups, Index g,
                   const std::vector<Index>& counts) {
    if (g == groups.size()) {
      lists_.documents.insert(lists_.documents.end(), chosen_.begin(), chosen_.end());
      return finish_list(counts);
    }
    add_combinations(groups, g, 0, counts[g], counts);
  }

  void add_combinations(const std::vector<std::vector<std::uint32_t>>& groups, Index g, Index from,
                        Index count, const std::vector<Index>& counts) {
    if (count == 0) return add_product(groups, g + 1, counts);
    for (Index d = from; d + count <= groups[g].size(); ++d) {
      chosen_.push_back(groups[g][d]);
      add_combinations(groups, g, d + 1, count - 1, counts);
      chosen_.pop_back();
    }
  }

  void finish_list(const std::vector<Index>& counts) {
    if (lists_.size() >= SubsetOptions::kMaxLists) {
      throw UsageError(fmt::format("more than {} subsets of documents: use a smaller --subsets",
                                   SubsetOptions::kMaxLists));
    }
    lists_.begin.push_back(lists_.documents.size());
    lists_.positions.push_back(positions_of(counts));
  }

  // The number of the vector c: each pattern of ties has one.
  std::uint32_t positions_of(const std::vector<Index>& counts) {
    const Index m = lists_[lists_.size() - 1].size();
    std::vector<Index> pattern;
    if (options_.ties == Ties::kLevel) {
      std::copy_if(counts.begin(), counts.end(), std::back_inserter(pattern),
                   [](Index count) { return count > 0; });
    } else {
      pattern.assign(m, 1);
    }
    const auto [found, fresh] =
        known_.try_emplace(pattern, static_cast<std::uint32_t>(lists_.c.size()));
    if (fresh) lists_.c.push_back(levelled(pattern, m));
    return found->second;
  }

  std::vector<double> levelled(const std::vector<Index>& pattern, Index m) const {
    std::vector<double> c = position_weights(options_.position, m);
    auto at = c.begin();
    for (const Index count : pattern) {
      const auto end = at + static_cast<std::ptrdiff_t>(count);
      double sum = 0;
      for (auto j = at; j != end; ++j) sum += *j;
      std::fill(at, end, sum / static_cast<double>(count));
      at = end;
    }
    return c;
  }

  const SubsetOptions& options_;
  Index size_;
  RankedLists lists_;
  std::map<std::vector<Index>, std::uint32_t> known_;
  std::vector<std::uint32_t> chosen_;
  std::vector<Index> swapped_;
};

void require_options(const SubsetOptions& options) {
  if (options.size == 1) {
    throw UsageError("--size must be at least 2: a single document has no order");
  }
  if (!(options.fraction > 0) || std::isinf(options.fraction)) {
    throw UsageError(fmt::format("--subsets must be a number above 0, not {}", options.fraction));
  }
}

}  // namespace

std::vector<double> position_weights(Position position, Index size) {
  std::vector<double> c(size);
  for (Index k = 0; k < size; ++k) {
    const auto j = static_cast<double>(k + 1);
    switch (position) {
      case Position::kLinear:
        c[k] = static_cast<double>(size) - j;
        break;
      case Position::kLog:
        c[k] = 1 / portable_log2(1 + j);
        break;
      case Position::kReciprocal:
        c[k] = 1 / j;
        break;
      case Position::kRoot:
        c[k] = 1 / std::sqrt(std::sqrt(1 + j));
        break;
    }
  }
  return c;
}

Index resolve_size(const SubsetOptions& options, std::span<const Query> queries) {
  if (options.size > 0) {
    Index most = 2;
    for (const Query& query : queries) most = std::max(most, query.num_documents());
    return std::min(options.size, most);
  }
  std::array<bool, kMaxGrade + 1> occurs{};
  for (const Query& query : queries) {
    for (const Grade grade : query.grades) occurs[grade] = true;
  }
  return std::max<Index>(2, static_cast<Index>(std::count(occurs.begin(), occurs.end(), true)));
}

RankedLists draw_subsets(std::span<const Query> queries, const SubsetOptions& options,
                         const std::string& file) {
  require_options(options);
  const Index size = resolve_size(options, queries);
  if (options.all && size > kMaxSizeOfAll) {
    throw UsageError(fmt::format("--subsets all requires --size 2 or 3, not {}", size));
  }
  SubsetDrawer drawer(options, size);
  Index first = 0;
  for (Index q = 0; q < queries.size(); ++q) {
    drawer.add(queries[q], q, first);
    first += queries[q].num_documents();
  }
  RankedLists lists = std::move(drawer).take();
  if (lists.size() == 0) {
    throw InputError(file, 0,
                     "expected a query with documents of different grades, found none: there is no "
                     "order to learn");
  }
  return lists;
}

}  // namespace trellis::rank
