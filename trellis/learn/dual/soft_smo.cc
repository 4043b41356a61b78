#include "trellis/learn/dual/soft_smo.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/random.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/learn/frame/trace.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// The item of the random streams (seed, item, epoch) that the permutations come from.
constexpr std::uint64_t kSoftOrderStream = 1;

class SoftSmo {
 public:
  SoftSmo(const LabelOracle& oracle, const SoftSmoOptions& options, std::span<double> w,
          const LearnControl& control)
      : oracle_(oracle),
        options_(options),
        control_(control),
        w_(w),
        num_examples_(static_cast<double>(oracle.num_examples())),
        num_labels_(oracle.num_labels()),
        trace_(control,
               fmt::format("soft smo lambda={:a} beta={:a} epsilon={:a} gap={:a} n={} d={}",
                           options.lambda, options.beta, options.epsilon, control.gap_tolerance,
                           oracle.num_examples(), oracle.dimension())),
        alpha_(oracle.num_examples() * num_labels_),
        scores_(num_labels_),
        z_(num_labels_),
        u_(num_labels_),
        deltas_(num_labels_) {}

  LearnSummary run() {
    if (trace_.resume()) {
      load(*control_.checkpoint);
    } else {
      start();
    }
    while (epoch_ < options_.max_epochs) {
      if (!visit_all()) return interrupted();
      EpochRecord record;
      record.epoch = epoch_ + 1;
      record.updates = order_.size();
      record.passes = 1;
      const bool settled = largest_move_ <= options_.epsilon;
      if (wants_check(settled) && !check(record)) return interrupted();
      const std::optional<Termination> end = trace_.record(record, w_);
      begin_epoch(epoch_ + 1);
      if (end) return trace_.finish(*end);
      if (settled && control_.gap_tolerance == 0) return trace_.finish(Termination::kConverged);
      if (largest_move_was_ == 0) return trace_.finish(Termination::kStalled);
    }
    return trace_.finish(Termination::kMaxEpochs);
  }

 private:
  double capacity(Index i) const {  // C_i
    return oracle_.weight(i) / (options_.lambda * num_examples_);
  }
  std::span<double> alpha(Index i) {
    return std::span(alpha_).subspan(i * num_labels_, num_labels_);
  }
  std::span<const double> alpha(Index i) const {
    return std::span(alpha_).subspan(i * num_labels_, num_labels_);
  }

  // All mass on the true labels, hence w = 0 and D = 0.
  void start() {
    std::fill(w_.begin(), w_.end(), 0.0);
    for (Index i = 0; i < oracle_.num_examples(); ++i) alpha(i)[oracle_.gold(i)] = capacity(i);
    begin_epoch(0);
  }

  void begin_epoch(Index epoch) {
    epoch_ = epoch;
    position_ = 0;
    largest_move_was_ = epoch == 0 ? 1 : largest_move_;
    largest_move_ = 0;
    order_ =
        random_permutation(oracle_.num_examples(), Random(control_.seed, kSoftOrderStream, epoch));
  }

  bool visit_all() {
    for (; position_ < order_.size(); ++position_) {
      if (control_.stop.stop_requested()) return false;
      visit(order_[position_]);
    }
    return true;
  }

  void visit(Index i) {
    const double c = capacity(i);
    if (c == 0) return;
    oracle_.scores(i, w_, scores_);
    oracle_.add_costs(i, scores_);
    const std::span<double> a = alpha(i);
    const double total = project(i, a);
    double moved = 0;
    for (Index y = 0; y < num_labels_; ++y) {
      const double now = u_[y] * (c / total);
      deltas_[y] = a[y] - now;
      moved = std::max(moved, std::abs(deltas_[y]));
      a[y] = now;
    }
    largest_move_ = std::max(largest_move_, moved / c);
    oracle_.add(i, deltas_, w_);
  }

