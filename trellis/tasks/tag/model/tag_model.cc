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
  reader_.expect(kTagModelKind, kTagModelVersion);
  read_meta();
  features_ = std::make_shared<const FeatureTemplate>(
      FeatureTemplate::deserialize(reader_.text("template"), reader_.name()));
  read_states();
  const Index n = labels_.size();
  const AttributeRows node_rows = read_rows("node", n, nodes_);
  const AttributeRows edge_rows = read_rows("edge", n * (n + 1), edges_);
  chain_ = std::make_shared<const ChainFeatures>(states_, node_rows, edge_rows, read_grams());
  read_weights();
  read_kernel();
}

void TagModel::refuse(const std::string& why) const {
  throw InputError(reader_.name(), 0, why);
}

void TagModel::read_meta() {
  const Value meta = reader_.json("meta");
  const auto number = [&](const char* key) {
    const Value& value = meta.at(key);
    if (!value.is_count()) refuse(fmt::format("the model's {} is not a number of at least 0", key));
    return value.get<Index>();
  };
  const auto text = [&](const char* key) { return meta.at(key).get<std::string>(); };
  Index order = 0;
  Index hash_bits = 0;
  try {
    labels_ = meta.at("labels").get<std::vector<std::string>>();
    order = number("order");
    hash_bits = number("hash_bits");
    format_.format = parse_named<InputFormat>(text("format"));
    format_.num_columns = number("num_columns");
    format_.label_column = number("label_column");
    format_.word_column = number("word_column");
    format_.comments = parse_named<Comments>(text("comments"));
    format_.file_scheme = parse_named<TagScheme>(text("file_scheme"));
    format_.model_scheme = parse_named<TagScheme>(text("model_scheme"));
    training_ = meta.at("training");
  } catch (const ValueError&) {
    refuse("the model's description is incomplete or damaged");
  } catch (const UsageError& error) {
    refuse(error.what());
  }
  const bool columns = format_.format != InputFormat::kItems;
  if (columns &&
      (format_.label_column >= format_.num_columns || format_.word_column >= format_.num_columns)) {
    refuse("the model's columns do not fit together");
  }
  if (labels_.empty()) refuse("the model has no label");
  if (order < 1 || order > static_cast<Index>(ChainStates::kMaxOrder))
    refuse(fmt::format("the model's order is {}", order));
  if (hash_bits > static_cast<Index>(AttributeIndex::kMaxHashBits))
    refuse("the model's feature hashing is not valid");
  if ((format_.file_scheme == TagScheme::kPlain) != (format_.model_scheme == TagScheme::kPlain)) {
    refuse("the model's tag schemes do not fit together");
  }
  order_ = static_cast<int>(order);
  hash_bits_ = static_cast<int>(hash_bits);
  for (const std::string& label : labels_) label_list_.add(label);
  if (label_list_.size() != labels_.size()) refuse("the model names a label twice");
}

Label TagModel::find_label(std::string_view label) const {
  const std::uint32_t id = label_list_.find(label);
  return id == NameList::kNone ? kNoLabel : static_cast<Label>(id);
}

void TagModel::read_states() {
  const Index n = labels_.size();
  // The file must hold the tables before memory for them is taken: L² flags and k tables of
  // n-grams.
  const std::span<const std::uint8_t> flags = reader_.array<std::uint8_t>("rules");
  if (flags.size() != n * n + 2 * n) refuse("the model's transition rules do not fit its labels");
  try {
    const TransitionRules rules = read_rules(flags, n);
    for (int level = 1; level <= order_; ++level) {
      const Index size = reader_.array<std::uint32_t>("grams." + std::to_string(level)).size();
      if (static_cast<double>(size) != count_transitions(rules, level))
        refuse("the model's label n-grams do not fit its labels");
    }
    states_ = std::make_shared<const ChainStates>(rules, order_);
  } catch (const UsageError& error) {
    refuse(error.what());  // more labels than a chain can have
  }
}

AttributeRows TagModel::read_rows(const std::string& kind, Index num_targets,
                                  Attributes& attributes) {
  const auto begin = reader_.array<std::uint64_t>(kind + ".begin");
  const auto targets = reader_.array<std::uint32_t>(kind + ".targets");
  if (!valid_rows(begin, targets, num_targets))
    refuse(fmt::format("the model's {} rows are damaged", kind));
  const AttributeRows rows(begin, targets, num_targets, dense_rows(begin, num_targets));
  if (hash_bits_ > 0) {
    read_buckets(kind, rows.num_attributes(), attributes);
    return rows;
  }
  attributes.ids = FingerprintView(reader_.array<std::uint64_t>(kind + ".keys"),
                                   reader_.array<std::uint32_t>(kind + ".ids"),
                                   rows.num_attributes(), reader_.name());
  attributes.names = NameView(reader_.array<std::uint64_t>(kind + ".name_ends"),
                              reader_.array<char>(kind + ".names"), reader_.name());
  if (attributes.names.size() != rows.num_attributes())
    refuse(fmt::format("the model's {} names do not fit its rows", kind));
  return rows;
}

