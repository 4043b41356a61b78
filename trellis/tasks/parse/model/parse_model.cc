#include "trellis/tasks/parse/model/parse_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ranges>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/tasks/parse/filter/filter_stage.h"
#include "trellis/tasks/parse/model/arc_model.h"

namespace trellis::parse {
namespace {

std::uint32_t float_bits(double weight) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(weight));
}

// The weights as the file has them.
class WeightSections {
 public:
  WeightSections(const FeatureNumbers& numbers, std::span<const double> w)
      : arcs_(static_cast<Index>(std::count_if(
            w.begin(), w.begin() + static_cast<std::ptrdiff_t>(numbers.num_arc_weights()),
            matters))),
        rows_(numbers.num_label_rows()) {
    const std::vector<std::uint64_t> arcs = numbers.arc_fingerprints();
    for (Index k = 0; k < arcs.size(); ++k) {
      if (matters(w[k])) arcs_.insert(arcs[k], float_bits(w[k]));
    }
    const std::vector<std::uint64_t> rows = numbers.row_fingerprints();
    for (Index row = 0; row < rows.size(); ++row) add_row(numbers, row, rows[row], w);
  }

  void add_to(ModelWriter& writer) const {
    writer.add_array<WeightSlot>("arc.slots", arcs_.slots());
    writer.add_array<WeightSlot>("label.slots", rows_.slots());
    writer.add_array<LabelEntry>("label.entries", entries_);
  }

 private:
  static bool matters(double weight) { return static_cast<float>(weight) != 0; }

  void add_row(const FeatureNumbers& numbers, Index row, std::uint64_t fingerprint,
               std::span<const double> w) {
    const auto targets = numbers.targets(row);
    const Index head = entries_.size();
    entries_.emplace_back();
    for (Index k = 0; k < targets.size(); ++k) {
      const double weight = w[numbers.row_begin(row) + k];
      if (matters(weight)) entries_.push_back({targets[k], float_bits(weight)});
    }
    entries_[head].label = static_cast<std::uint32_t>(entries_.size() - head - 1);
    if (entries_[head].label == 0) {
      entries_.pop_back();
    } else {
      rows_.insert(fingerprint, static_cast<std::uint32_t>(head));
    }
  }

  WeightTable arcs_;
  WeightTable rows_;
  std::vector<LabelEntry> entries_;
};

// Decoding by risk; of a model that decodes otherwise nothing is written.
Value risk_record(const DecodeOptions& decoding) {
  Value risk = Value::record();
  if (decoding.sums) risk["inference"] = to_string(*decoding.sums);
  if (decoding.limits.iterations) risk["iterations"] = *decoding.limits.iterations;
  if (decoding.limits.tolerance) risk["tolerance"] = *decoding.limits.tolerance;
  if (decoding.limits.damping) risk["damping"] = *decoding.limits.damping;
  return risk;
}

DecodeOptions risk_of(const Value& risk) {
  if (!risk.is_record()) throw UsageError("the model's decoding by risk is not an object");
  DecodeOptions decoding;
  decoding.decoding = Decoding::kRisk;
  if (risk.contains("inference")) {
    decoding.sums = parse_named<PairInference>(risk.at("inference").get<std::string>());
  }
  if (risk.contains("iterations")) {
    if (!risk.at("iterations").is_count()) {
      throw UsageError("the model's number of iterations is not a number of at least 0");
    }
    decoding.limits.iterations = risk.at("iterations").get<Index>();
  }
  if (risk.contains("tolerance")) decoding.limits.tolerance = risk.at("tolerance").get<double>();
  if (risk.contains("damping")) decoding.limits.damping = risk.at("damping").get<double>();
  return decoding;
}

Value meta_of(const ParseModelParts& parts) {
  Value meta;
  meta["order"] = parts.shape.order;
  meta["one_root"] = parts.shape.trees.roots == Roots::kOne;
  meta["projective"] = parts.shape.trees.projective;
  meta["prune"] = parts.filter.prune;
  meta["max_heads"] = parts.filter.limits.max_heads;
  meta["prune_below"] = parts.filter.limits.prune_below;
  if (parts.decoding.risk()) meta["risk"] = risk_record(parts.decoding);
  meta["training"] = parts.training;
  return meta;
}

void add_names(ModelWriter& writer, const std::string& kind, const NameList& names) {
  writer.add_array<char>(kind + ".names", names.bytes());
  writer.add_array<std::uint64_t>(kind + ".name_ends", names.offsets());
}

}  // namespace

ParseModel ParseModel::read(const std::string& path) {
  return ParseModel(ModelReader::open(path));
}

ParseModel ParseModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return ParseModel(ModelReader::from_bytes(bytes, name));
}

