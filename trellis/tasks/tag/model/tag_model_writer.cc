#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trellis/tasks/tag/model/tag_model.h"

namespace trellis::tag {
namespace {

// The coordinates of the weight vector that the file keeps. A dense row stays whole if any of it
// does: it is scored by vector operations.
std::vector<std::uint8_t> kept_coordinates(const TagModelParts& parts) {
  std::vector<std::uint8_t> keep(parts.chain->dimension(), 0);
  for (const std::span<const double> w : parts.weights) {
    for (Index d = 0; d < w.size(); ++d) {
      if (w[d] != 0) keep[d] = 1;
    }
  }
  const AttributeRows& rows = parts.chain->node_rows();
  for (AttributeId a = 0; a < rows.num_attributes() && rows.dense(a); ++a) {
    const auto row = std::span(keep).subspan(rows.begin(a), rows.size(a));
    if (std::find(row.begin(), row.end(), 1) != row.end())
      std::fill(row.begin(), row.end(), std::uint8_t{1});
  }
  return keep;
}

// The rows of one kind of attributes without weights that are 0 and attributes that have no other.
struct KeptAttributes {
  FingerprintTable table;
  std::vector<AttributeId> row_of;  // with feature hashing: the row of each bucket
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> targets;
  std::string names;
  std::vector<std::uint64_t> name_ends = {0};
};

std::vector<AttributeId> ids_by_row(std::span<const AttributeId> row_of, Index num_rows) {
  std::vector<AttributeId> ids(num_rows);
  for (Index id = 0; id < row_of.size(); ++id) {
    if (row_of[id] != kNoAttribute) ids[row_of[id]] = static_cast<AttributeId>(id);
  }
  return ids;
}

KeptAttributes keep_attributes(const AttributeRows& rows, const AttributeIndex& index,
                               std::span<const AttributeId> row_of,
                               std::span<const std::uint8_t> keep) {
  KeptAttributes kept;
  const bool hashed = index.hash_bits() > 0;
  if (hashed) kept.row_of.assign(row_of.size(), kNoAttribute);
  const std::vector<std::uint64_t> fingerprints = index.fingerprints();
  // Rows stay in their order, dense ones first: the order in which their scores are added up.
  for (const AttributeId id : ids_by_row(row_of, rows.num_attributes())) {
    const std::span<const std::uint32_t> targets = rows.targets(row_of[id]);
    for (Index j = 0; j < targets.size(); ++j) {
      if (keep[rows.begin(row_of[id]) + j] != 0) kept.targets.push_back(targets[j]);
    }
    if (kept.targets.size() == kept.begin.back()) continue;
    kept.begin.push_back(kept.targets.size());
    if (hashed) {
      kept.row_of[id] = static_cast<AttributeId>(kept.begin.size() - 2);
      continue;
    }
    kept.table.insert(fingerprints[id]);
    kept.names += index.name(id);
    kept.name_ends.push_back(kept.names.size());
  }
  return kept;
}

// n-gram weights renumbered without those that are 0.
GramWeights keep_grams(const GramWeights& grams, std::span<const std::uint8_t> keep) {
  std::vector<std::uint32_t> new_rank(grams.num_weights, GramWeights::kNone);
  GramWeights kept;
  for (Index d = 0; d < grams.num_weights; ++d) {
    if (keep[d] != 0) new_rank[d] = static_cast<std::uint32_t>(kept.num_weights++);
  }
  const auto renumber = [&](const std::vector<std::uint32_t>& ranks) {
    std::vector<std::uint32_t> renumbered;
    renumbered.reserve(ranks.size());
    for (const std::uint32_t rank : ranks) {
      renumbered.push_back(rank == GramWeights::kNone ? rank : new_rank[rank]);
    }
    return renumbered;
  };
  for (const auto& level : grams.levels) kept.levels.push_back(renumber(level));
  kept.stop = renumber(grams.stop);
  return kept;
}

std::vector<std::uint8_t> flags(const TransitionRules& rules) {
  const Label n = static_cast<Label>(rules.num_labels());
  std::vector<std::uint8_t> flags;
  for (Label j = 0; j < n; ++j) flags.push_back(rules.may_start(j) ? 1 : 0);
  for (Label i = 0; i < n; ++i) {
    for (Label j = 0; j < n; ++j) flags.push_back(rules.may_follow(i, j) ? 1 : 0);
  }
  for (Label j = 0; j < n; ++j) flags.push_back(rules.may_stop(j) ? 1 : 0);
  return flags;
}

Value meta(const TagModelParts& parts) {
  Value meta;
  meta["labels"] = parts.labels;
  meta["order"] = parts.chain->states().order();
  meta["hash_bits"] = parts.nodes->hash_bits();
  meta["format"] = to_string(parts.format.format);
  meta["num_columns"] = parts.format.num_columns;
  meta["label_column"] = parts.format.label_column;
  meta["word_column"] = parts.format.word_column;
  meta["comments"] = to_string(parts.format.comments);
  meta["file_scheme"] = to_string(parts.format.file_scheme);
  meta["model_scheme"] = to_string(parts.format.model_scheme);
  if (parts.kernel != nullptr) {
    meta["kernel"] = to_string(parts.kernel->training.pivots().kernel());
    meta["kernel_dimensions"] = parts.kernel->training.pivots().rows().width;
  }
  meta["training"] = parts.training;
  return meta;
}

// Holds what the writer's spans point at.
class Assembly {
 public:
  explicit Assembly(const TagModelParts& parts)
      : keep_(kept_coordinates(parts)),
        nodes_(keep_attributes(parts.chain->node_rows(), *parts.nodes, parts.node_ids, keep_)),
        edges_(keep_attributes(parts.chain->edge_rows(), *parts.edges, parts.edge_ids,
                               std::span(keep_).subspan(parts.chain->edge_begin()))),
        grams_(
            keep_grams(parts.chain->grams(), std::span(keep_).subspan(parts.chain->gram_begin()))),
        rules_(flags(parts.chain->states().rules())),
        votes_(parts.votes),
        writer_(std::string(kTagModelKind), parts.kernel == nullptr ? 1 : kTagModelVersion) {
    for (const std::span<const double> w : parts.weights) {
      for (Index d = 0; d < w.size(); ++d) {
        if (keep_[d] != 0) weights_.push_back(w[d]);
      }
    }
    writer_.add_json("meta", meta(parts));
    writer_.add_text("template", parts.features->serialize());
    writer_.add_array<std::uint8_t>("rules", rules_);
    add_attributes("node", nodes_, parts.nodes->hash_bits());
    add_attributes("edge", edges_, parts.edges->hash_bits());
    for (Index n = 0; n < grams_.levels.size(); ++n) {
      writer_.add_array<std::uint32_t>("grams." + std::to_string(n + 1), grams_.levels[n]);
    }
    writer_.add_array<std::uint32_t>("grams.stop", grams_.stop);
    writer_.add_array<double>("weights", weights_);
    if (!votes_.empty()) writer_.add_array<double>("votes", votes_);
    if (parts.kernel != nullptr) add_kernel(*parts.kernel);
  }