  // u ← the best α_i, up to a factor: C_i over its sum, which is returned.
  double project(Index i, std::span<const double> a) {
    const double beta = options_.beta;
    const double curvature = oracle_.squared_norm(i);  // A
    const double target = beta * curvature * capacity(i);
    for (Index y = 0; y < num_labels_; ++y) z_[y] = beta * (scores_[y] + curvature * a[y]);
    const double top = max_value(z_);
    if (!(target > kTiny)) {  // no move of w could tell: α_i is what the scores say
      exp_shifted(z_, top, u_);
      return trellis::sum(u_);
    }
    // At `lowest` the largest entry alone has all mass, so the sum is too large; from there
    // Newton's steps increase t and never overshoot. The old α_i may give a better start; if the
    // sum is too small there, one step leads back.
    const double lowest = top - (target + portable_log(target));
    const Index heaviest = static_cast<Index>(std::max_element(a.begin(), a.end()) - a.begin());
    const double mass = beta * curvature * a[heaviest];
    double t = std::max(lowest, z_[heaviest] - mass - portable_log(mass));
    for (Index step = 0; step < kMaxSteps; ++step) {
      exp_shifted(z_, t, u_);
      double sum = 0;
      double slope = 0;
      for (Index y = 0; y < num_labels_; ++y) {
        const double q = u_[y];
        // ω(x) = q − q² + 3/2 q³ − …, q = e^x; most labels are far behind.
        const double u = q < kSeries ? q * (1 - q * (1 - 1.5 * q)) : wright_omega(z_[y] - t, q);
        u_[y] = u;
        sum += u;
        slope += u / (1 + u);
      }
      // What is left goes with the division by the sum.
      if (std::abs(sum - target) <= target * kPrecision) return sum;
      t = std::max(lowest, t + (sum - target) / slope);
    }
    return trellis::sum(u_);
  }

  bool wants_check(bool settled) const {
    return control_.certify || settled || epoch_ + 1 == options_.max_epochs ||
           epoch_ + 1 >= next_check_;
  }

  // P, D and when to look again. False if stop was requested meanwhile: nothing has changed.
  bool check(EpochRecord& record) {
    const int threads = resolve_threads(control_.threads);
    std::vector<std::vector<double>> scratch(static_cast<Index>(threads));
    std::atomic<bool> abandoned = false;
    double dual = 0;  // Σ_i [ Σ_y α_i(y) c_i(y) + C_i/β H(α_i/C_i) ]
    const double loss_sum =
        parallel_sum(oracle_.num_examples(), threads, std::span(&dual, 1),
                     [&](Index begin, Index end, int worker, std::span<double> partial) {
                       double loss = 0;
                       for (Index i = begin; i < end; ++i) {
                         if (control_.stop.stop_requested()) {
                           abandoned.store(true, std::memory_order_relaxed);
                           break;
                         }
                         loss += examine(i, scratch[static_cast<Index>(worker)], partial[0]);
                       }
                       return loss;
                     });
    if (abandoned.load(std::memory_order_relaxed)) return false;
    const auto [left, right] = oracle_.length_factors(w_);
    const double half_norm = inner_product(left, right) / 2;
    record.loss = loss_sum / num_examples_;
    record.objective = options_.lambda * half_norm + record.loss;
    record.bound = options_.lambda * (dual - half_norm);
    record.passes += 1;
    plan_next_check(record.gap());
    return true;
  }

  // Returns L_i(w); adds the share of example i in D/λ, without ‖w‖².
  double examine(Index i, std::vector<double>& memory, double& dual) const {
    memory.assign(2 * num_labels_, 0.0);
    const std::span<double> s = std::span(memory).first(num_labels_);
    const std::span<double> costs = std::span(memory).last(num_labels_);
    oracle_.add_costs(i, costs);
    oracle_.scores(i, w_, s);
    const double gold = s[oracle_.gold(i)];
    const std::span<const double> a = alpha(i);
    const double c = capacity(i);
    double entropy = 0;
    for (Index y = 0; y < num_labels_; ++y) {
      s[y] = options_.beta * (s[y] + costs[y] - gold);
      dual += a[y] * costs[y];
      if (a[y] > kTiny * c) entropy -= a[y] * portable_log(a[y] / c);
    }
    dual += entropy / options_.beta;
    return oracle_.weight(i) / options_.beta * log_sum_exp(s);
  }

  // The gap falls by about the same factor in every epoch.
  void plan_next_check(double gap) {
    const double epochs = static_cast<double>(epoch_ + 1 - checked_epoch_);
    double wait = 1;
    if (std::isfinite(checked_gap_) && gap < checked_gap_ && control_.gap_tolerance > 0 &&
        gap > control_.gap_tolerance) {
      const double rate = portable_log(checked_gap_ / gap) / epochs;
      wait = portable_log(gap / control_.gap_tolerance) / rate;
    }
    checked_gap_ = gap;
    checked_epoch_ = epoch_ + 1;
    next_check_ = checked_epoch_ + static_cast<Index>(std::clamp(wait, 1.0, 8.0));
  }

