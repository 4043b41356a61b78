#include "trellis/learn/dual/structured_smo.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/learn/frame/part_pass.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/learn/frame/trace.h"

namespace trellis {
namespace {

// The item of the random streams (seed, item, epoch) of the permutations.
constexpr std::uint64_t kFaceOrderStream = 1;

class StructuredSmo {
 public:
  StructuredSmo(const PartOracle& oracle, const StructuredSmoOptions& options, std::span<double> w,
                const LearnControl& control)
      : oracle_(oracle),
        options_(options),
        control_(control),
        w_(w),
        num_examples_(static_cast<double>(oracle.num_examples())),
        trace_(control, fmt::format("structured_smo lambda={:a} order={} n={} d={}", options.lambda,
                                    static_cast<int>(options.order), oracle.num_examples(),
                                    oracle.dimension())),
        scratch_(oracle.make_scratch()),
        pass_(oracle, control.threads, control.stop) {
    for (Index i = 0; i < oracle.num_examples(); ++i) {
      first_part_.push_back(first_part_.back() + oracle.num_parts(i));
    }
    marginals_.resize(first_part_.back());
  }

  LearnSummary run() {
    if (trace_.resume()) {
      load(*control_.checkpoint);
    } else {
      start();
    }
    while (epoch_ < options_.max_epochs) {
      if (!visit_all()) return interrupted();
      refresh();
      EpochRecord record = describe_epoch();
      if (control_.certify && !certify(record)) return interrupted();
      const std::optional<Termination> end = trace_.record(record, w_);
      const bool blocked = blocked_;
      begin_epoch(epoch_ + 1);
      if (end) return trace_.finish(*end);
      if (record.updates == 0) {
        return trace_.finish(blocked ? Termination::kStalled : Termination::kConverged);
      }
    }
    return trace_.finish(Termination::kMaxEpochs);
  }

 private:
  // Less mass than this counts as 0: it would block a move and gain nothing. Some output always has
  // more, since μ_i is a mix of at most as many outputs as parts.
  static constexpr double kNoMass = 1e-12;
  static constexpr double kNegligible = 1e-13;    // of a score: a gap that is rounding
  static constexpr double kEnoughOfAVisit = 0.1;  // of the gap found by the visit
  static constexpr Index kMovesPerVisit = 10;

  double lambda_n() const { return options_.lambda * num_examples_; }
  std::span<double> marginals(Index i) {
    return std::span(marginals_).subspan(first_part_[i], first_part_[i + 1] - first_part_[i]);
  }

  void start() {
    std::fill(w_.begin(), w_.end(), 0.0);
    for (Index i = 0; i < oracle_.num_examples(); ++i) oracle_.target(i, marginals(i));
    begin_epoch(0);
  }

  void begin_epoch(Index epoch) {
    epoch_ = epoch;
    position_ = 0;
    updates_ = touched_ = 0;
    blocked_ = false;
    loss_sum_ = 0;
  }

  std::vector<Index> epoch_order() const {
    const Index n = oracle_.num_examples();
    if (options_.order == VisitOrder::kRandom) {
      return random_permutation(n, Random(control_.seed, kFaceOrderStream, epoch_));
    }
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), Index{0});
    return order;
  }

  bool visit_all() {
    const std::vector<Index> order = epoch_order();
    for (; position_ < order.size(); ++position_) {
      if (control_.stop.stop_requested()) return false;
      visit(order[position_]);
    }
    return true;
  }

  void visit(Index i) {
    const std::span<double> mu = marginals(i);
    resize(mu.size());
    double first_gap = 0;
    bool moved = false;
    for (Index k = 0; k < kMovesPerVisit; ++k) {
      score(i);
      const double best = oracle_.maximize(i, s_, *scratch_, top_);
      const double gap = best - inner_product(s_, mu);
      if (k == 0) {
        first_gap = gap;
        oracle_.target(i, low_);
        loss_sum_ += std::max(0.0, best - inner_product(s_, low_));
      }
      if (!(gap > kNegligible * (1 + std::abs(best)))) break;
      if (k > 0 && gap <= kEnoughOfAVisit * first_gap) break;
      if (!find_lowest(i, mu, best) || !move(i, mu)) {
        blocked_ = blocked_ || k == 0;
        break;
      }
      moved = true;
    }
    updates_ += moved ? 1 : 0;
  }

