#include "trellis/tasks/tag/model/tag_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

// How many ways there are to walk `steps` labels on from one of `first`.
double count_walks(const TransitionRules& rules, const std::vector<Label>& first, int steps) {
  const Label n = static_cast<Label>(rules.num_labels());
  std::vector<double> ending(rules.num_labels(), 0.0);
  for (const Label label : first) ending[static_cast<Index>(label)] = 1;
  for (int step = 0; step < steps; ++step) {
    std::vector<double> longer(rules.num_labels(), 0.0);
    for (Label i = 0; i < n; ++i) {
      for (Label j = 0; j < n; ++j) {
        if (rules.may_follow(i, j)) longer[static_cast<Index>(j)] += ending[static_cast<Index>(i)];
      }
    }
    ending = std::move(longer);
  }
  return std::accumulate(ending.begin(), ending.end(), 0.0);
}

std::vector<Label> starting_labels(const TransitionRules& rules) {
  std::vector<Label> starts;
  for (Label j = 0; j < static_cast<Label>(rules.num_labels()); ++j) {
    if (rules.may_start(j)) starts.push_back(j);
  }
  return starts;
}

std::vector<Label> reachable_labels(const TransitionRules& rules) {
  std::vector<Label> found = starting_labels(rules);
  std::vector<std::uint8_t> seen(rules.num_labels(), 0);
  for (const Label label : found) seen[static_cast<Index>(label)] = 1;
  for (Index k = 0; k < found.size(); ++k) {
    for (Label j = 0; j < static_cast<Label>(rules.num_labels()); ++j) {
      if (seen[static_cast<Index>(j)] != 0 || !rules.may_follow(found[k], j)) continue;
      seen[static_cast<Index>(j)] = 1;
      found.push_back(j);
    }
  }
  return found;
}

// How many transitions ChainStates would have, before memory for them is taken: see there which
// tuples it leaves out.
double count_transitions(const TransitionRules& rules, int order) {
  const double n = static_cast<double>(rules.num_labels());
  if (order == 1) return n + n * n;
  const std::vector<Label> starts = starting_labels(rules);
  double total = n + count_walks(rules, reachable_labels(rules), order);
  for (int length = 1; length < order; ++length) total += count_walks(rules, starts, length);
  return total;
}

TransitionRules read_rules(std::span<const std::uint8_t> flags, Index num_labels) {
  TransitionRules rules(num_labels);
  const Label n = static_cast<Label>(num_labels);
  Index k = 0;
  for (Label j = 0; j < n; ++j) {
    if (flags[k++] == 0) rules.forbid_start(j);
  }
  for (Label i = 0; i < n; ++i) {
    for (Label j = 0; j < n; ++j) {
      if (flags[k++] == 0) rules.forbid(i, j);
    }
  }
  for (Label j = 0; j < n; ++j) {
    if (flags[k++] == 0) rules.forbid_stop(j);
  }
  return rules;
}

// How many rows at the front hold every target.
Index dense_rows(std::span<const std::uint64_t> begin, Index num_targets) {
  Index dense = 0;
  while (dense + 1 < begin.size() && begin[dense + 1] - begin[dense] == num_targets) ++dense;
  return dense;
}

void require(bool holds, const char* otherwise) {
  if (!holds) throw UsageError(otherwise);
}

}  // namespace

TagModel TagModel::read(const std::string& path) {
  return TagModel(ModelReader::open(path));
}

TagModel TagModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return TagModel(ModelReader::from_bytes(bytes, name));
}

TagModel TagModel::from_parts(const TagModelParts& parts) {
  const std::string bytes = tag_model_bytes(parts);
  return from_bytes(std::as_bytes(std::span(bytes)), "<memory>");
}

TagModel::TagModel(ModelReader reader) : reader_(std::move(reader)) {
  ModelArchive::read(kKind, reader_, [&](ModelArchive& a) {
    file_.describe(a);
    for (const std::string& label : labels()) label_list_.add(label);
    const std::string_view text(file_.feature_template.data(), file_.feature_template.size());
    features_ = std::make_shared<const FeatureTemplate>(FeatureTemplate::deserialize(text, name()));
    make_states();
    const Index n = labels().size();
    const AttributeRows node_rows = make_rows(file_.nodes, n, nodes_);
    const AttributeRows edge_rows = make_rows(file_.edges, n * (n + 1), edges_);
    chain_ = std::make_shared<const ChainFeatures>(states_, node_rows, edge_rows, make_grams());
    // Division, as a product could overflow.
    const Index found = file_.weights.size(), dimension = chain_->dimension();
    require(
        dimension == 0 ? found == 0 : found % dimension == 0 && found / dimension == num_voters(),
        "the model's weights do not fit its features");
    if (file_.kernel) make_kernel();
  });
}

