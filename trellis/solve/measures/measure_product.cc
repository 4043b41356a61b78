#include "trellis/solve/measures/measure_product.h"

#include <algorithm>
#include <cassert>

namespace trellis {
namespace {

using Item = MeasureArgmaxScratch::Item;

// Items of yⁿ, lowest first, and others, highest first, with the sums of the first 0, 1, 2, …
void sort_items(std::span<const double> s, std::span<const std::uint32_t> truth,
                MeasureArgmaxScratch& scratch) {
  scratch.hits.clear();
  scratch.others.clear();
  for (Index v = 0, k = 0; v < s.size(); ++v) {
    const bool hit = k < truth.size() && truth[k] == v;
    if (hit) ++k;
    (hit ? scratch.hits : scratch.others).push_back({s[v], 0, static_cast<std::uint32_t>(v), hit});
  }
  std::sort(scratch.hits.begin(), scratch.hits.end(), [](const Item& a, const Item& b) {
    return a.score != b.score ? a.score < b.score : a.item < b.item;
  });
  std::sort(scratch.others.begin(), scratch.others.end(), [](const Item& a, const Item& b) {
    return a.score != b.score ? a.score > b.score : a.item < b.item;
  });
  const auto add_up = [](const std::vector<Item>& items, std::vector<double>& sums) {
    sums.assign(1, 0.0);
    for (const Item& item : items) sums.push_back(sums.back() + item.score);
  };
  add_up(scratch.hits, scratch.hit_sums);
  add_up(scratch.others, scratch.other_sums);
}

}  // namespace

MeasureProduct measure_product_argmax(const SetMeasure& measure, double gamma,
                                      std::span<const double> s,
                                      std::span<const std::uint32_t> truth,
                                      MeasureArgmaxScratch& scratch, std::span<Label> y) {
  assert(y.size() == s.size());
  sort_items(s, truth, scratch);
  const Index p = truth.size(), num_others = scratch.others.size();
  const auto loss = [&](Index m, Index o) { return measure.loss({p - m, p - m + o, p, s.size()}); };
  const auto product = [&](Index m, Index o) {
    return loss(m, o) * (gamma + (scratch.other_sums[o] - scratch.hit_sums[m]));
  };
  const auto positive =
      static_cast<Index>(std::partition_point(scratch.others.begin(), scratch.others.end(),
                                              [](const Item& item) { return item.score > 0; }) -
                         scratch.others.begin());
  MeasureProduct best;
  Index lacking = 0, added = 0;
  for (Index m = 0; m <= p; ++m) {
    // The first o from which on one more does not help.
    Index low = positive, high = num_others;
    while (low < high) {
      const Index o = low + (high - low) / 2;
      if (product(m, o + 1) > product(m, o)) {
        low = o + 1;
      } else {
        high = o;
      }
    }
    const double value = product(m, low);
    if (!(value > best.value)) continue;
    best = {value, loss(m, low)};
    lacking = m;
    added = low;
  }
  if (best.value == 0) return best;
  std::fill(y.begin(), y.end(), 0);
  for (Index k = lacking; k < p; ++k) y[scratch.hits[k].item] = 1;
  for (Index k = 0; k < added; ++k) y[scratch.others[k].item] = 1;
  return best;
}

}  // namespace trellis
