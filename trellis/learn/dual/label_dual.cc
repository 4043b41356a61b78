#include "trellis/learn/dual/label_dual.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string_view>

#include "trellis/base/error.h"

namespace trellis {
namespace {

using LabelList = std::vector<std::uint32_t> LabelDual::*;

// A list of labels for each example: its size, then the labels.
void put_labels(std::span<const LabelDual> duals, LabelList list, std::string_view name,
                Checkpoint& checkpoint) {
  std::vector<std::uint64_t> flat;
  for (const LabelDual& dual : duals) {
    flat.push_back((dual.*list).size());
    flat.insert(flat.end(), (dual.*list).begin(), (dual.*list).end());
  }
  checkpoint.put_integers(name, flat);
}

void get_labels(const Checkpoint& checkpoint, std::string_view name, Index num_labels,
                LabelList list, std::span<LabelDual> duals) {
  const std::vector<std::uint64_t>& flat = checkpoint.integers(name);
  Index next = 0;
  const auto read = [&](std::uint64_t limit) {
    if (next >= flat.size() || flat[next] >= limit) {
      throw InputError("checkpoint", 0, "the labels do not fit the problem");
    }
    return flat[next++];
  };
  for (LabelDual& dual : duals) {
    (dual.*list).resize(read(num_labels + 1));
    for (std::uint32_t& y : dual.*list) y = static_cast<std::uint32_t>(read(num_labels));
  }
}

// Whether labels ascend, and the support is in play.
bool consistent(const LabelDual& dual) {
  const auto ascends = [](const std::vector<std::uint32_t>& labels) {
    return std::adjacent_find(labels.begin(), labels.end(), std::greater_equal<>()) == labels.end();
  };
  return ascends(dual.support) && ascends(dual.listed) &&
         (dual.listed.empty() || std::includes(dual.listed.begin(), dual.listed.end(),
                                               dual.support.begin(), dual.support.end()));
}

}  // namespace

void save_duals(std::span<const LabelDual> duals, Checkpoint& checkpoint) {
  put_labels(duals, &LabelDual::support, "smo/support", checkpoint);
  put_labels(duals, &LabelDual::listed, "smo/listed", checkpoint);
  std::vector<double> alpha;
  std::vector<std::uint64_t> out;
  for (const LabelDual& dual : duals) {
    alpha.insert(alpha.end(), dual.alpha.begin(), dual.alpha.end());
    out.push_back(dual.out);
  }
  checkpoint.put("smo/alpha", alpha);
  checkpoint.put_integers("smo/out", out);
}

void load_duals(const Checkpoint& checkpoint, Index num_labels, std::span<LabelDual> duals) {
  get_labels(checkpoint, "smo/support", num_labels, &LabelDual::support, duals);
  get_labels(checkpoint, "smo/listed", num_labels, &LabelDual::listed, duals);
  Index total = 0;
  for (const LabelDual& dual : duals) {
    if (!consistent(dual)) throw InputError("checkpoint", 0, "a dual has mass on excluded labels");
    total += dual.support.size();
  }
  std::vector<double> alpha(total);
  checkpoint.get("smo/alpha", alpha);
  std::vector<std::uint64_t> out(duals.size());
  checkpoint.get_integers("smo/out", out);
  auto next = alpha.begin();
  for (Index i = 0; i < duals.size(); ++i) {
    const auto end = next + static_cast<std::ptrdiff_t>(duals[i].support.size());
    duals[i].alpha.assign(next, end);
    duals[i].out = out[i] != 0;
    next = end;
  }
}

double simplex_threshold(std::span<const double> b, double total, std::vector<double>& candidates) {
  const double top = *std::max_element(b.begin(), b.end());
  candidates.clear();
  // The greatest alone needs θ = top − total, and more candidates need a greater θ.
  for (const double value : b) {
    if (value > top - total) candidates.push_back(value);
  }
  // A total that is lost in the rounding of the scores leaves no candidate.
  if (candidates.empty()) return top - total;
  while (true) {
    const double sum = std::accumulate(candidates.begin(), candidates.end(), -total);
    const double theta = sum / static_cast<double>(candidates.size());
    if (std::erase_if(candidates, [&](double value) { return value <= theta; }) == 0) return theta;
    if (candidates.empty()) return theta;
  }
}

}  // namespace trellis
