#include "trellis/learn/dual/smo.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/random.h"
#include "trellis/learn/dual/label_dual.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/learn/frame/trace.h"

namespace trellis {
namespace {

// The item of the random streams (seed, item, epoch) that the permutations come from.
constexpr std::uint64_t kOrderStream = 1;

// An example while it is visited: its labels in play with s_y, and α_i(y).
struct LabelView {
  std::span<const std::uint32_t> labels;
  std::span<double> scores;
  std::span<double> alpha;

  Index size() const { return labels.size(); }
};

// How far an example is from optimal.
struct Violation {
  double top = 0;     // max_y s_y
  double lowest = 0;  // min s_y over the support
  double gap = 0;     // g_i
  Index best = 0;     // the label with max_y s_y, of a check

  double value() const { return top - lowest; }
};

Violation violation_of(const LabelView& x) {
  Violation v;
  v.top = v.lowest = *std::max_element(x.scores.begin(), x.scores.end());
  for (Index k = 0; k < x.size(); ++k) {
    if (x.alpha[k] == 0) continue;
    v.lowest = std::min(v.lowest, x.scores[k]);
    v.gap += x.alpha[k] * (v.top - x.scores[k]);
  }
  return v;
}

// What a check finds.
struct Checked {
  double risk;
  double objective;
  double bound;
  double violation;  // max_i v_i
  Index revived;     // examples that are back in play, with all their labels
};

class Smo {
 public:
  Smo(const LabelOracle& oracle, const SmoOptions& options, std::span<double> w,
      const LearnControl& control)
      : oracle_(oracle),
        options_(options),
        control_(control),
        w_(w),
        num_examples_(static_cast<double>(oracle.num_examples())),
        trace_(control, fmt::format("smo lambda={:a} epsilon={:a} gap={:a} n={} d={}",
                                    options.lambda, options.epsilon, control.gap_tolerance,
                                    oracle.num_examples(), oracle.dimension())),
        duals_(oracle.num_examples()),
        all_labels_(oracle.num_labels()),
        scores_(oracle.num_labels()),
        alpha_(oracle.num_labels()) {
    std::iota(all_labels_.begin(), all_labels_.end(), std::uint32_t{0});
  }

  LearnSummary run() {
    if (trace_.resume()) {
      load(*control_.checkpoint);
    } else {
      start();
    }
    while (epoch_ < options_.max_epochs) {
      if (!visit_all()) return interrupted();
      EpochRecord record = describe_epoch();
      bool optimal = false;
      bool stalled = false;
      if (wants_check()) {
        const std::optional<Checked> checked = check();
        if (!checked) return interrupted();
        report(*checked, record);
        optimal = checked->violation <= options_.epsilon;
        stalled = updates_ + skipped_ == 0 && checked->revived == 0;
      }
      const std::optional<Termination> end = trace_.record(record, w_);
      const Index visits = std::max<Index>(1, order_.size());
      mean_violation_ = violation_sum_ / static_cast<double>(visits);
      if (oracle_.knows_scores()) bar_ = mean_violation_;
      begin_epoch(epoch_ + 1);
      if (end) return trace_.finish(*end);
      if (optimal) return trace_.finish(Termination::kConverged);
      if (stalled) return trace_.finish(Termination::kStalled);
    }
    return trace_.finish(Termination::kMaxEpochs);
  }

 private:
  double capacity(Index i) const {  // C_i
    return oracle_.weight(i) / (options_.lambda * num_examples_);
  }

  // A violation no larger than this is the rounding of what a move adds up.
  double rounding(Index i, const Violation& v) const {
    return kPrecision * (1 + std::abs(v.top) + oracle_.squared_norm(i) * capacity(i));
  }

  void start() {
    if (!start_from_coefficients()) start_from_zero();
    begin_epoch(0);
  }

  // False: they are not known, or not feasible.
  bool start_from_coefficients() {
    double dual_costs = 0;
    for (Index i = 0; i < duals_.size(); ++i) {
      if (!oracle_.coefficients(i, w_, alpha_)) return false;
      const Index gold = oracle_.gold(i);
      const double rounding = kPrecision * capacity(i);  // of coefficients that are sums of moves
      double rest = capacity(i);
      for (Index y = 0; y < alpha_.size(); ++y) {
        if (y == gold) continue;
        if (!(alpha_[y] <= rounding)) return false;
        alpha_[y] = std::max(0.0, -alpha_[y]);
        rest -= alpha_[y];
      }
      if (!(rest >= -rounding)) return false;
      alpha_[gold] = std::max(0.0, rest);
      scores_.assign(scores_.size(), 0.0);
      oracle_.add_costs(i, scores_);
      for (Index y = 0; y < alpha_.size(); ++y) dual_costs += alpha_[y] * scores_[y];
      put_dual(i);
    }
    const auto [left, right] = oracle_.length_factors(w_);
    dual_ = dual_costs - inner_product(left, right) / 2;
    return true;
  }

