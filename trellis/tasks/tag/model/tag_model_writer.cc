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

// Holds what the file's views point at.
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
        template_(parts.features->serialize()) {
    for (const std::span<const double> w : parts.weights) {
      for (Index d = 0; d < w.size(); ++d) {
        if (keep_[d] != 0) weights_.push_back(w[d]);
      }
    }
    file_.labels.assign(parts.labels.begin(), parts.labels.end());
    file_.order = parts.chain->states().order();
    file_.hash_bits = parts.nodes->hash_bits();
    file_.format = parts.format;
    file_.training = parts.training;
    file_.feature_template = template_;
    file_.rules = rules_;
    file_.nodes = rows_of(nodes_);
    file_.edges = rows_of(edges_);
    file_.grams.assign(grams_.levels.begin(), grams_.levels.end());
    file_.stop_grams = grams_.stop;
    file_.weights = weights_;
    file_.votes = parts.votes;
    if (parts.kernel != nullptr) add_kernel(*parts.kernel);
  }

  std::string bytes() {
    return ModelArchive::to_bytes(TagModel::kKind, [&](ModelArchive& a) { file_.describe(a); });
  }

 private:
  static TagFile::Rows rows_of(const KeptAttributes& kept) {
    return {kept.table.keys(), kept.table.ids(), NameView(kept.name_ends, kept.names, "<memory>"),
            kept.row_of,       kept.begin,       kept.targets};
  }

  void add_kernel(const KernelPart& kernel) {
    for (const std::uint64_t fingerprint : kernel.dimensions.fingerprints()) {
      dimensions_.insert(fingerprint);
    }
    const KernelPivots& pivots = kernel.training.pivots();
    pivots_ = pivots.rows().to_dense();
    file_.kernel = TagFile::Kernel{pivots.kernel(), pivots.rows().width, dimensions_.keys(),
                                   dimensions_.ids(), pivots_};
  }

  std::vector<std::uint8_t> keep_;
  KeptAttributes nodes_;
  KeptAttributes edges_;
  GramWeights grams_;
  FingerprintTable dimensions_;
  std::vector<float> pivots_;
  std::vector<std::uint8_t> rules_;
  std::string template_;
  std::vector<double> weights_;
  TagFile file_;
};

}  // namespace

std::string tag_model_bytes(const TagModelParts& parts) {
  return Assembly(parts).bytes();
}

}  // namespace trellis::tag
