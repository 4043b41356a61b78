#include "trellis/learn/online/perceptron.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "trellis/learn/frame/nonnegative.h"
#include "trellis/learn/online/online.h"
#include "trellis/learn/online/running_mean.h"

namespace trellis {
namespace {

// The selected vectors of the run. Times are counted in visits, from 0.
class Voters {
 public:
  // T = `num_visits` is how long the run may last; `capacity` > 0.
  Voters(Index capacity, Index num_visits) : capacity_(capacity), num_visits_(num_visits) {}

  // The present vector w, born at birth_, made a mistake at the visit `now` and dies.
  void replace(std::span<const double> w, Index now) {
    keep(w, now);
    birth_ = now;
  }

  // All voters, the present vector included: it has survived up to (and without) `now`.
  std::vector<Voter> take(std::span<const double> w, Index now) {
    keep(w, now);
    std::vector<Voter> voters;
    for (Kept& kept : kept_) {
      voters.push_back({std::move(kept.weights), static_cast<double>(kept.votes)});
    }
    return voters;
  }

  void save(Checkpoint& checkpoint) const {
    std::vector<std::uint64_t> counters = {birth_, sliced_, kept_.size()};
    for (Index k = 0; k < kept_.size(); ++k) {
      counters.insert(counters.end(), {kept_[k].birth, kept_[k].votes});
      checkpoint.put(weights_name(k), kept_[k].weights);
    }
    checkpoint.put_integers("perceptron/voters", counters);
  }

  void load(const Checkpoint& checkpoint, Index dimension) {
    const std::vector<std::uint64_t>& counters = checkpoint.integers("perceptron/voters");
    const Index size = counters.size() < 3 ? 0 : (counters.size() - 3) / 2;
    std::vector<std::uint64_t> exact(3 + 2 * size);
    checkpoint.get_integers("perceptron/voters", exact);
    birth_ = exact[0];
    sliced_ = exact[1] != 0;
    kept_.resize(size);
    for (Index k = 0; k < size; ++k) {
      kept_[k].birth = exact[3 + 2 * k];
      kept_[k].votes = exact[4 + 2 * k];
      kept_[k].weights.resize(dimension);
      checkpoint.get(weights_name(k), kept_[k].weights);
    }
  }

 private:
  struct Kept {
    Index birth;
    Index votes;
    std::vector<double> weights;
  };

  static std::string weights_name(Index k) { return fmt::format("perceptron/voter{}", k); }

  Index slice(Index birth) const { return birth * capacity_ / num_visits_; }

  void keep(std::span<const double> w, Index now) {
    const Index votes = now - birth_;
    if (votes == 0) return;
    if (!sliced_ && kept_.size() == capacity_) thin_out();
    if (!sliced_ || kept_.empty() || slice(kept_.back().birth) < slice(birth_)) {
      kept_.push_back({birth_, votes, std::vector<double>(w.begin(), w.end())});
    } else if (votes > kept_.back().votes) {
      Kept& rival = kept_.back();
      rival.birth = birth_;
      rival.votes = votes;
      std::copy(w.begin(), w.end(), rival.weights.begin());
    }
  }

  // More vectors than may be kept: from now on the longest survivor of each slice.
  void thin_out() {
    std::vector<Kept> best;
    for (Kept& kept : kept_) {
      if (best.empty() || slice(best.back().birth) < slice(kept.birth)) {
        best.push_back(std::move(kept));
      } else if (kept.votes > best.back().votes) {
        best.back() = std::move(kept);
      }
    }
    kept_ = std::move(best);
    sliced_ = true;
  }

  Index capacity_;
  Index num_visits_;
  Index birth_ = 0;
  bool sliced_ = false;
  std::vector<Kept> kept_;  // by birth
};

class PerceptronRule final : public OnlineRule {
 public:
  PerceptronRule(const SearchOracle& oracle, const PerceptronOptions& options, std::span<double> w)
      : oracle_(oracle), w_(w), scratch_(oracle.make_scratch()) {
    if (options.average) mean_.emplace(oracle.dimension());
    if (options.max_voters > 0) {
      voters_.emplace(options.max_voters, options.max_epochs * oracle.num_examples());
    }
  }

  Visit visit(Index i) override {
    const double loss = oracle_.evaluate(i, w_, *scratch_, cut_);
    // Ties count: ŷ ≠ y_i is a mistake even where the loss is 0.
    const bool mistake = cut_.slope.squared_norm() > 0;
    if (mistake) {
      if (voters_) voters_->replace(w_, num_visits_);
      cut_.slope.add_to(w_, -1);
      if (mean_) mean_->step(cut_.slope, -1);
      clip_touched(oracle_.nonnegative(), cut_.slope, w_, [this](Index j, double by) {
        if (mean_) mean_->step(j, by);
      });
    }
    if (mean_) mean_->count();
    ++num_visits_;
    return {loss, &cut_, mistake};
  }

  std::span<const double> result() override {
    if (!mean_) return w_;
    averaged_.resize(w_.size());
    mean_->write(w_, 1, averaged_);
    clip(oracle_.nonnegative(), averaged_);  // the mean of weights >= 0, up to rounding
    return averaged_;
  }

  void save(Checkpoint& checkpoint) const override {
    checkpoint.put("perceptron/w", w_);
    checkpoint.put_integers("perceptron/visits", std::span<const std::uint64_t>(&num_visits_, 1));
    if (mean_) mean_->save(checkpoint);
    if (voters_) voters_->save(checkpoint);
  }
  void load(const Checkpoint& checkpoint) override {
    checkpoint.get("perceptron/w", w_);
    checkpoint.get_integers("perceptron/visits", std::span<std::uint64_t>(&num_visits_, 1));
    if (mean_) mean_->load(checkpoint);
    if (voters_) voters_->load(checkpoint, w_.size());
  }

  // The caller's weights become the result; no visit may follow.
  std::vector<Voter> deliver() {
    std::vector<Voter> voters;
    if (voters_) voters = voters_->take(w_, num_visits_);
    if (mean_) mean_->write(w_, 1, w_);
    clip(oracle_.nonnegative(), w_);
    return voters;
  }

 private:
  const SearchOracle& oracle_;
  std::span<double> w_;
  std::optional<RunningMean> mean_;
  std::optional<Voters> voters_;
  std::vector<double> averaged_;
  std::unique_ptr<Scratch> scratch_;
  Cut cut_;
  std::uint64_t num_visits_ = 0;
};

}  // namespace

PerceptronSummary perceptron(const SearchOracle& oracle, const PerceptronOptions& options,
                             std::span<double> w, const LearnControl& control) {
  require_dimension(oracle, w);
  clip(oracle.nonnegative(), w);
  PerceptronRule rule(oracle, options, w);
  // Which voters are kept depends on how long the run may last; nothing else does.
  const Index voted_epochs = options.max_voters > 0 ? options.max_epochs : 0;
  const OnlineSetup setup{oracle,
                          &oracle,
                          0.0,
                          options.max_epochs,
                          options.order,
                          fmt::format("perceptron average={} voters={} of {} epochs",
                                      options.average, options.max_voters, voted_epochs)};
  PerceptronSummary summary{run_online(setup, rule, control), {}};
  summary.voters = rule.deliver();
  return summary;
}

}  // namespace trellis
