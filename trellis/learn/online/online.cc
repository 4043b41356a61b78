#include "trellis/learn/online/online.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/learn/frame/certificate.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/learn/frame/trace.h"

namespace trellis {
namespace {

// The item of the random streams (seed, item, epoch) of the permutations.
constexpr std::uint64_t kOrderStream = 1;
// Losses of oracles without estimates are ≥ 0, up to this.
constexpr double kRounding = 1e-9;

// The additional state of a certified run.
class OnlineCertificate {
 public:
  OnlineCertificate(const CutOracle& oracle, double lambda, int threads)
      : lambda_(lambda),
        num_examples_(static_cast<double>(oracle.num_examples())),
        certificate_(oracle.dimension(), lambda, 0, oracle.nonnegative()),
        risk_(oracle, threads),
        epoch_slope_(oracle.dimension(), 0.0),
        tangent_(oracle.dimension(), 0.0) {}

  void visited(const Cut& cut) {
    cut.slope.add_to(epoch_slope_, 1 / num_examples_);
    epoch_offset_ += cut.offset / num_examples_;
  }

  // Fills objective, bound and possible misses at w. False if stop was requested meanwhile: nothing
  // has changed.
  bool end_epoch(std::span<const double> w, double known_bound, const std::stop_token& stop,
                 EpochRecord& record) {
    const std::optional<LossBounds> risk = risk_.evaluate(w, tangent_, stop);
    if (!risk) return false;
    certificate_.add_cut(epoch_slope_, epoch_offset_);
    certificate_.add_cut(tangent_, risk->value - inner_product(tangent_, w));
    forget_visits();
    record.objective = penalty(w, lambda_, 0) + risk->upper;
    record.missed = risk->upper - risk->value;
    record.bound = std::fmax(certificate_.bound(), known_bound);
    record.passes += 1;
    return true;
  }

  // Ends the epoch without a pass.
  void forget_visits() {
    std::fill(epoch_slope_.begin(), epoch_slope_.end(), 0.0);
    epoch_offset_ = 0;
  }

  double bound() const { return certificate_.bound(); }

  void save(Checkpoint& checkpoint) const {
    certificate_.save(checkpoint, "online/certificate");
    checkpoint.put("online/epoch_slope", epoch_slope_);
    checkpoint.put("online/epoch_offset", std::span<const double>(&epoch_offset_, 1));
  }
  void load(const Checkpoint& checkpoint) {
    certificate_.load(checkpoint, "online/certificate");
    checkpoint.get("online/epoch_slope", epoch_slope_);
    checkpoint.get("online/epoch_offset", std::span<double>(&epoch_offset_, 1));
  }

 private:
  double lambda_;
  double num_examples_;
  Certificate certificate_;
  CutRisk risk_;
  std::vector<double> epoch_slope_;  // the mean of the cuts of this epoch's visits
  double epoch_offset_ = 0;
  std::vector<double> tangent_;
};

class OnlineRun {
 public:
  OnlineRun(const OnlineSetup& setup, OnlineRule& rule, const LearnControl& control)
      : setup_(setup), rule_(rule), control_(control), trace_(control, identity(setup)) {
    if (setup.oracle.num_examples() == 0) throw UsageError("there are no examples to learn from");
    if (!control.certify) return;
    if (setup.cuts == nullptr) {
      throw UsageError("a certificate needs convex losses, and these are not");
    }
    certificate_.emplace(*setup.cuts, setup.lambda, control.threads);
  }

  LearnSummary run() {
    if (trace_.resume()) load(*control_.checkpoint);
    if (!started_ && !rule_.start(control_.stop)) return interrupted();
    started_ = true;
    while (epoch_ < setup_.max_epochs) {
      if (!visit_all()) return interrupted();
      rule_.end_epoch();
      EpochRecord record = describe_epoch();
      const std::span<const double> w = rule_.result();
      if (!add_certificate(w, record)) return interrupted();
      const std::optional<Termination> end = trace_.record(record, w);
      begin_next_epoch();
      if (end) return trace_.finish(*end);
      if (record.updates == 0) return trace_.finish(at_rest(record));
    }
    return trace_.finish(Termination::kMaxEpochs);
  }

 private:
  static std::string identity(const OnlineSetup& setup) {
    return fmt::format("{} order={} n={} d={}", setup.identity, static_cast<int>(setup.order),
                       setup.oracle.num_examples(), setup.oracle.dimension());
  }

  // The termination after an epoch without a change. If cuts need not touch, the search may just
  // have found no way to improve the weights, which proves nothing.
  Termination at_rest(const EpochRecord& record) const {
    const bool proven = std::isfinite(record.objective) && record.missed == 0;
    const bool sees_all = setup_.cuts == nullptr || setup_.cuts->touches() || proven;
    return sees_all ? Termination::kConverged : Termination::kStalled;
  }