  const ModelWriter& writer() const { return writer_; }

 private:
  void add_kernel(const KernelPart& kernel) {
    for (const std::uint64_t fingerprint : kernel.dimensions.fingerprints()) {
      dimensions_.insert(fingerprint);
    }
    writer_.add_array<std::uint64_t>("kernel.keys", dimensions_.keys());
    writer_.add_array<std::uint32_t>("kernel.ids", dimensions_.ids());
    pivots_ = kernel.training.pivots().rows().to_dense();
    writer_.add_array<float>("kernel.pivots", pivots_);
  }

  void add_attributes(const std::string& kind, const KeptAttributes& kept, int hash_bits) {
    if (hash_bits > 0) {
      writer_.add_array<std::uint32_t>(kind + ".rows", kept.row_of);
    } else {
      writer_.add_array<std::uint64_t>(kind + ".keys", kept.table.keys());
      writer_.add_array<std::uint32_t>(kind + ".ids", kept.table.ids());
      writer_.add_array<char>(kind + ".names", std::span(kept.names));
      writer_.add_array<std::uint64_t>(kind + ".name_ends", kept.name_ends);
    }
    writer_.add_array<std::uint64_t>(kind + ".begin", kept.begin);
    writer_.add_array<std::uint32_t>(kind + ".targets", kept.targets);
  }

  std::vector<std::uint8_t> keep_;
  KeptAttributes nodes_;
  KeptAttributes edges_;
  GramWeights grams_;
  FingerprintTable dimensions_;
  std::vector<float> pivots_;
  std::vector<std::uint8_t> rules_;
  std::vector<double> weights_;
  std::vector<double> votes_;
  ModelWriter writer_;
};

}  // namespace

std::string tag_model_bytes(const TagModelParts& parts) {
  return Assembly(parts).writer().to_bytes();
}

}  // namespace trellis::tag