  void resize(Index parts) {
    for (std::vector<double>* vector : {&s_, &costs_, &top_, &low_, &penalized_}) {
      vector->resize(parts);
    }
  }

  // s ← F_iᵀ w + c_i
  void score(Index i) {
    oracle_.scores(i, w_, *scratch_, s_);
    oracle_.costs(i, costs_);
    for (Index p = 0; p < s_.size(); ++p) s_[p] += costs_[p];
  }

  // low_ ← z(y̌). False if rounding has left no output with mass on all its parts.
  bool find_lowest(Index i, std::span<const double> mu, double best) {
    std::transform(s_.begin(), s_.end(), penalized_.begin(), [](double s) { return -s; });
    const double lowest = -oracle_.maximize(i, penalized_, *scratch_, low_);
    if (has_mass(mu)) return true;
    // Twice the range: more than exact arithmetic needs, and above the rounding errors of sums.
    const double penalty = 2 * (best - lowest);
    for (Index p = 0; p < s_.size(); ++p) {
      if (mu[p] <= kNoMass) penalized_[p] -= penalty;
    }
    oracle_.maximize(i, penalized_, *scratch_, low_);
    return has_mass(mu);
  }
  bool has_mass(std::span<const double> mu) const {
    for (Index p = 0; p < low_.size(); ++p) {
      if (low_[p] > 0 && mu[p] <= kNoMass) return false;
    }
    return true;
  }

  // μ_i += t d, and updates w. False if d allows no step.
  bool move(Index i, std::span<double> mu) {
    double rise = 0;  // s·d
    double t = std::numeric_limits<double>::infinity();
    for (Index p = 0; p < mu.size(); ++p) {
      const double d = top_[p] -= low_[p];
      rise += s_[p] * d;
      if (d < 0) t = std::min(t, mu[p] / -d);
    }
    if (!(rise > 0) || !std::isfinite(t)) return false;
    const double last = t;
    oracle_.features(i, top_, 1, *scratch_, slope_);
    const double squared_norm = slope_.squared_norm();
    if (squared_norm > 0) t = std::min(t, lambda_n() * rise / squared_norm);
    for (Index p = 0; p < mu.size(); ++p) {
      // The part that limits the step gets a mass of exactly 0.
      const bool out = t == last && top_[p] < 0 && mu[p] / -top_[p] == last;
      mu[p] = out ? 0 : std::max(0.0, mu[p] + t * top_[p]);
    }
    slope_.add_to(w_, -t / lambda_n());
    touched_ += slope_.num_stored();
    return true;
  }

  // Recomputes w and D from the marginals, so that rounding errors do not accumulate over epochs.
  void refresh() {
    std::fill(w_.begin(), w_.end(), 0.0);
    double cost_sum = 0;
    for (Index i = 0; i < oracle_.num_examples(); ++i) {
      const std::span<const double> mu = marginals(i);
      resize(mu.size());
      oracle_.target(i, low_);
      oracle_.costs(i, costs_);
      for (Index p = 0; p < mu.size(); ++p) top_[p] = mu[p] - low_[p];
      oracle_.add_features(i, top_, -1 / lambda_n(), *scratch_, w_);
      cost_sum += inner_product(costs_, top_);
    }
    half_norm_ = options_.lambda / 2 * inner_product(w_, w_);
    bound_ = cost_sum / num_examples_ - half_norm_;
  }

  EpochRecord describe_epoch() const {
    EpochRecord record;
    record.epoch = epoch_ + 1;
    record.bound = bound_;
    record.loss = loss_sum_ / num_examples_;
    record.updates = updates_;
    record.weights_touched = touched_;
    record.passes = 1;
    return record;
  }