  LearnSummary interrupted() {
    if (control_.checkpoint != nullptr) save(*control_.checkpoint);
    return trace_.finish(Termination::kInterrupted);
  }

  void save(Checkpoint& checkpoint) const {
    checkpoint.put("soft_smo/w", w_);
    checkpoint.put("soft_smo/alpha", alpha_);
    checkpoint.put_integers("soft_smo/order", order_);
    const std::uint64_t counters[] = {epoch_, position_, checked_epoch_, next_check_};
    checkpoint.put_integers("soft_smo/counters", counters);
    const double numbers[] = {largest_move_, largest_move_was_, checked_gap_};
    checkpoint.put("soft_smo/numbers", numbers);
  }

  void load(const Checkpoint& checkpoint) {
    checkpoint.get("soft_smo/w", w_);
    checkpoint.get("soft_smo/alpha", alpha_);
    const std::vector<std::uint64_t>& order = checkpoint.integers("soft_smo/order");
    std::uint64_t counters[4];
    checkpoint.get_integers("soft_smo/counters", counters);
    if (counters[1] > order.size() || std::any_of(order.begin(), order.end(), [&](auto i) {
          return i >= oracle_.num_examples();
        })) {
      throw InputError("checkpoint", 0, "the order does not fit the examples");
    }
    order_.assign(order.begin(), order.end());
    epoch_ = counters[0];
    position_ = counters[1];
    checked_epoch_ = counters[2];
    next_check_ = counters[3];
    double numbers[3];
    checkpoint.get("soft_smo/numbers", numbers);
    largest_move_ = numbers[0];
    largest_move_was_ = numbers[1];
    checked_gap_ = numbers[2];
  }

  static constexpr double kTiny = 1e-300;
  static constexpr double kSeries = 1e-4;
  static constexpr double kPrecision = 1e-9;
  static constexpr Index kMaxSteps = 100;

  const LabelOracle& oracle_;
  const SoftSmoOptions& options_;
  const LearnControl& control_;
  std::span<double> w_;
  double num_examples_;
  Index num_labels_;
  Trace trace_;
  std::vector<double> alpha_;  // n × L

  Index epoch_ = 0;  // completed epochs
  std::vector<Index> order_;
  Index position_ = 0;           // visits of this epoch that are done
  double largest_move_ = 0;      // of them, as a share of C_i
  double largest_move_was_ = 1;  // in the last epoch
  double checked_gap_ = std::numeric_limits<double>::infinity();  // relative, at the last check
  Index checked_epoch_ = 0;
  Index next_check_ = 2;

  // Memory of a visit.
  std::vector<double> scores_;
  std::vector<double> z_;
  std::vector<double> u_;
  std::vector<double> deltas_;
};

}  // namespace

double wright_omega(double x, double exp_x) {
  double u = x > 1 ? x - portable_log(x) : exp_x / (1 + exp_x);
  for (int step = 0; step < 12; ++step) {
    const double next = u * (1 + x - portable_log(u)) / (1 + u);
    const double change = std::abs(next - u);
    u = next;
    if (change <= 1e-7 * u) break;  // the next would be the square of that
  }
  return u;
}

LearnSummary soft_smo(const LabelOracle& oracle, const SoftSmoOptions& options, std::span<double> w,
                      const LearnControl& control) {
  if (w.size() != oracle.dimension()) {
    throw UsageError(fmt::format("the weights have {} coordinates, the problem has {}", w.size(),
                                 oracle.dimension()));
  }
  if (oracle.num_examples() == 0) throw UsageError("there are no examples to learn from");
  if (!(options.lambda > 0)) throw UsageError("SMO needs lambda > 0");
  if (!(options.epsilon > 0)) throw UsageError("SMO needs epsilon > 0");
  if (!(options.beta > 0) || std::isinf(options.beta)) {
    throw UsageError("SMO of a smooth loss needs a finite beta > 0");
  }
  return SoftSmo(oracle, options, w, control).run();
}

}  // namespace trellis