  // α_i ← alpha_
  void put_dual(Index i) {
    LabelDual& dual = duals_[i];
    dual = {};
    for (Index y = 0; y < alpha_.size(); ++y) {
      if (!(alpha_[y] > 0)) continue;
      dual.support.push_back(static_cast<std::uint32_t>(y));
      dual.alpha.push_back(alpha_[y]);
    }
    dual.out = capacity(i) == 0;
  }

  // All mass on the true labels, hence w = 0 and D = 0.
  void start_from_zero() {
    std::fill(w_.begin(), w_.end(), 0.0);
    for (Index i = 0; i < duals_.size(); ++i) {
      duals_[i] = {};
      duals_[i].support = {static_cast<std::uint32_t>(oracle_.gold(i))};
      duals_[i].alpha = {capacity(i)};
      duals_[i].out = capacity(i) == 0;
    }
  }

  void begin_epoch(Index epoch) {
    epoch_ = epoch;
    position_ = 0;
    updates_ = skipped_ = 0;
    violation_ = violation_sum_ = gap_sum_ = 0;
    order_ = random_permutation(duals_.size(), Random(control_.seed, kOrderStream, epoch));
    std::erase_if(order_, [&](Index i) { return duals_[i].out; });
  }

  bool visit_all() {
    for (; position_ < order_.size(); ++position_) {
      if (control_.stop.stop_requested()) return false;
      visit(order_[position_]);
    }
    return true;
  }

  void visit(Index i) {
    LabelDual& dual = duals_[i];
    const LabelView x = view(i, dual);
    const Violation v = violation_of(x);
    violation_ = std::max(violation_, v.value());
    violation_sum_ += v.value();
    gap_sum_ += v.gap;
    if (v.value() > rounding(i, v)) {
      const bool moves = v.value() >= bar_;
      ++(moves ? updates_ : skipped_);
      if (moves) move(i, x, dual);
    }
    shrink(x, dual);
  }

  // Scores the labels in play.
  LabelView view(Index i, const LabelDual& dual) {
    const bool all = dual.listed.empty();
    const std::span<const std::uint32_t> labels = all ? all_labels_ : dual.listed;
    const LabelView x{labels, std::span(scores_).first(labels.size()),
                      std::span(alpha_).first(labels.size())};
    if (all) {
      oracle_.scores(i, w_, x.scores);
      oracle_.add_costs(i, x.scores);
    } else {
      oracle_.scores(i, w_, labels, x.scores);
      oracle_.add_costs(i, labels, x.scores);
    }
    std::fill(x.alpha.begin(), x.alpha.end(), 0.0);
    for (Index k = 0; k < dual.support.size(); ++k) {
      const auto place = std::lower_bound(labels.begin(), labels.end(), dual.support[k]);
      x.alpha[static_cast<Index>(place - labels.begin())] = dual.alpha[k];
    }
    return x;
  }

  // The exact optimum over α_i; leaves the scores after the move in x.
  void move(Index i, const LabelView& x, LabelDual& dual) {
    const double a = oracle_.squared_norm(i);
    const double total = a * capacity(i);
    // b_y = A α_y + s_y, so that the new α_y is max(0, b_y − θ)/A.
    b_.resize(x.size());
    for (Index k = 0; k < x.size(); ++k) b_[k] = a * x.alpha[k] + x.scores[k];
    const double theta = simplex_threshold(b_, total, candidates_);
    double sum = 0;
    for (double& value : b_) sum += value = std::max(0.0, value - theta);
    if (sum > 0) {
      for (double& value : b_) value *= capacity(i) / sum;
    } else {  // x_i = 0, or so short that the move is lost in rounding: all mass to the best label
      const auto best = std::max_element(x.scores.begin(), x.scores.end());
      b_[static_cast<Index>(best - x.scores.begin())] = capacity(i);
    }
    apply(i, a, x, dual);
  }

  // α_i ← b_, w and D with it.
  void apply(Index i, double a, const LabelView& x, LabelDual& dual) {
    dual.support.clear();
    dual.alpha.clear();
    changed_.clear();
    changes_.clear();
    for (Index k = 0; k < x.size(); ++k) {
      if (b_[k] > 0) {
        dual.support.push_back(x.labels[k]);
        dual.alpha.push_back(b_[k]);
      }
      const double d = b_[k] - x.alpha[k];
      if (d == 0) continue;
      changed_.push_back(x.labels[k]);
      changes_.push_back(-d);
      dual_ += d * (x.scores[k] - a / 2 * d);
      x.scores[k] -= a * d;
      x.alpha[k] = b_[k];
    }
    oracle_.add(i, changed_, changes_, w_);
  }

