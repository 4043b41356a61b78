#include "trellis/learn/frame/trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis {
namespace {

constexpr Index kCountsPerRecord = 5;
constexpr Index kNumbersPerRecord = 6;
constexpr Index kTallySize = 2;  // as many counts as numbers

// Whether nearly all that is left of the gap is what searches may have missed: of the rest, which
// alone further steps are sure to close, there is a tenth of the tolerance or less.
bool settled(const EpochRecord& record, double tolerance) {
  constexpr double kShare = 0.1;
  const double found = record.objective - record.missed;
  return record.missed > 0 &&
         found - record.bound <= kShare * tolerance * std::abs(record.objective);
}

// Whether that has been so for a while, in which the gap has hardly moved. (What is missed differs
// from weights to weights, so that for some epochs it may fall all the same.)
bool stalls(std::span<const EpochRecord> history, double tolerance) {
  constexpr Index kPatience = 5;
  constexpr double kHardly = 0.9;
  Index count = 0;
  for (Index k = history.size(); k-- > 0;) {
    if (!std::isfinite(history[k].gap())) continue;
    if (!settled(history[k], tolerance)) return false;
    if (++count == kPatience) return history.back().gap() >= kHardly * history[k].gap();
  }
  return false;
}

}  // namespace

void put_history(std::span<const EpochRecord> history, const std::string& name,
                 Checkpoint& checkpoint) {
  std::vector<std::uint64_t> counts, calls;
  std::vector<double> numbers, residuals;
  for (const EpochRecord& r : history) {
    counts.insert(counts.end(),
                  {r.epoch, r.updates, r.weights_touched, r.passes, r.negative_losses});
    numbers.insert(numbers.end(), {r.objective, r.bound, r.missed, r.loss, r.dev, r.seconds});
    calls.insert(calls.end(), {r.inference.calls, r.inference.unconverged});
    residuals.insert(residuals.end(), {r.inference.largest_residual, r.inference.residual_sum});
  }
  checkpoint.put_integers(name + "/counts", counts);
  checkpoint.put(name + "/numbers", numbers);
  if (std::ranges::all_of(calls, [](std::uint64_t n) { return n == 0; })) return;
  checkpoint.put_integers(name + "/calls", calls);
  checkpoint.put(name + "/residuals", residuals);
}

std::vector<EpochRecord> get_history(const std::string& name, const Checkpoint& checkpoint) {
  const std::vector<std::uint64_t>& counts = checkpoint.integers(name + "/counts");
  const std::vector<double>& numbers = checkpoint.doubles(name + "/numbers");
  const Index size = counts.size() / kCountsPerRecord;
  std::vector<std::uint64_t> calls(kTallySize * size, 0);
  std::vector<double> residuals(kTallySize * size, 0.0);
  if (checkpoint.has(name + "/calls")) {
    checkpoint.get_integers(name + "/calls", calls);
    checkpoint.get(name + "/residuals", residuals);
  }
  if (counts.size() != size * kCountsPerRecord || numbers.size() != size * kNumbersPerRecord) {
    throw InputError("checkpoint", 0, "the history's counts and numbers do not match");
  }
  std::vector<EpochRecord> history(size);
  for (Index k = 0; k < size; ++k) {
    const std::uint64_t* count = counts.data() + k * kCountsPerRecord;
    const double* number = numbers.data() + k * kNumbersPerRecord;
    EpochRecord& r = history[k];
    r.epoch = count[0];
    r.updates = count[1];
    r.weights_touched = count[2];
    r.passes = count[3];
    r.negative_losses = count[4];
    r.objective = number[0];
    r.bound = number[1];
    r.missed = number[2];
    r.loss = number[3];
    r.dev = number[4];
    r.seconds = number[5];
    r.inference = {calls[kTallySize * k], calls[kTallySize * k + 1], residuals[kTallySize * k],
                   residuals[kTallySize * k + 1]};
  }
  return history;
}

void put_tally(const InferenceTally& tally, const std::string& name, Checkpoint& checkpoint) {
  checkpoint.put_integers(name, std::array<std::uint64_t, 2>{tally.calls, tally.unconverged});
  checkpoint.put(name, std::array{tally.largest_residual, tally.residual_sum});
}

InferenceTally get_tally(const std::string& name, const Checkpoint& checkpoint) {
  std::array<std::uint64_t, 2> calls{};
  std::array<double, 2> residuals{};
  checkpoint.get_integers(name, calls);
  checkpoint.get(name, residuals);
  return {calls[0], calls[1], residuals[0], residuals[1]};
}

Trace::Trace(const LearnControl& control, std::string identity)
    : control_(control),
      identity_(fmt::format("{} seed={} certify={}", identity, control.seed, control.certify)),
      start_(std::chrono::steady_clock::now()) {}

bool Trace::resume() {
  const Checkpoint* checkpoint = control_.checkpoint;
  if (checkpoint == nullptr || !checkpoint->has("trace/identity")) return false;
  if (checkpoint->text("trace/identity") != identity_) {
    throw UsageError(
        fmt::format("the checkpoint is of another run: it was written by '{}', not by '{}'",
                    checkpoint->text("trace/identity"), identity_));
  }
  history_ = get_history("trace", *checkpoint);
  checkpoint->get("trace/seconds", std::span<double>(&seconds_before_, 1));
  return true;
}

std::optional<Termination> Trace::record(EpochRecord record, std::span<const double> w) {
  record.seconds = seconds();
  const bool go_on = !control_.observer || control_.observer(record, w);
  history_.push_back(record);
  const double tolerance = control_.gap_tolerance;
  if (tolerance > 0 && record.gap() <= tolerance) return Termination::kConverged;
  if (tolerance > 0 && stalls(history_, tolerance)) return Termination::kStalled;
  if (!go_on) return Termination::kObserver;
  return std::nullopt;
}

void Trace::report(Index epoch, Index updates) const {
  if (!control_.observer) return;
  EpochRecord so_far;
  so_far.epoch = epoch;
  so_far.updates = updates;
  so_far.finished = false;
  so_far.seconds = seconds();
  control_.observer(so_far, {});
}

LearnSummary Trace::finish(Termination termination) {
  LearnSummary summary;
  summary.seconds = seconds();
  summary.termination = termination;
  summary.epochs = history_.size();
  if (!history_.empty()) {
    summary.objective = history_.back().objective;
    summary.bound = history_.back().bound;
    summary.missed = history_.back().missed;
  }
  if (Checkpoint* checkpoint = control_.checkpoint) {
    if (termination == Termination::kInterrupted) {
      checkpoint->put_text("trace/identity", identity_);
      checkpoint->put("trace/seconds", std::span<const double>(&summary.seconds, 1));
      put_history(history_, "trace", *checkpoint);
    } else {
      checkpoint->clear();
    }
  }
  summary.history = std::move(history_);
  return summary;
}

double Trace::seconds() const {
  const std::chrono::duration<double> run = std::chrono::steady_clock::now() - start_;
  return seconds_before_ + run.count();
}

}  // namespace trellis
