#include "trellis/tasks/match/block_folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/frame/training/folds.h"

namespace trellis::match {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Removes the digits at the beginning of `name` and returns them without leading zeros.
std::string_view take_number(std::string_view& name) {
  Index end = 0;
  while (end < name.size() && is_digit(name[end])) ++end;
  std::string_view digits = name.substr(0, end);
  name.remove_prefix(end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

// The block of each of n consecutive things; blocks have nearly equal sizes.
Index block_of(Index place, Index n, Index blocks) {
  return place * blocks / n;
}

std::vector<BlockFold> cut_examples(std::span<const Index> order, Index folds) {
  std::vector<BlockFold> made(folds);
  for (Index place = 0; place < order.size(); ++place) {
    made[block_of(place, order.size(), folds)].held_out.push_back(order[place]);
  }
  for (BlockFold& fold : made) {
    std::sort(fold.held_out.begin(), fold.held_out.end());
    fold.rest = without(fold.held_out, order.size());
  }
  return made;
}

// Shapes with the same name are equal: the right shape of a pair is a permuted copy.
std::vector<std::string_view> shapes_in_order(std::span<const MatchExample> examples) {
  std::vector<std::string_view> names;
  for (const MatchExample& example : examples) {
    names.push_back(example.left->name);
    names.push_back(example.right->name);
  }
  std::sort(names.begin(), names.end(), precedes);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// Empty if some fold would have no training pairs.
std::vector<BlockFold> cut_shapes(std::span<const MatchExample> examples, Index folds) {
  const std::vector<std::string_view> shapes = shapes_in_order(examples);
  if (shapes.size() < folds) return {};
  std::unordered_map<std::string_view, Index> block;
  for (Index place = 0; place < shapes.size(); ++place) {
    block[shapes[place]] = block_of(place, shapes.size(), folds);
  }
  std::vector<BlockFold> made(folds);
  for (Index i = 0; i < examples.size(); ++i) {
    const Index left = block[examples[i].left->name];
    const Index right = block[examples[i].right->name];
    for (Index k = 0; k < folds; ++k) {
      BlockFold& fold = made[k];
      (k == left || k == right ? fold.held_out : fold.rest).push_back(i);
    }
  }
  const bool usable = std::all_of(made.begin(), made.end(),
                                  [](const BlockFold& fold) { return !fold.rest.empty(); });
  return usable ? made : std::vector<BlockFold>();
}

}  // namespace

bool precedes(std::string_view name, std::string_view other) {
  const std::pair whole{name, other};
  while (!name.empty() && !other.empty()) {
    if (is_digit(name.front()) && is_digit(other.front())) {
      const std::string_view a = take_number(name);
      const std::string_view b = take_number(other);
      if (a != b) return a.size() != b.size() ? a.size() < b.size() : a < b;
    } else {
      if (name.front() != other.front()) return name.front() < other.front();
      name.remove_prefix(1);
      other.remove_prefix(1);
    }
  }
  if (name.size() != other.size()) return name.size() < other.size();
  return whole.first < whole.second;  // by leading zeros
}

std::vector<BlockFold> block_folds(std::span<const MatchExample> examples, Index folds) {
  if (folds == 0) throw UsageError("examples must be split into at least one fold");
  if (folds > examples.size()) {
    throw UsageError(fmt::format("{} folds are more than {} examples: some would be empty", folds,
                                 examples.size()));
  }
  std::vector<Index> order(examples.size());
  std::iota(order.begin(), order.end(), Index{0});
  if (examples.front().left != nullptr) {
    if (auto made = cut_shapes(examples, folds); !made.empty()) return made;
    std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
      return precedes(examples[i].name, examples[j].name);
    });
  }
  return cut_examples(order, folds);
}

}  // namespace trellis::match