  // Keeps the support, and the labels that would join it if they rose by a few of the last epoch's
  // violations. An example with one label left has no move.
  void shrink(const LabelView& x, LabelDual& dual) {
    const double bar = violation_of(x).lowest - kSlack * mean_violation_;
    listed_.clear();
    for (Index k = 0; k < x.size(); ++k) {
      if (x.alpha[k] > 0 || x.scores[k] >= bar) listed_.push_back(x.labels[k]);
    }
    dual.out = listed_.size() == 1;
    // A long list is scored more slowly than all labels, which go by vector operations.
    if (2 * listed_.size() <= all_labels_.size()) dual.listed = listed_;
  }

  EpochRecord describe_epoch() const {
    EpochRecord record;
    record.epoch = epoch_ + 1;
    record.bound = options_.lambda * dual_;
    record.updates = updates_;
    record.passes = 1;
    return record;
  }

  // What the visits measured is an estimate of P − D: each g_i before its move, and nothing of what
  // is out of play.
  bool wants_check() const {
    if (control_.certify || epoch_ + 1 == options_.max_epochs) return true;
    if (violation_ <= options_.epsilon || gap_sum_ <= checked_gap_ / kCheckRatio) return true;
    return gap_sum_ <= control_.gap_tolerance * (dual_ + gap_sum_);
  }

  // Nothing if stop was requested meanwhile: nothing has changed.
  std::optional<Checked> check() {
    const int threads = resolve_threads(control_.threads);
    std::vector<std::vector<double>> scratch(static_cast<Index>(threads));
    std::vector<Violation> found(duals_.size());
    std::atomic<bool> abandoned = false;
    double dual_costs = 0;  // Σ_i Σ_y α_i(y) c_i(y)
    const double loss_sum = parallel_sum(
        duals_.size(), threads, std::span(&dual_costs, 1),
        [&](Index begin, Index end, int worker, std::span<double> partial) {
          double loss = 0;
          for (Index i = begin; i < end; ++i) {
            if (control_.stop.stop_requested()) {
              abandoned.store(true, std::memory_order_relaxed);
              break;
            }
            loss += examine(i, scratch[static_cast<Index>(worker)], found[i], partial[0]);
          }
          return loss;
        });
    if (abandoned.load(std::memory_order_relaxed)) return std::nullopt;
    return conclude(found, loss_sum / num_examples_, dual_costs);
  }

  // Returns L_i(w); adds Σ_y α_i(y) c_i(y) to `dual_costs`.
  double examine(Index i, std::vector<double>& memory, Violation& v, double& dual_costs) const {
    const Index labels = all_labels_.size();
    memory.assign(2 * labels, 0.0);
    const std::span<double> s = std::span(memory).first(labels);
    const std::span<double> costs = std::span(memory).last(labels);
    oracle_.add_costs(i, costs);
    oracle_.scores(i, w_, s);
    const double gold = s[oracle_.gold(i)];
    for (Index y = 0; y < labels; ++y) s[y] += costs[y];
    const auto best = std::max_element(s.begin(), s.end());
    v.best = static_cast<Index>(best - s.begin());
    v.top = v.lowest = *best;
    const LabelDual& dual = duals_[i];
    for (Index k = 0; k < dual.support.size(); ++k) {
      const std::uint32_t y = dual.support[k];
      v.lowest = std::min(v.lowest, s[y]);
      v.gap += dual.alpha[k] * (v.top - s[y]);
      dual_costs += dual.alpha[k] * costs[y];
    }
    return oracle_.weight(i) * (v.top - gold);
  }

  // Recomputes D, and takes all violating examples back into play.
  Checked conclude(std::span<const Violation> found, double risk, double dual_costs) {
    Checked checked{};
    const auto [left, right] = oracle_.length_factors(w_);
    const double half_norm = inner_product(left, right) / 2;
    dual_ = dual_costs - half_norm;
    checked.risk = risk;
    checked.objective = options_.lambda * half_norm + risk;
    checked.bound = options_.lambda * dual_;
    // What all examples together may keep without the tolerance being missed by it.
    const double spare_gap = kSpareShare * control_.gap_tolerance * checked.objective /
                             (options_.lambda * num_examples_);
    checked_gap_ = 0;
    for (Index i = 0; i < found.size(); ++i) {
      const double violation = capacity(i) > 0 ? found[i].value() : 0;
      checked.violation = std::max(checked.violation, violation);
      checked_gap_ += found[i].gap;
      if (violation <= std::max(options_.epsilon, rounding(i, found[i]))) continue;
      if (found[i].gap <= spare_gap || !hides(duals_[i], found[i].best)) continue;
      ++checked.revived;
      duals_[i].out = false;
      duals_[i].listed.clear();
    }
    return checked;
  }

