#include "trellis/learn/frame/trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis {
namespace {

// Calls visit(name, field) for all fields of a record in a checkpoint; field(record) refers to it.
template <class Visit>
void each_field(const Visit& visit) {
  const auto own = [&](const char* name, auto member) {
    visit(
        name, [member](auto& record) -> auto& { return record.*member; });
  };
  const auto of_sums = [&](const char* name, auto member) {
    visit(
        name, [member](auto& record) -> auto& { return record.inference.*member; });
  };
  own("epoch", &EpochRecord::epoch);
  own("objective", &EpochRecord::objective);
  own("bound", &EpochRecord::bound);
  own("missed", &EpochRecord::missed);
  own("loss", &EpochRecord::loss);
  own("dev", &EpochRecord::dev);
  own("updates", &EpochRecord::updates);
  own("weights_touched", &EpochRecord::weights_touched);
  own("passes", &EpochRecord::passes);
  own("negative_losses", &EpochRecord::negative_losses);
  own("seconds", &EpochRecord::seconds);
  of_sums("calls", &InferenceTally::calls);
  of_sums("unconverged", &InferenceTally::unconverged);
  of_sums("largest_residual", &InferenceTally::largest_residual);
  of_sums("residual_sum", &InferenceTally::residual_sum);
}

// The type of a field in a checkpoint: a double, or an integer of 64 bits.
template <class Field>
using Stored =
    std::conditional_t<std::is_same_v<std::invoke_result_t<const Field&, EpochRecord&>, double&>,
                       double, std::uint64_t>;

// Throws InputError if `entries` has an entry "prefix/…" that is not one of `names`.
template <class Entries>
void refuse_others(const Entries& entries, const std::string& prefix,
                   const std::set<std::string, std::less<>>& names) {
  const std::string begin = prefix + "/";
  for (auto entry = entries.lower_bound(begin);
       entry != entries.end() && entry->first.starts_with(begin); ++entry) {
    if (names.contains(entry->first)) continue;
    throw InputError("checkpoint", 0,
                     fmt::format("entry '{}' is not a field of an epoch", entry->first),
                     entry->first);
  }
}

// Whether nearly all of the gap may be due to missed best outputs: the rest, which is all that
// further steps can surely close, is at most a tenth of the tolerance.
bool settled(const EpochRecord& record, double tolerance) {
  constexpr double kShare = 0.1;
  const double found = record.objective - record.missed;
  return record.missed > 0 &&
         found - record.bound <= kShare * tolerance * std::abs(record.objective);
}

// Whether that has been true for several records, in which the gap has hardly changed. (The missed
// share differs between weights, so it may still fall for some epochs.)
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

void put_epochs(std::span<const EpochRecord> records, const std::string& prefix,
                Checkpoint& checkpoint) {
  each_field([&](const char* name, const auto& field) {
    using Value = Stored<std::remove_cvref_t<decltype(field)>>;
    std::vector<Value> values;
    for (const EpochRecord& record : records) values.push_back(field(record));
    if constexpr (std::is_same_v<Value, double>) {
      checkpoint.put(prefix + "/" + name, values);
    } else {
      checkpoint.put_integers(prefix + "/" + name, values);
    }
  });
}

std::vector<EpochRecord> get_epochs(const std::string& prefix, const Checkpoint& checkpoint) {
  std::vector<EpochRecord> records(checkpoint.integers(prefix + "/epoch").size());
  std::set<std::string, std::less<>> names;
  each_field([&](const char* name, const auto& field) {
    using Value = Stored<std::remove_cvref_t<decltype(field)>>;
    std::vector<Value> values(records.size());
    const std::string& entry = *names.insert(prefix + "/" + name).first;
    if constexpr (std::is_same_v<Value, double>) {
      checkpoint.get(entry, values);
    } else {
      checkpoint.get_integers(entry, values);
    }
    for (Index k = 0; k < records.size(); ++k) field(records[k]) = values[k];
  });
  refuse_others(checkpoint.all_doubles(), prefix, names);
  refuse_others(checkpoint.all_integers(), prefix, names);
  refuse_others(checkpoint.all_texts(), prefix, names);
  return records;
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
        fmt::format("the checkpoint belongs to another run (other data or options): it was written "
                    "by '{}', not by '{}'",
                    checkpoint->text("trace/identity"), identity_));
  }
  history_ = get_epochs("trace/epochs", *checkpoint);
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
      put_epochs(history_, "trace/epochs", *checkpoint);
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
