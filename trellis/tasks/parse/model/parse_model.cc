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

  void put_into(ParseFile& file) const {
    file.arcs = arcs_.slots();
    file.label_rows = rows_.slots();
    file.label_entries = entries_;
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

Index num_used(std::span<const WeightSlot> slots) {
  return static_cast<Index>(
      std::ranges::count_if(slots, [](const WeightSlot& slot) { return slot.check != 0; }));
}

// A model that decodes otherwise has none of this.
void describe_risk(ModelArchive& a, DecodeOptions& decoding) {
  const auto limit = [&](const char* key, auto& value, const char* what) {
    a.optional(key, value.has_value(), 1, [&] {
      if (!value) value.emplace();
      a.number(key, *value, {}, what);
    });
  };
  a.optional("risk", decoding.risk(), 1, [&] {
    if (a.reading()) decoding.decoding = Decoding::kRisk;
    a.record("risk", [&] {
      a.optional("inference", decoding.sums.has_value(), 1, [&] {
        if (!decoding.sums) decoding.sums.emplace();
        a.choice("inference", *decoding.sums, "of the marginals of arcs");
      });
      limit("iterations", decoding.limits.iterations, "maximum");
      limit("tolerance", decoding.limits.tolerance, "on the residual");
      limit("damping", decoding.limits.damping, "share of an old message that is kept");
    });
  });
}

void describe_filter(ModelArchive& a, const ModelShape& shape, FilterOptions& filter,
                     FilterWeights& weights) {
  const auto stage = [&](const char* section, std::span<const float>& values, bool there,
                         FilterStage which) {
    a.array(section, values,
            {.size = there ? num_filter_weights(which) : 0, .in = Range{-1e6, 1e6}},
            "weights of the filter; none if it has no such stage");
  };
  stage("filter.tags", weights.tags, filter.prune, FilterStage::kTags);
  stage("filter.words", weights.words, filter.prune && shape.order == 2, FilterStage::kWords);
}

}  // namespace

void ParseFile::describe(ModelArchive& a) {
  a.number("order", shape.order, {1, 2}, "1: arcs; 2: pairs of arcs as well");
  bool one_root = shape.trees.roots == Roots::kOne;
  a.value("one_root", one_root, "whether a tree has one root");
  shape.trees.roots = one_root ? Roots::kOne : Roots::kAny;
  a.value("projective", shape.trees.projective, "whether trees are projective");
  a.value("prune", filter.prune, "whether arcs are filtered");
  a.number("max_heads", filter.limits.max_heads, {}, "of a word that the filter leaves");
  a.number("prune_below", filter.limits.prune_below, {},
           "probability of a head over that of the best one");
  describe_risk(a, decoding);
  a.check([&] { decoding.check(shape.order); });
  a.value("training", training, "how the model was made");
  a.name_list("labels.names", "labels.name_ends", labels, "of arcs");
  a.require(!labels.empty() && labels.size() <= kMostLabels,
            fmt::format("the model has {} labels, not 1 to {}", labels.size(), kMostLabels));
  a.name_list("tags.names", "tags.name_ends", tags, "coarse parts of speech");
  a.array("sets.of", set_of, {}, "by direction, tag of the head and of the word: set of labels");
  a.lists("sets.begin", set_begin, "sets.members", set_members, {}, {}, "labels of each set");
  describe_filter(a, shape, filter, filter_weights);
  a.array("arc.slots", arcs, {}, "weights by the fingerprints of arc features");
  a.array("label.slots", label_rows, {}, "rows by the fingerprints of label features");
  a.array("label.entries", label_entries, {}, "of each row its length, then labels and weights");
  tagging::WordTagger::describe(a, "tagger.coarse", coarse_tagger);
  tagging::WordTagger::describe(a, "tagger.fine", fine_tagger);
}

ParseModel ParseModel::read(const std::string& path) {
  return ParseModel(ModelReader::open(path));
}

ParseModel ParseModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return ParseModel(ModelReader::from_bytes(bytes, name));
}

ParseModel ParseModel::from_parts(const ParseModelParts& parts) {
  const WeightSections weights(*parts.numbers, parts.weights);
  ParseFile file;
  file.shape = parts.shape;
  file.decoding = parts.decoding;
  file.filter = parts.filter;
  file.filter_weights = parts.filter_weights;
  file.training = parts.training;
  file.labels = *parts.labels;
  file.tags = parts.tags->names();
  file.set_of = parts.sets->set_of();
  file.set_begin = parts.sets->begin();
  file.set_members = parts.sets->members();
  weights.put_into(file);
  if (parts.tagger != nullptr) {
    file.coarse_tagger = parts.tagger->coarse();
    file.fine_tagger = parts.tagger->fine();
  }
  const std::string bytes =
      ModelArchive::to_bytes(kKind, [&](ModelArchive& a) { file.describe(a); });
  return from_bytes(std::as_bytes(std::span(bytes)), "<memory>");
}

ParseModel::ParseModel(ModelReader reader) : reader_(std::move(reader)) {
  ModelArchive::read(kKind, reader_, [&](ModelArchive& a) {
    file_.describe(a);
    tags_ = TagNumbers(file_.tags);
    sets_ = LabelSets(tags_.size(), labels().size(), file_.set_of, file_.set_begin,
                      file_.set_members, name());
    filter_ = ArcFilter(file_.filter_weights, file_.filter, shape().trees);
  });
  arc_weights_ = WeightView(file_.arcs, name());
  require_finite_weights(file_.arcs, name());
  num_arc_features_ = num_used(file_.arcs);
  label_rows_ = LabelRows(file_.label_rows, file_.label_entries, labels().size(), name());
  num_label_weights_ = file_.label_entries.size() - num_used(file_.label_rows);
  if (file_.coarse_tagger) tagger_.emplace(*file_.coarse_tagger, file_.fine_tagger);
}

}  // namespace trellis::parse
