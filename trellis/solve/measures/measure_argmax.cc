#include "trellis/solve/measures/measure_argmax.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace trellis {
namespace {

using Kind = SetMeasure::Kind;
using Item = MeasureArgmaxScratch::Item;

// The input of a search; it writes y.
struct Task {
  const SetMeasure& measure;
  double gamma;
  std::span<const double> s;
  std::span<const std::uint32_t> truth;
  std::span<Label> y;

  // γ r(k), the cost of a hit if y has k items. Precision has no r(0), and no hits if y is empty.
  double penalty(Index k) const {
    if (k == 0 && measure.kind == Kind::kPrecision) return std::numeric_limits<double>::infinity();
    return gamma * measure.reward(k, truth.size(), s.size());
  }
};

std::ptrdiff_t offset(Index i) {
  return static_cast<std::ptrdiff_t>(i);
}

// The order of items whose presence is decided in this order; see the header on ties.
constexpr auto kShiftedBefore = [](const Item& a, const Item& b) {
  if (a.shifted != b.shifted) return a.shifted > b.shifted;
  if (a.hit != b.hit) return b.hit;
  return a.item < b.item;
};

constexpr auto kScoreBefore = [](const Item& a, const Item& b) {
  return a.score != b.score ? a.score > b.score : a.item < b.item;
};

void mark_truth(const Task& task) {
  std::fill(task.y.begin(), task.y.end(), 0);
  for (const std::uint32_t v : task.truth) task.y[v] = 1;
}

// Separable measures: Hamming, with Δ = (p + k − 2h)/V, and recall, with Δ = 1 − h/p.

void choose_by_item(const Task& task) {
  const double hit = task.penalty(1);  // 2γ/V or γ/p
  const double other = task.measure.kind == Kind::kHamming ? -hit / 2 : 0;
  for (Index v = 0; v < task.s.size(); ++v) task.y[v] = task.s[v] > other ? 1 : 0;
  for (const std::uint32_t v : task.truth) task.y[v] = task.s[v] > other + hit ? 1 : 0;
}

// An empty truth: Δ = 1 for any set but the empty one.

void choose_against_nothing(const Task& task) {
  for (Index v = 0; v < task.s.size(); ++v) task.y[v] = task.s[v] > 0 ? 1 : 0;
  if (task.s.empty()) return;
  const auto best = std::max_element(task.s.begin(), task.s.end());
  if (task.gamma + *best > 0) task.y[static_cast<Index>(best - task.s.begin())] = 1;
}

// naive and bounded

// Moves the top `count` items of the pool, under the penalty of `k` items, to the front.
void select_top(const Task& task, std::vector<Item>& pool, Index count, Index k) {
  const double penalty = task.truth.empty() ? 0 : task.penalty(k);
  for (Item& item : pool) item.shifted = item.hit ? item.score - penalty : item.score;
  if (count < pool.size()) {
    std::nth_element(pool.begin(), pool.begin() + offset(count), pool.end(), kShiftedBefore);
  }
}

// Tries y = the `fixed` fixed items, none of them a hit, and the top of the pool, for k = first …
// V. Leaves the best in y, where the items of the pool must be 0 at first. Omits the sum of the
// fixed items' scores, which is the same for all k.
void search_linearly(const Task& task, std::vector<Item>& pool, Index fixed, Index first) {
  double best = -std::numeric_limits<double>::infinity();
  for (Index k = first; k <= task.s.size(); ++k) {
    const Index count = k - fixed;
    if (k > 0) select_top(task, pool, count, k);
    SetCounts counts{0, k, task.truth.size(), task.s.size()};
    double sum = 0;
    for (Index i = 0; i < count; ++i) {
      sum += pool[i].score;
      if (pool[i].hit) ++counts.hits;
    }
    const double value = sum + task.gamma * task.measure.loss(counts);
    if (!(value > best)) continue;
    best = value;
    for (Index i = 0; i < pool.size(); ++i) task.y[pool[i].item] = i < count ? 1 : 0;
  }
}

void choose_naively(const Task& task, MeasureArgmaxScratch& scratch) {
  mark_truth(task);
  scratch.others.clear();
  for (Index v = 0; v < task.s.size(); ++v) {
    scratch.others.push_back({task.s[v], 0, static_cast<std::uint32_t>(v), task.y[v] != 0});
  }
  std::fill(task.y.begin(), task.y.end(), 0);
  search_linearly(task, scratch.others, 0, 0);
}

// The largest lower bound on k that the bisection of Alg. 3, lines 5 to 18, finds.
Index bisect_lower_bound(const Task& task, Index fixed) {
  const auto count_positive = [&](Index k) {  // |P(k)|
    const double penalty = task.penalty(k);
    return fixed +
           static_cast<Index>(std::count_if(task.truth.begin(), task.truth.end(),
                                            [&](std::uint32_t v) { return task.s[v] > penalty; }));
  };
  const Index upper = count_positive(task.s.size());
  Index lower = fixed, k = fixed;
  do {
    const Index positive = count_positive(k);
    if (positive >= k && positive > lower) {
      lower = positive;
      k = (upper + lower) / 2;
    } else {
      k = (k + lower) / 2;
    }
  } while (k != lower);
  return lower;
}

void choose_by_bound(const Task& task, MeasureArgmaxScratch& scratch) {
  mark_truth(task);
  scratch.others.clear();
  Index fixed = 0;
  for (Index v = 0; v < task.s.size(); ++v) {
    const bool hit = task.y[v] != 0, in = !hit && task.s[v] > 0;
    task.y[v] = in ? 1 : 0;
    fixed += in ? 1 : 0;
    if (!in) scratch.others.push_back({task.s[v], 0, static_cast<std::uint32_t>(v), hit});
  }
  search_linearly(task, scratch.others, fixed, bisect_lower_bound(task, fixed));
}

// merged

// The sign of a score, by its bits: compilers vectorise loops of this form, but not loops of
// comparisons.
std::uint64_t sign_bit(double score) {
  return std::bit_cast<std::uint64_t>(score) >> 63;
}
std::uint64_t is_nonzero(double score) {
  const std::uint64_t size = std::bit_cast<std::uint64_t>(score) << 1;
  return (size | (0 - size)) >> 63;
}
std::uint64_t is_negative(double score) {
  return is_nonzero(score) & sign_bit(score);
}

// Counts others with s ≥ 0 and collects the hits with s > 0. Leaves yⁿ in y.
struct Others {
  Index positive = 0;  // s > 0
  Index zero = 0;      // s = 0
};
Others sort_out(const Task& task, std::vector<Item>& hits) {
  mark_truth(task);
  std::uint64_t some = 0, negative = 0;
  for (const double score : task.s) {
    some += is_nonzero(score);
    negative += is_negative(score);
  }
  Others others{some - negative, task.s.size() - some};
  hits.clear();
  for (const std::uint32_t v : task.truth) {
    const double score = task.s[v];
    if (score > 0) {
      --others.positive;
      hits.push_back({score, 0, v, true});
    } else if (score == 0) {
      --others.zero;
    }
  }
  return others;
}

// Moves hits with s > γ r(k₀ + 1) to the front, where k₀ includes them, and returns their number.
// Stops when a round decides only a small share: the rest is sorted anyway.
Index decide_hits(const Task& task, Index others, std::vector<Item>& hits) {
  Index sure = 0, found = 0, undecided = 0;
  do {
    undecided = hits.size() - sure;
    const double penalty = task.penalty(others + sure + 1);
    const auto rest = std::partition(hits.begin() + offset(sure), hits.end(),
                                     [&](const Item& hit) { return hit.score > penalty; });
    found = static_cast<Index>(rest - hits.begin()) - sure;
    sure += found;
  } while (4 * found > undecided);
  return sure;
}

// The largest saving by one more other: γ max_h h (r(k − 1) − r(k)) over `sure` ≤ h ≤ `hits` and k
// ≥ h + others + 1. That is γ g h / ((d + h)(d + h + 1)) with d = c + others, which increases up to
// h = √(d (d + 1)) and decreases after that. Slightly larger, because of rounding.
double widest_saving(const Task& task, Index others, Index sure, Index hits) {
  const bool precision = task.measure.kind == Kind::kPrecision;
  const double beta2 = task.measure.beta * task.measure.beta;
  const double g = precision ? 1 : 1 + beta2;
  const double c = precision ? 0 : beta2 * static_cast<double>(task.truth.size());
  const double d = c + static_cast<double>(others);
  const double low = static_cast<double>(std::max<Index>(sure, 1));
  const double h = std::clamp(std::sqrt(d * (d + 1)), low, static_cast<double>(hits));
  return (1 + 1e-9) * task.gamma * g * h / ((d + h) * (d + h + 1));
}

// The number of others with −width ≤ s < 0.
Index count_window(const Task& task, double width) {
  const auto within = [width](double score) {
    return is_negative(score) & (1 - sign_bit(score + width));
  };
  std::uint64_t count = 0;
  for (const double score : task.s) count += within(score);
  for (const std::uint32_t v : task.truth) count -= within(task.s[v]);
  return count;
}

// The others that may be in although s < 0: at most `count` items, all with s ≥ −width.
struct Window {
  double width = 0;
  Index count = 0;
};

// The b-th such item saves at most δ_b, which decreases with b; so b of them are in only if n(δ_b)
// ≥ b, where n counts the others within a width. If n(δ_b) ≥ b, the width δ_b suffices for all: the
// first b lie within it, and so does any further one. Otherwise fewer than b are in. Searches the
// largest such b until n is small, or not much larger than b. As n(t) is nearly proportional to t,
// the solution of n(δ_b) = b is guessed well; alternates with the geometric mean in case it is not.
Window find_window(const Task& task, Index in, Index sure, Index hits) {
  constexpr Index kFew = 64, kEnough = 3;
  const auto saving = [&](Index b) { return widest_saving(task, in + b - 1, sure, hits); };
  double width = saving(1);
  Index found = count_window(task, width);
  Index low = 1, high = found + 1;  // holds for low (if any), and not for high
  const auto guess = [&] {          // three quarters: too wide is better than to search again
    Index below = low, above = high;
    while (above - below > 1) {
      const Index b = (below + above) / 2;
      const double within = static_cast<double>(found) * saving(b) / width;
      (within >= static_cast<double>(b) ? below : above) = b;
    }
    return below / 4 * 3;
  };
  for (bool guessing = true; found > kFew && found > kEnough * low && high - low > 1;
       guessing = !guessing) {
    const double middle = std::sqrt(static_cast<double>(low) * static_cast<double>(high));
    const Index b = std::clamp(guessing ? guess() : static_cast<Index>(middle), low + 1, high - 1);
    const double narrower = saving(b);
    const Index within = count_window(task, narrower);
    if (within >= b) {
      low = b;
      found = within;
      width = narrower;
    } else {
      high = b;
    }
  }
  return {width, high - 1};
}

// Collects those others, best first; y holds yⁿ. Most blocks of scores contain none, which is
// checked without a branch for each item.
void gather_window(const Task& task, const Window& window, std::vector<Item>& others) {
  constexpr Index kBlock = 16;
  others.clear();
  for (Index begin = 0; begin < task.s.size(); begin += kBlock) {
    const Index end = std::min(begin + kBlock, task.s.size());
    std::uint64_t found = 0;
    for (Index v = begin; v < end; ++v) {
      found |= sign_bit(task.s[v]) & (1 - sign_bit(task.s[v] + window.width));
    }
    if (found == 0) continue;
    for (Index v = begin; v < end; ++v) {
      if (task.s[v] < 0 && task.s[v] >= -window.width && task.y[v] == 0) {
        others.push_back({task.s[v], 0, static_cast<std::uint32_t>(v), false});
      }
    }
  }
  if (window.count < others.size()) {
    const auto end = others.begin() + offset(window.count);
    std::nth_element(others.begin(), end, others.end(), kScoreBefore);
    others.erase(end, others.end());
  }
  std::sort(others.begin(), others.end(), kScoreBefore);
}

void sum_up(std::span<const Item> items, std::vector<double>& sums) {
  sums.assign(1, 0);
  for (const Item& item : items) sums.push_back(sums.back() + item.score);
}

struct Choice {
  Index hits = 0;
  Index others = 0;
};

// How many undecided hits and others (each best first) to add to k₀ decided items with h₀ hits: two
// pointers over j = 0, 1, 2, … items.
Choice merge(const Task& task, std::span<const Item> hits, std::span<const Item> others, Index k0,
             Index h0, MeasureArgmaxScratch& scratch) {
  sum_up(hits, scratch.hit_sums);
  sum_up(others, scratch.other_sums);
  Choice best;
  double best_value = h0 == 0 ? 0 : -task.penalty(k0) * static_cast<double>(h0);
  Index a = 0;
  for (Index j = 1; j <= hits.size() + others.size(); ++j) {
    const double penalty = task.penalty(k0 + j);
    Index b = j - a;
    while (a < hits.size() && b > 0 &&
           (b > others.size() || hits[a].score - penalty > others[b - 1].score)) {
      ++a;
      --b;
    }
    const double value =
        scratch.hit_sums[a] + scratch.other_sums[b] - penalty * static_cast<double>(h0 + a);
    if (value > best_value) {
      best_value = value;
      best = {a, b};
    }
  }
  return best;
}

void choose_by_merging(const Task& task, MeasureArgmaxScratch& scratch) {
  std::vector<Item>& hits = scratch.hits;
  const Others others = sort_out(task, hits);
  // Others with s = 0 lower r at no cost: they are in if and only if there is a hit.
  const Index in = others.positive + others.zero;
  const Index sure = hits.empty() ? 0 : decide_hits(task, in, hits);
  Choice choice;
  scratch.others.clear();
  if (!hits.empty()) {
    gather_window(task, find_window(task, in, sure, hits.size()), scratch.others);
    std::sort(hits.begin() + offset(sure), hits.end(), kScoreBefore);
    choice = merge(task, std::span(hits).subspan(sure), scratch.others, in + sure, sure, scratch);
  }
  const Index chosen_hits = sure + choice.hits;
  if (chosen_hits > 0 && task.gamma > 0) {
    for (Index v = 0; v < task.s.size(); ++v) {
      task.y[v] = static_cast<Label>(1 - is_negative(task.s[v]));
    }
  } else {
    for (Index v = 0; v < task.s.size(); ++v) {
      task.y[v] = static_cast<Label>(is_nonzero(task.s[v]) - is_negative(task.s[v]));
    }
  }
  for (const std::uint32_t v : task.truth) task.y[v] = 0;
  for (Index i = 0; i < chosen_hits; ++i) task.y[hits[i].item] = 1;
  for (Index i = 0; i < choice.others; ++i) task.y[scratch.others[i].item] = 1;
}

void choose(const Task& task, MeasureArgmaxScratch& scratch, ArgmaxAlgorithm algorithm) {
  const Kind kind = task.measure.kind;
  if (algorithm == ArgmaxAlgorithm::kNaive) {
    choose_naively(task, scratch);
  } else if (kind == Kind::kHamming || (kind == Kind::kRecall && !task.truth.empty())) {
    choose_by_item(task);
  } else if (task.truth.empty()) {
    choose_against_nothing(task);
  } else if (algorithm == ArgmaxAlgorithm::kBounded) {
    choose_by_bound(task, scratch);
  } else {
    choose_by_merging(task, scratch);
  }
}

}  // namespace