  // The remaining visits of this epoch. False if stop was requested before the last one.
  bool visit_all() {
    const std::vector<Index> order = epoch_order();
    for (; position_ < order.size(); ++position_) {
      if (control_.stop.stop_requested()) return false;
      const Visit visit = rule_.visit(order[position_]);
      loss_sum_ += visit.loss;
      if (setup_.cuts == nullptr && visit.loss < -kRounding) ++negative_losses_;
      if (setup_.estimates != nullptr) {
        inference_.add(setup_.estimates->convergence(*visit.scratch));
      }
      if (visit.changed) {
        ++updates_;
        touched_ += visit.touched > 0 ? visit.touched : visit.cut->slope.num_stored();
      }
      if (certificate_ && setup_.visits_certify) certificate_->visited(*visit.cut);
    }
    return true;
  }

  std::vector<Index> epoch_order() {
    const Index n = setup_.oracle.num_examples();
    if (setup_.order == VisitOrder::kRandom) {
      return random_permutation(n, Random(control_.seed, kOrderStream, epoch_));
    }
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), Index{0});
    return order;
  }

  EpochRecord describe_epoch() const {
    EpochRecord record;
    record.epoch = epoch_ + 1;
    record.loss = loss_sum_ / static_cast<double>(setup_.oracle.num_examples());
    record.bound = rule_.bound();
    record.updates = updates_;
    record.weights_touched = touched_;
    record.passes = 1;
    record.negative_losses = negative_losses_;
    record.inference = inference_;
    return record;
  }

  bool add_certificate(std::span<const double> w, EpochRecord& record) {
    if (!certificate_) return true;
    if (due()) return certificate_->end_epoch(w, rule_.bound(), control_.stop, record);
    if (setup_.visits_certify) certificate_->forget_visits();
    record.bound = std::fmax(record.bound, certificate_->bound());
    return true;
  }

  // Whether a pass of the certificate follows this epoch.
  bool due() const {
    const Index epoch = epoch_ + 1;
    if (epoch % setup_.certify_every == 0 || epoch == setup_.max_epochs) return true;
    return updates_ == 0 || rule_.seems_converged(control_.gap_tolerance);
  }

  void begin_next_epoch() {
    ++epoch_;
    position_ = 0;
    loss_sum_ = 0;
    updates_ = 0;
    touched_ = 0;
    negative_losses_ = 0;
    inference_ = {};
  }

  LearnSummary interrupted() {
    if (control_.checkpoint != nullptr) save(*control_.checkpoint);
    return trace_.finish(Termination::kInterrupted);
  }

  void save(Checkpoint& checkpoint) const {
    const std::uint64_t counters[] = {started_, epoch_,   position_,
                                      updates_, touched_, negative_losses_};
    checkpoint.put_integers("online/counters", counters);
    checkpoint.put("online/loss_sum", std::span<const double>(&loss_sum_, 1));
    if (setup_.estimates != nullptr) put_tally(inference_, "online/inference", checkpoint);
    if (certificate_) certificate_->save(checkpoint);
    rule_.save(checkpoint);
  }

  void load(const Checkpoint& checkpoint) {
    std::uint64_t counters[6];
    checkpoint.get_integers("online/counters", counters);
    checkpoint.get("online/loss_sum", std::span<double>(&loss_sum_, 1));
    started_ = counters[0] != 0;
    epoch_ = counters[1];
    position_ = counters[2];
    updates_ = counters[3];
    touched_ = counters[4];
    negative_losses_ = counters[5];
    if (setup_.estimates != nullptr) inference_ = get_tally("online/inference", checkpoint);
    if (certificate_) certificate_->load(checkpoint);
    rule_.load(checkpoint);
  }

  const OnlineSetup& setup_;
  OnlineRule& rule_;
  const LearnControl& control_;
  Trace trace_;
  std::optional<OnlineCertificate> certificate_;
  bool started_ = false;
  Index epoch_ = 0;     // completed epochs
  Index position_ = 0;  // visits of this epoch that are done
  double loss_sum_ = 0;
  Index updates_ = 0;
  Index negative_losses_ = 0;
  InferenceTally inference_;
  Index touched_ = 0;
};

}  // namespace

LearnSummary run_online(const OnlineSetup& setup, OnlineRule& rule, const LearnControl& control) {
  return OnlineRun(setup, rule, control).run();
}

void require_dimension(const Oracle& oracle, std::span<const double> w) {
  if (w.size() == oracle.dimension()) return;
  throw UsageError(fmt::format("the weights have {} coordinates, the problem has {}", w.size(),
                               oracle.dimension()));
}

}  // namespace trellis
