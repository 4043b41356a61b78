// The data of a supervised aligner for training and evaluation: labelled pairs, folds of the pairs,
// and AER at the best offset.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/training/folds.h"
#include "trellis/frame/training/judged_trial.h"
#include "trellis/tasks/align/supervised/link_judge.h"
#include "trellis/tasks/align/supervised/link_model.h"

namespace trellis::align {

struct LinkLesson {
  LinkShape shape;
  WeightLayout layout;
  std::vector<LinkExample> examples;
  std::vector<LinkExample> dev;  // empty: none
  std::vector<double> offsets;
  Index search_limit = kSearchLimit;
  std::uint64_t seed = 1;
  int threads = 0;
};

template <class S>
class LinkTrainable final : public Trainable {
 public:
  // The lesson must outlive the object.
  LinkTrainable(const LinkLesson& lesson, double false_negative)
      : lesson_(lesson),
        judge_(lesson.shape, lesson.offsets, lesson.search_limit),
        model_(lesson.examples, lesson.layout, false_negative, lesson.search_limit),
        whole_(trial_of(model_, {}, [this](std::span<const double> w) {
          return judge_.tally(lesson_.dev, {}, w, lesson_.threads);
        })) {}

  const Trial& whole() const override { return *whole_; }
  Index num_examples() const override { return model_.num_examples(); }
  bool has_dev() const override { return !lesson_.dev.empty(); }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    std::vector<Index> held_out = deal_folds(num_examples(), folds, lesson_.seed)[k];
    std::vector<Index> rest = without(held_out, num_examples());
    // Folds run side by side, with one thread each.
    return trial_of(model_, std::move(rest),
                    [this, held_out = std::move(held_out)](std::span<const double> w) {
                      return judge_.tally(lesson_.examples, held_out, w, 1);
                    });
  }
  double figure(std::span<const double> tally) const override {
    return 100 - 100 * judge_.counts(tally, judge_.best(tally)).aer();
  }
  std::string_view figure_name() const override { return "100 - AER"; }

 private:
  const LinkLesson& lesson_;
  LinkJudge judge_;
  LinkModel<S> model_;
  std::unique_ptr<Trial> whole_;
};

}  // namespace trellis::align
