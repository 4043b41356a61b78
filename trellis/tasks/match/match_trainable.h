// The training and evaluation data of a matcher: normalized examples, the centre of regularisation,
// and folds that are blocks of neighbours.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/training/judged_trial.h"
#include "trellis/problem/centred_model.h"
#include "trellis/tasks/match/block_folds.h"
#include "trellis/tasks/match/graph_model.h"
#include "trellis/tasks/match/match_scores.h"
#include "trellis/tasks/match/matcher.h"
#include "trellis/tasks/match/train.h"

namespace trellis::match {

// The training data: features are normalized, and weights are for normalized features.
class Lesson {
 public:
  Lesson(const MatchData& data, std::span<const MatchExample> dev, const TrainOptions& options)
      : data_(data),
        dev_(dev),
        threads_(options.training.threads),
        scale_(options.estimator == Estimator::kDistance
                   ? std::vector<double>(data.features.dimension(), 1.0)
                   : scales_of(data, options.normalize)),
        examples_(scaled(data.examples, scale_)) {
    if (!has_unlearned_score(data.features)) return;
    const std::vector<double> unlearned = normalized(std::vector<double>(dimension(), -1.0));
    unlearned_ = on_train(unlearned);
    if (has_dev()) unlearned_on_dev_ = on_dev(unlearned);
  }

  Cover cover() const { return data_.features.cover(); }
  Index dimension() const { return scale_.size(); }
  std::span<const MatchExample> examples() const { return examples_; }
  bool has_dev() const { return !dev_.empty(); }
  // The results of the unlearned score, if there is one, on the examples and on dev.
  const std::optional<MatchScores>& unlearned() const { return unlearned_; }
  const std::optional<MatchScores>& unlearned_on_dev() const { return unlearned_on_dev_; }

  std::span<const double> scale() const { return scale_; }
  int threads() const { return threads_; }

  // Weights for the features of the files.
  std::vector<double> raw(std::span<const double> w) const {
    std::vector<double> weights(w.begin(), w.end());
    for (Index k = 0; k < weights.size(); ++k) weights[k] *= scale_[k];
    return weights;
  }
  // The inverse of raw().
  std::vector<double> normalized(std::vector<double> weights) const {
    for (Index k = 0; k < weights.size(); ++k) weights[k] /= scale_[k];
    return weights;
  }
  MatchScores on_dev(std::span<const double> w) const {
    const std::vector<double> weights = raw(w);
    return evaluate(Matcher(cover(), weights), dev_, threads_);
  }
  MatchScores on_train(std::span<const double> w) const {
    return evaluate(Matcher(cover(), w), examples_, threads_);
  }

 private:
  const MatchData& data_;
  std::span<const MatchExample> dev_;
  int threads_;
  std::vector<double> scale_;
  std::vector<MatchExample> examples_;
  std::optional<MatchScores> unlearned_;
  std::optional<MatchScores> unlearned_on_dev_;
};

// The tally on held-out graphs: wrong nodes, nodes; and compared with an unlearned score, graph by
// graph: the sum of additional wrong nodes, the sum of their squares, and the number of graphs.
std::vector<double> tally_of(const MatchScores& found);
// The graphs of `found` have the numbers `chosen` in `unlearned`; empty: all.
std::vector<double> tally_of(const MatchScores& found, const MatchScores& unlearned,
                             std::span<const Index> chosen);

// In percent. An improvement on the unlearned score of less than two standard errors counts as
// none: frames are few and similar, and such improvements often do not hold for others.
double accuracy_of(std::span<const double> tally);

// The centre of regularisation during training.
struct HeldTo {
  std::string name;
  std::vector<double> weights;  // empty: 0
  double scale = 0;             // factor of the unlearned score

  // The weights for a learner's vector: v plus the centre.
  std::vector<double> with(std::span<const double> v) const {
    std::vector<double> w(v.begin(), v.end());
    for (Index k = 0; k < weights.size(); ++k) w[k] += weights[k];
    return w;
  }
};

HeldTo held_to(Centre centre, const CentreOption& said, const MatchFeatures& features,
               const Lesson& lesson);

template <class S>
using HeldModel = CentredModel<GraphModel<S>>;

template <class S>
class MatchTrainable final : public Trainable {
 public:
  // All arguments must outlive the object. Several objects may share a lesson and its model.
  // `rivals`: the unlearned score is among the candidates.
  MatchTrainable(const Lesson& lesson, const GraphModel<S>& model, const HeldTo& held_to,
                 bool rivals)
      : lesson_(lesson),
        held_to_(held_to),
        rivals_(rivals),
        model_(model, held_to.weights),
        whole_(trial_of(model_, {}, [this](std::span<const double> v) {
          return tally(lesson_.on_dev(held_to_.with(v)), lesson_.unlearned_on_dev());
        })) {}

  const Trial& whole() const override { return *whole_; }
  Index num_examples() const override { return model_.num_examples(); }
  bool has_dev() const override { return lesson_.has_dev(); }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    BlockFold fold = std::move(block_folds(lesson_.examples(), folds)[k]);
    // Folds run side by side, with one thread each.
    return trial_of(model_, std::move(fold.rest),
                    [this, held_out = std::move(fold.held_out)](std::span<const double> v) {
                      const std::vector<double> w = held_to_.with(v);
                      const Matcher matcher(lesson_.cover(), w);
                      return tally(evaluate(matcher, lesson_.examples(), 1, held_out),
                                   lesson_.unlearned(), held_out);
                    });
  }
  double figure(std::span<const double> tally) const override { return accuracy_of(tally); }
  std::string_view figure_name() const override { return "accuracy"; }

 private:
  std::vector<double> tally(const MatchScores& found, const std::optional<MatchScores>& unlearned,
                            std::span<const Index> chosen = {}) const {
    return rivals_ ? tally_of(found, *unlearned, chosen) : tally_of(found);
  }

  const Lesson& lesson_;
  const HeldTo& held_to_;
  bool rivals_;
  HeldModel<S> model_;
  std::unique_ptr<Trial> whole_;
};

}  // namespace trellis::match