ParseModel ParseModel::from_parts(const ParseModelParts& parts) {
  const WeightSections weights(*parts.numbers, parts.weights);
  ModelWriter writer(std::string(kParseModelKind), kParseModelVersion);
  writer.add_json("meta", meta_of(parts));
  add_names(writer, "labels", *parts.labels);
  add_names(writer, "tags", parts.tags->names());
  writer.add_array<std::uint32_t>("sets.of", parts.sets->set_of());
  writer.add_array<std::uint32_t>("sets.begin", parts.sets->begin());
  writer.add_array<std::uint32_t>("sets.members", parts.sets->members());
  writer.add_array<float>("filter.tags", parts.filter_weights.tags);
  writer.add_array<float>("filter.words", parts.filter_weights.words);
  weights.add_to(writer);
  if (parts.tagger != nullptr) parts.tagger->add_to(writer);
  const std::string bytes = writer.to_bytes();
  return from_bytes(std::as_bytes(std::span(bytes)), "<memory>");
}

ParseModel::ParseModel(ModelReader reader) : reader_(std::move(reader)) {
  reader_.expect(kParseModelKind, kParseModelVersion);
  read_meta();
  labels_ = read_names("labels");
  if (labels_.empty() || labels_.size() > kMostLabels) {
    refuse(fmt::format("the model has {} labels, not 1 to {}", labels_.size(), kMostLabels));
  }
  tags_ = TagNumbers(read_names("tags"));
  sets_ = LabelSets(tags_.size(), labels_.size(), reader_.array<std::uint32_t>("sets.of"),
                    reader_.array<std::uint32_t>("sets.begin"),
                    reader_.array<std::uint32_t>("sets.members"), reader_.name());
  read_filter();
  const auto slots = reader_.array<WeightSlot>("arc.slots");
  arc_weights_ = WeightView(slots, reader_.name());
  require_finite_weights(slots, reader_.name());
  num_arc_features_ = static_cast<Index>(std::count_if(
      slots.begin(), slots.end(), [](const WeightSlot& slot) { return slot.check != 0; }));
  const auto rows = reader_.array<WeightSlot>("label.slots");
  const auto entries = reader_.array<LabelEntry>("label.entries");
  label_rows_ = LabelRows(rows, entries, labels_.size(), reader_.name());
  num_label_weights_ =
      entries.size() -
      static_cast<Index>(std::count_if(rows.begin(), rows.end(),
                                       [](const WeightSlot& slot) { return slot.check != 0; }));
  tagger_ = SentenceTagger::read(reader_);
}

void ParseModel::read_filter() {
  const auto weights = [&](const char* section, bool there, FilterStage stage) {
    const auto read = reader_.array<float>(section, there ? num_filter_weights(stage) : 0);
    if (!std::ranges::all_of(read, [](float w) { return std::abs(w) <= 1e6F; })) {
      refuse("a weight of the model's filter is not a number in the valid range");
    }
    return read;
  };
  const bool prune = filter_options_.prune;
  const FilterWeights read{
      weights("filter.tags", prune, FilterStage::kTags),
      weights("filter.words", prune && shape_.order == 2, FilterStage::kWords)};
  try {
    filter_ = ArcFilter(read, filter_options_, shape_.trees);
  } catch (const UsageError& error) {
    refuse(error.what());
  }
}

void ParseModel::refuse(const std::string& why) const {
  throw InputError(reader_.name(), 0, why);
}

void ParseModel::read_meta() {
  const Value meta = reader_.json("meta");
  try {
    const auto number = [&](const char* key) {
      if (!meta.at(key).is_count()) {
        refuse(fmt::format("the model's {} is not a number of at least 0", key));
      }
      return meta.at(key).get<Index>();
    };
    shape_.order = number("order");
    if (shape_.order != 1 && shape_.order != 2) {
      refuse(fmt::format("the model's order is {}", shape_.order));
    }
    shape_.trees.roots = meta.at("one_root").get<bool>() ? Roots::kOne : Roots::kAny;
    shape_.trees.projective = meta.at("projective").get<bool>();
    filter_options_.prune = meta.at("prune").get<bool>();
    filter_options_.limits.max_heads = number("max_heads");
    filter_options_.limits.prune_below = meta.at("prune_below").get<double>();
    if (meta.contains("risk")) decoding_ = risk_of(meta.at("risk"));
    decoding_.check(shape_.order);
    training_ = meta.at("training");
  } catch (const UsageError& error) {
    refuse(error.what());
  } catch (const ValueError&) {
    refuse("the model's description is incomplete or damaged");
  }
}

NameList ParseModel::read_names(const std::string& kind) const {
  return {NameView(reader_.array<std::uint64_t>(kind + ".name_ends"),
                   reader_.array<char>(kind + ".names"), reader_.name()),
          reader_.name()};
}

}  // namespace trellis::parse
