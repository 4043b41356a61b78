// The transformation of a document's mixture by its class: T^y of DiscLDA (Lacoste-Julien, Sha &
// Jordan 2008; Lacoste-Julien 2009, section 4.2.2).
//
//   u | θ, y ~ Multi(T^y θ),   T^y ∈ R^{K×L}, T^y_kl ≥ 0, Σ_k T^y_kl = 1:
//
// θ mixes L components, T^y distributes each of them over the K topics. With the auxiliary variable
// z ~ θ, T^y_kl = p(u = k | z = l, y).
//
// Fixed by blocks (4.11), component l < B_c is the class's own topic y B_c + l, and the other B_s
// are the last topics, which all classes share. Learned, T is the softmax of parameters t, column
// by column. Only entries above 0 are stored, so that sampling costs only the topics of the class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

class Transformation {
 public:
  static constexpr Index kMostTopics = 65535;

  struct ColumnEntry {
    std::uint32_t topic;
    std::uint32_t place;  // of the topic among those of the class
    double share;         // T^y_kl > 0
  };
  struct RowEntry {
    std::uint32_t component;
    double share;
  };
  // Successive topics topic … topic + length − 1 with the same classes, at places place … of this
  // class. A class has all of them or none: counts of a run may be stored together.
  struct Run {
    Index topic, place, length;
  };

  // shares[(y L + l) K + k] = T^y_kl. Throws UsageError if a dimension is 0 or too large, a share
  // is negative or not finite, or a column does not sum to 1 up to 1e-9.
  Transformation(Index classes, Index topics, Index components, std::span<const double> shares);

  // (4.11). Throws UsageError if there is no class, or a class without topics.
  static Transformation blocks(Index classes, Index class_topics, Index shared_topics);

  Index num_classes() const { return num_classes_; }        // C
  Index num_topics() const { return num_topics_; }          // K
  Index num_components() const { return num_components_; }  // L
  Index num_shares() const { return num_classes_ * num_components_ * num_topics_; }

  std::span<const ColumnEntry> column(Index y, Index l) const {
    const Index at = y * num_components_ + l;
    return std::span(columns_).subspan(column_begin_[at],
                                       column_begin_[at + 1] - column_begin_[at]);
  }
  // The topics of class y, ascending; their runs; and the row of one topic.
  std::span<const std::uint32_t> topics(Index y) const {
    return std::span(topics_).subspan(class_begin_[y], class_begin_[y + 1] - class_begin_[y]);
  }
  std::span<const Run> runs(Index y) const { return runs_[y]; }
  std::span<const RowEntry> row(Index y, Index place) const {
    const Index at = class_begin_[y] + place;
    return std::span(rows_).subspan(row_begin_[at], row_begin_[at + 1] - row_begin_[at]);
  }

  // All of T, in the constructor's layout.
  std::vector<double> shares() const;

  // out_k = Σ_l T^y_kl x_l.
  void apply(Index y, std::span<const double> x, std::span<double> out) const;
  // out_l = Σ_k x_k T^y_kl: with x = φ_w· the class's own φ^y_wl (4.20).
  void apply_transposed(Index y, std::span<const double> x, std::span<double> out) const;

 private:
  // Leaves the columns empty.
  Transformation(Index classes, Index topics, Index components)
      : num_classes_(classes), num_topics_(topics), num_components_(components), column_begin_{0} {}
  void index();
  void index_topics();
  void index_rows();
  void fill_dense();

  Index num_classes_, num_topics_, num_components_;
  std::vector<std::uint64_t> column_begin_, class_begin_, row_begin_;
  std::vector<ColumnEntry> columns_;
  std::vector<std::uint32_t> topics_;
  std::vector<std::vector<Run>> runs_;
  std::vector<RowEntry> rows_;
  std::vector<double> dense_;  // T^y_kl by (y, k, l), where none is 0: a product by vectors
};

// T^y_kl = exp t^y_kl / Σ_r exp t^y_rl: free parameters of a transformation with no zero.
class SoftmaxTransformation {
 public:
  // parameters[(y L + l) K + k]. Throws UsageError if sizes do not match, or a value is not finite.
  SoftmaxTransformation(Index classes, Index topics, Index components,
                        std::vector<double> parameters);

  // t = contrast · T − 2 for T by blocks: the start of learning (note 10 of chapter 4 has 3).
  static SoftmaxTransformation smoothed_blocks(Index classes, Index class_topics,
                                               Index shared_topics, double contrast = 3);

  std::span<const double> parameters() const { return parameters_; }
  Transformation transformation() const;

  // Converts ∂/∂T to ∂/∂t, in place: ∂/∂t_kl = T_kl (∂/∂T_kl − Σ_r T_rl ∂/∂T_rl). (Appendix 4.A has
  // T_kl (1 − T_kl) ∂/∂T_kl, which lacks the share of the other rows.)
  void to_parameters(std::span<double> gradient) const;

  // t += rate · direction. Throws UsageError if a parameter would become infinite or NaN.
  void move(double rate, std::span<const double> direction);

 private:
  Index num_classes_, num_topics_, num_components_;
  std::vector<double> parameters_;
};

}  // namespace trellis::topics