double measure_argmax(const SetMeasure& measure, double gamma, std::span<const double> s,
                      std::span<const std::uint32_t> truth, MeasureArgmaxScratch& scratch,
                      std::span<Label> y, ArgmaxAlgorithm algorithm) {
  assert(s.size() == y.size() && gamma >= 0);
  assert(std::is_sorted(truth.begin(), truth.end()) && (truth.empty() || truth.back() < s.size()));
  choose({measure, gamma, s, truth, y}, scratch, algorithm);
  return chosen_sum(s, y) + gamma * measure.loss(set_counts(truth, y));
}

double chosen_sum(std::span<const double> s, std::span<const Label> y) {
  double sums[4] = {0, 0, 0, 0};
  const Index whole = s.size() / 4 * 4;
  for (Index v = 0; v < whole; v += 4) {
    for (Index lane = 0; lane < 4; ++lane) sums[lane] += s[v + lane] * y[v + lane];
  }
  for (Index v = whole; v < s.size(); ++v) sums[v - whole] += s[v] * y[v];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

SetCounts set_counts(std::span<const std::uint32_t> truth, std::span<const Label> y) {
  SetCounts counts{0, 0, truth.size(), y.size()};
  for (const Label label : y) counts.predicted += label != 0 ? 1 : 0;
  for (const std::uint32_t v : truth) counts.hits += y[v] != 0 ? 1 : 0;
  return counts;
}

}  // namespace trellis