  // Fills the objective. False if stop was requested meanwhile.
  bool certify(EpochRecord& record) {
    const auto totals =
        pass_.sum([&](Index i, PartMemory& memory, Scratch& scratch, PartTerms& terms) {
          const Index parts = oracle_.num_parts(i);
          const std::span<double> s = memory.get(0, parts);
          const std::span<double> z = memory.get(1, parts);
          oracle_.scores(i, w_, scratch, s);
          oracle_.costs(i, z);
          for (Index p = 0; p < parts; ++p) s[p] += z[p];
          const double best = oracle_.maximize(i, s, scratch, z);
          oracle_.target(i, z);
          terms.numbers[0] = std::max(0.0, best - inner_product(s, z));
        });
    if (!totals) return false;
    record.objective = half_norm_ + (*totals)[0] / num_examples_;
    record.passes += 1;
    return true;
  }

  LearnSummary interrupted() {
    if (control_.checkpoint != nullptr) save(*control_.checkpoint);
    return trace_.finish(Termination::kInterrupted);
  }

  void save(Checkpoint& checkpoint) const {
    checkpoint.put("structured_smo/w", w_);
    checkpoint.put("structured_smo/marginals", marginals_);
    const std::uint64_t counters[] = {epoch_, position_, updates_, touched_, blocked_};
    checkpoint.put_integers("structured_smo/counters", counters);
    checkpoint.put("structured_smo/loss_sum", std::span<const double>(&loss_sum_, 1));
  }

  void load(const Checkpoint& checkpoint) {
    checkpoint.get("structured_smo/w", w_);
    checkpoint.get("structured_smo/marginals", marginals_);
    std::uint64_t counters[5];
    checkpoint.get_integers("structured_smo/counters", counters);
    checkpoint.get("structured_smo/loss_sum", std::span<double>(&loss_sum_, 1));
    epoch_ = counters[0];
    position_ = counters[1];
    updates_ = counters[2];
    touched_ = counters[3];
    blocked_ = counters[4] != 0;
  }

  const PartOracle& oracle_;
  const StructuredSmoOptions& options_;
  const LearnControl& control_;
  std::span<double> w_;
  double num_examples_;
  Trace trace_;
  std::unique_ptr<Scratch> scratch_;
  PartPass pass_;
  std::vector<Index> first_part_ = {0};  // of each example, in marginals_
  std::vector<double> marginals_;        // μ
  double half_norm_ = 0;                 // λ/2 ‖w‖² and D at the end of the last epoch
  double bound_ = 0;

  Index epoch_ = 0;     // completed epochs
  Index position_ = 0;  // visits of this epoch that are done
  Index updates_ = 0;
  Index touched_ = 0;
  double loss_sum_ = 0;
  bool blocked_ = false;  // some gap is left that no move closes

  // Memory of a visit.
  std::vector<double> s_;
  std::vector<double> costs_;
  std::vector<double> top_;  // z(ŷ), then d
  std::vector<double> low_;  // z(y̌)
  std::vector<double> penalized_;
  SparseVector slope_;  // F_i d
};

}  // namespace

LearnSummary structured_smo(const PartOracle& oracle, const StructuredSmoOptions& options,
                            std::span<double> w, const LearnControl& control) {
  if (w.size() != oracle.dimension()) {
    throw UsageError(fmt::format("the weights have {} coordinates, the problem has {}", w.size(),
                                 oracle.dimension()));
  }
  if (oracle.num_examples() == 0) throw UsageError("there are no examples to learn from");
  if (!(options.lambda > 0)) throw UsageError("structured SMO needs lambda > 0");
  if (!oracle.faces_by_zeros()) {
    throw UsageError(
        "structured SMO requires outputs that are determined by the parts they do not contain: one "
        "label of many, chains and trees without tied tables, packed forests, matchings that cover "
        "both sides");
  }
  if (!oracle.nonnegative().empty()) {
    throw UsageError("structured SMO cannot keep weights non-negative");
  }
  if (oracle.implicit_features()) {
    throw UsageError("structured SMO needs features, and a kernel gives only their products");
  }
  return StructuredSmo(oracle, options, w, control).run();
}

}  // namespace trellis
