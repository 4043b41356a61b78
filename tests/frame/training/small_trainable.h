// A flat classifier as a task brings it to learn(), with a dev set and folds, that can be asked to
// stop at any look at an example.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tests/learn/label_data.h"
#include "trellis/fit/fit.h"
#include "trellis/frame/training/folds.h"
#include "trellis/frame/training/training.h"

namespace trellis::testing {

// Counts looks at examples, and asks to stop at the one with the number given.
class Moments {
 public:
  // Looks before the stop; 0: never.
  std::stop_token restart(Index until) {
    count_ = 0;
    until_ = until;
    source_ = std::stop_source();
    return source_.get_token();
  }
  Index count() const { return count_; }
  void pass() {
    if (++count_ == until_) source_.request_stop();
  }

 private:
  std::atomic<Index> count_ = 0;
  Index until_ = 0;
  std::stop_source source_;
};

class CountedModel : public MulticlassModel {
 public:
  CountedModel(const MulticlassModel& model, Moments& moments)
      : MulticlassModel(model), moments_(&moments) {}
  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    moments_->pass();
    MulticlassModel::scores(i, w, s);
  }

 private:
  Moments* moments_;
};

class SmallTrial final : public Trial {
 public:
  // Learns from `examples` of `train` (empty: all), and is judged by `judges` of `held_out`.
  SmallTrial(const CountedModel& train, std::vector<Index> examples, const CountedModel& held_out,
             std::vector<Index> judges, const std::vector<double>& start)
      : train_(train),
        examples_(std::move(examples)),
        held_out_(held_out),
        judges_(std::move(judges)),
        start_(start) {}

  Index dimension() const override { return train_.dimension(); }
  Fitted fit(const FitCall& call) const override {
    FitCall some = call;
    some.examples = examples_;
    return trellis::fit(train_, some);
  }
  // How many labels are right, of how many.
  std::vector<double> tally(std::span<const double> w) const override {
    double right = 0;
    std::vector<double> s;
    for (const Index i : judges_) {
      s.resize(held_out_.structure(i).num_parts());
      held_out_.scores(i, w, s);
      const auto best = std::max_element(s.begin(), s.end()) - s.begin();
      if (static_cast<Label>(best) == held_out_.gold(i)) right += 1;
    }
    return {right, static_cast<double>(judges_.size())};
  }
  std::span<const double> start() const override { return start_; }

 private:
  const CountedModel& train_;
  std::vector<Index> examples_;
  const CountedModel& held_out_;
  std::vector<Index> judges_;
  const std::vector<double>& start_;
};

class SmallTrainable : public Trainable {
 public:
  explicit SmallTrainable(bool dev = true)
      : train_data_(data_options(36), 3),
        dev_data_(data_options(dev ? 24 : 0), 4),
        train_(train_data_.model(), moments_),
        dev_(dev_data_.model(), moments_),
        whole_(train_, {}, dev_, numbers(dev_.num_examples()), start_) {}

  Moments& moments() const { return moments_; }
  const CountedModel& train() const { return train_; }

  const Trial& whole() const override { return whole_; }
  Index num_examples() const override { return train_.num_examples(); }
  bool has_dev() const override { return dev_.num_examples() > 0; }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    const std::vector<Index> judges = deal_folds(train_.num_examples(), folds, 9)[k];
    return std::make_unique<SmallTrial>(train_, without(judges, train_.num_examples()), train_,
                                        judges, start_);
  }
  double figure(std::span<const double> tally) const override { return tally[0] / tally[1]; }
  std::string_view figure_name() const override { return "accuracy"; }
  void start_from(std::vector<double> w) { start_ = std::move(w); }

 private:
  static LabelDataOptions data_options(Index num_examples) {
    LabelDataOptions options;
    options.num_examples = num_examples;
    return options;
  }
  static std::vector<Index> numbers(Index count) {
    std::vector<Index> all(count);
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }

  mutable Moments moments_;
  LabelData train_data_, dev_data_;
  CountedModel train_, dev_;
  std::vector<double> start_;
  SmallTrial whole_;
};

inline TaskDefaults small_defaults() {
  TaskDefaults defaults;
  defaults.loss = Loss::named("crf");
  defaults.smooth = LearnerKind::kLbfgs;
  defaults.hinge = LearnerKind::kBcfw;
  return defaults;
}

inline LearnerChoice small_choice(const LearnerOptions& said, bool started = false) {
  return choose(said, small_defaults(), able_of<CountedModel>(), false, started);
}

}  // namespace trellis::testing