Label TagModel::find_label(std::string_view label) const {
  const std::uint32_t id = label_list_.find(label);
  return id == NameList::kNone ? kNoLabel : static_cast<Label>(id);
}

// The file must hold the tables before memory for them is taken: L² flags and k tables of n-grams.
void TagModel::make_states() {
  const TransitionRules rules = read_rules(file_.rules, labels().size());
  for (int level = 1; level <= file_.order; ++level) {
    const auto size = static_cast<double>(file_.grams[static_cast<Index>(level) - 1].size());
    require(size == count_transitions(rules, level),
            "the model's label n-grams do not fit its labels");
  }
  states_ = std::make_shared<const ChainStates>(rules, file_.order);
}

AttributeRows TagModel::make_rows(const TagFile::Rows& stored, Index num_targets,
                                  Attributes& attributes) {
  require(valid_rows(stored.begin, stored.targets, num_targets), "the model's rows are damaged");
  const AttributeRows rows(stored.begin, stored.targets, num_targets,
                           dense_rows(stored.begin, num_targets));
  const Index num_rows = rows.num_attributes();
  if (hash_bits() == 0) {
    attributes.ids = FingerprintView(stored.keys, stored.ids, num_rows, name());
    attributes.names = stored.names;
    require(stored.names.size() == num_rows, "the model's names do not fit its rows");
    return rows;
  }
  // A template without edge attributes has no edge rows, hashed or not.
  if (&stored == &file_.edges && stored.row_of.empty() && num_rows == 0) return rows;
  require(stored.row_of.size() == Index{1} << hash_bits(),
          "the model's rows do not fit its feature hashing");
  attributes.hash_bits = hash_bits();
  attributes.row_of = stored.row_of;
  attributes.bucket_of.assign(num_rows, 0);
  for (Index bucket = 0; bucket < stored.row_of.size(); ++bucket) {
    const AttributeId row = stored.row_of[bucket];
    if (row == kNoAttribute) continue;
    require(row < num_rows, "the model's rows do not fit its feature hashing");
    attributes.bucket_of[row] = static_cast<std::uint32_t>(bucket);
  }
  return rows;
}

GramWeights TagModel::make_grams() const {
  GramWeights grams;
  std::uint32_t most = 0;
  const auto copy = [&](std::span<const std::uint32_t> ranks) {
    for (const std::uint32_t rank : ranks) {
      if (rank != GramWeights::kNone) most = std::max(most, rank + 1);
    }
    return std::vector<std::uint32_t>(ranks.begin(), ranks.end());
  };
  for (const auto& level : file_.grams) grams.levels.push_back(copy(level));
  grams.stop = copy(file_.stop_grams);
  grams.num_weights = most;
  return grams;
}

void TagModel::make_kernel() {
  const TagFile::Kernel& stored = *file_.kernel;
  require(stored.pivots.size() % stored.dimensions == 0, "the model's pivots are damaged");
  require(hash_bits() == 0, "the model has both a kernel and feature hashing, which is not valid");
  SparseRows rows;
  rows.width = stored.dimensions;
  for (Index p = 0; p < stored.pivots.size() / rows.width; ++p) {
    rows.add_dense(stored.pivots.subspan(p * rows.width, rows.width));
  }
  auto kernel = std::make_shared<NodeKernel>();
  kernel->dimensions = FingerprintView(stored.keys, stored.ids, rows.width, name());
  kernel->pivots = KernelPivots(stored.function, std::move(rows));
  for (Index p = 0; p < kernel->pivots.size(); ++p) {
    kernel->rows.push_back(nodes_.find(pivot_fingerprint(p)));
  }
  kernel_ = std::move(kernel);
}

std::string TagModel::Attributes::name(AttributeId id) const {
  if (hash_bits > 0) return fmt::format("#{}", bucket_of[id]);
  return std::string(names[id]);
}

}  // namespace trellis::tag