void TagModel::read_buckets(const std::string& kind, Index num_rows, Attributes& attributes) {
  const auto row_of = reader_.array<std::uint32_t>(kind + ".rows");
  // A template without edge attributes has no edge rows, hashed or not.
  if (kind == "edge" && row_of.empty() && num_rows == 0) return;
  if (row_of.size() != Index{1} << hash_bits_)
    refuse("the model's rows do not fit its feature hashing");
  attributes.hash_bits = hash_bits_;
  attributes.row_of = row_of;
  attributes.bucket_of.assign(num_rows, 0);
  for (Index bucket = 0; bucket < row_of.size(); ++bucket) {
    if (row_of[bucket] == kNoAttribute) continue;
    if (row_of[bucket] >= num_rows) refuse("the model's rows do not fit its feature hashing");
    attributes.bucket_of[row_of[bucket]] = static_cast<std::uint32_t>(bucket);
  }
}

GramWeights TagModel::read_grams() {
  GramWeights grams;
  std::uint32_t most = 0;
  const auto read = [&](const std::string& name) {
    const auto ranks = reader_.array<std::uint32_t>(name);
    for (const std::uint32_t rank : ranks) {
      if (rank != GramWeights::kNone) most = std::max(most, rank + 1);
    }
    return std::vector<std::uint32_t>(ranks.begin(), ranks.end());
  };
  for (int level = 1; level <= order_; ++level)
    grams.levels.push_back(read("grams." + std::to_string(level)));
  grams.stop = read("grams.stop");
  if (grams.stop.size() != labels_.size()) refuse("the model's stop labels do not fit its labels");
  grams.num_weights = most;
  return grams;
}

void TagModel::read_kernel() {
  if (!reader_.has("kernel.pivots")) return;
  const Value meta = reader_.json("meta");
  auto kernel = std::make_shared<NodeKernel>();
  const auto pivots = reader_.array<float>("kernel.pivots");
  SparseRows rows;
  try {
    const Kernel function = parse_kernel(meta.at("kernel").get<std::string>());
    const Value& dimensions = meta.at("kernel_dimensions");
    rows.width = dimensions.is_count() ? dimensions.get<Index>() : 0;
    if (rows.width == 0 || pivots.size() % rows.width != 0) {
      refuse("the model's pivots are damaged");
    }
    for (Index p = 0; p < pivots.size() / rows.width; ++p) {
      rows.add_dense(pivots.subspan(p * rows.width, rows.width));
    }
    for (const float value : rows.values) {
      if (!std::isfinite(value)) refuse("a pivot of the model is not a vector of finite numbers");
    }
    kernel->dimensions =
        FingerprintView(reader_.array<std::uint64_t>("kernel.keys"),
                        reader_.array<std::uint32_t>("kernel.ids"), rows.width, reader_.name());
    kernel->pivots = KernelPivots(function, std::move(rows));
  } catch (const ValueError&) {
    refuse("the model's kernel is not described");
  } catch (const UsageError& error) {
    refuse(error.what());
  }
  if (hash_bits_ > 0) refuse("the model has both a kernel and feature hashing, which is not valid");
  for (Index p = 0; p < kernel->pivots.size(); ++p) {
    kernel->rows.push_back(nodes_.find(pivot_fingerprint(p)));
  }
  kernel_ = std::move(kernel);
}

void TagModel::read_weights() {
  if (reader_.has("votes")) {
    votes_ = reader_.array<double>("votes");
    const auto finite = [](double votes) { return std::isfinite(votes); };
    if (votes_.empty() || !std::all_of(votes_.begin(), votes_.end(), finite)) {
      refuse("the model's votes are damaged");
    }
  }
  weights_ = reader_.weights("weights");
  // Division, as a product could overflow.
  const Index dimension = chain_->dimension();
  const bool fits = dimension == 0 ? weights_.empty()
                                   : weights_.size() % dimension == 0 &&
                                         weights_.size() / dimension == num_voters();
  if (!fits) refuse("the model's weights do not fit its features");
}

std::string TagModel::Attributes::name(AttributeId id) const {
  if (hash_bits > 0) return fmt::format("#{}", bucket_of[id]);
  return std::string(names[id]);
}

}  // namespace trellis::tag
