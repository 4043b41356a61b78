#include "trellis/tasks/rank/stage_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/learn/frame/checkpoint_file.h"

namespace trellis::rank {
namespace {

constexpr std::string_view kSignature = "rank/run";

std::string entry(Index stage, const char* what) {
  return fmt::format("rank/stage/{}/{}", stage, what);
}

// Objective, bound, gap, epochs, seconds, termination.
constexpr Index kSummarySize = 6;

std::array<double, kSummarySize> to_numbers(const LearnSummary& summary) {
  return {summary.objective, summary.bound,
          summary.gap,       static_cast<double>(summary.epochs),
          summary.seconds,   static_cast<double>(static_cast<int>(summary.termination))};
}

LearnSummary from_numbers(std::span<const double> numbers, const std::string& file) {
  constexpr auto kLast = static_cast<double>(static_cast<int>(Termination::kStalled));
  const double termination = numbers[5];
  if (!(numbers[3] >= 0 && numbers[3] < 9e15) || !(termination >= 0 && termination <= kLast)) {
    throw InputError(file, 0, "the state of a finished stage is none");
  }
  LearnSummary summary;
  summary.objective = numbers[0];
  summary.bound = numbers[1];
  summary.gap = numbers[2];
  summary.epochs = static_cast<Index>(numbers[3]);
  summary.seconds = numbers[4];
  summary.termination = static_cast<Termination>(static_cast<int>(termination));
  return summary;
}

}  // namespace

StageRuns::StageRuns(LearningRunOptions options, std::string signature)
    : options_(std::move(options)), signature_(std::move(signature)) {
  if (options_.resume) load();
}

void StageRuns::load() {
  checkpoint_ = read_checkpoint(options_.checkpoint);
  if (!checkpoint_.has(kSignature) || checkpoint_.text(kSignature) != signature_) {
    throw InputError(
        options_.checkpoint, 0,
        fmt::format("this is the state of another run: expected '{}', found '{}'", signature_,
                    checkpoint_.has(kSignature) ? checkpoint_.text(kSignature) : ""));
  }
  for (Index k = 0; checkpoint_.has(entry(k, "summary")); ++k) {
    std::array<double, kSummarySize> numbers{};
    checkpoint_.get(entry(k, "summary"), numbers);
    finished_.push_back(
        {checkpoint_.doubles(entry(k, "weights")), from_numbers(numbers, options_.checkpoint)});
  }
}

// The learner has put its own state into the checkpoint.
void StageRuns::save() {
  if (options_.checkpoint.empty()) return;
  checkpoint_.put_text(kSignature, signature_);
  for (Index k = 0; k < finished_.size(); ++k) {
    checkpoint_.put(entry(k, "weights"), finished_[k].w);
    checkpoint_.put(entry(k, "summary"), to_numbers(finished_[k].summary));
  }
  write_checkpoint(checkpoint_, options_.checkpoint);
}

bool StageRuns::run(const Learn& learn, std::span<double> w, LearnSummary& summary) {
  const Index stage = next_++;
  if (stage < finished_.size()) {
    const Finished& finished = finished_[stage];
    if (finished.w.size() != w.size()) {
      throw InputError(options_.checkpoint, 0, "the weights of a finished stage have another size");
    }
    std::copy(finished.w.begin(), finished.w.end(), w.begin());
    summary = finished.summary;
    return true;
  }
  LearnControl control;
  control.threads = options_.threads;
  control.certify = options_.certify;
  control.gap_tolerance = options_.gap;
  control.stop = options_.stop;
  control.seed = options_.seed;
  control.checkpoint = &checkpoint_;
  control.observer = [this](EpochRecord& record, std::span<const double>) {
    if (options_.on_epoch) options_.on_epoch(record);
    return true;
  };
  summary = learn(w, control);
  if (summary.termination == Termination::kInterrupted) {
    save();
    return false;
  }
  finished_.push_back({{w.begin(), w.end()}, summary});
  checkpoint_.clear();
  return true;
}

void StageRuns::discard_checkpoint() const {
  if (options_.resume) std::filesystem::remove(options_.checkpoint);
}

}  // namespace trellis::rank