  // Whether the visits do not see what violates: the example is out of play, or the label is.
  static bool hides(const LabelDual& dual, Index label) {
    return dual.out ||
           (!dual.listed.empty() && !std::binary_search(dual.listed.begin(), dual.listed.end(),
                                                        static_cast<std::uint32_t>(label)));
  }

  static void report(const Checked& checked, EpochRecord& record) {
    record.loss = checked.risk;
    record.objective = checked.objective;
    record.bound = checked.bound;
    record.passes += 1;
  }

  LearnSummary interrupted() {
    if (control_.checkpoint != nullptr) save(*control_.checkpoint);
    return trace_.finish(Termination::kInterrupted);
  }

  void save(Checkpoint& checkpoint) const {
    save_duals(duals_, checkpoint);
    checkpoint.put("smo/w", w_);
    checkpoint.put_integers("smo/order", order_);
    const std::uint64_t counters[] = {epoch_, position_, updates_, skipped_};
    checkpoint.put_integers("smo/counters", counters);
    const double numbers[] = {dual_,    checked_gap_, mean_violation_, violation_, violation_sum_,
                              gap_sum_, bar_};
    checkpoint.put("smo/numbers", numbers);
  }

  void load(const Checkpoint& checkpoint) {
    load_duals(checkpoint, all_labels_.size(), duals_);
    checkpoint.get("smo/w", w_);
    const std::vector<std::uint64_t>& order = checkpoint.integers("smo/order");
    std::uint64_t counters[4];
    checkpoint.get_integers("smo/counters", counters);
    if (counters[1] > order.size() ||
        std::any_of(order.begin(), order.end(), [&](auto i) { return i >= duals_.size(); })) {
      throw InputError("checkpoint", 0, "the order does not fit the examples");
    }
    order_.assign(order.begin(), order.end());
    epoch_ = counters[0];
    position_ = counters[1];
    updates_ = counters[2];
    skipped_ = counters[3];
    double numbers[7];
    checkpoint.get("smo/numbers", numbers);
    dual_ = numbers[0];
    checked_gap_ = numbers[1];
    mean_violation_ = numbers[2];
    violation_ = numbers[3];
    violation_sum_ = numbers[4];
    gap_sum_ = numbers[5];
    bar_ = numbers[6];
  }

  static constexpr double kPrecision = 1e-13;
  static constexpr double kSlack = 3;  // found by trial on 20 Newsgroups, and not critical
  static constexpr double kCheckRatio = 4;
  static constexpr double kSpareShare = 0.1;

  const LabelOracle& oracle_;
  const SmoOptions& options_;
  const LearnControl& control_;
  std::span<double> w_;
  double num_examples_;
  Trace trace_;
  std::vector<LabelDual> duals_;
  std::vector<std::uint32_t> all_labels_;
  double dual_ = 0;  // D/λ; its rounding is taken away by each check
  double checked_gap_ = std::numeric_limits<double>::infinity();  // (P − D)/λ at the last check
  double mean_violation_ = std::numeric_limits<double>::infinity();  // of the last epoch

  // Violations below it are left for later: of an oracle that knows its scores, the last epoch's
  // mean, since there a move costs much more than a look. (Three times as fast on letters.)
  double bar_ = 0;

  // This epoch's.
  Index epoch_ = 0;  // completed epochs
  std::vector<Index> order_;
  Index position_ = 0;  // visits that are done
  Index updates_ = 0;
  Index skipped_ = 0;
  double violation_ = 0;  // max v_i, Σ v_i and Σ g_i of the visits
  double violation_sum_ = 0;
  double gap_sum_ = 0;

  // Memory of a visit.
  std::vector<double> scores_;
  std::vector<double> alpha_;
  std::vector<double> b_;
  std::vector<double> candidates_;
  std::vector<std::uint32_t> listed_;
  std::vector<std::uint32_t> changed_;
  std::vector<double> changes_;
};

}  // namespace

LearnSummary smo(const LabelOracle& oracle, const SmoOptions& options, std::span<double> w,
                 const LearnControl& control) {
  if (w.size() != oracle.dimension()) {
    throw UsageError(fmt::format("the weights have {} coordinates, the problem has {}", w.size(),
                                 oracle.dimension()));
  }
  if (oracle.num_examples() == 0) throw UsageError("there are no examples to learn from");
  if (!(options.lambda > 0)) throw UsageError("SMO needs lambda > 0");
  if (!(options.epsilon > 0)) throw UsageError("SMO needs epsilon > 0");
  return Smo(oracle, options, w, control).run();
}

}  // namespace trellis
