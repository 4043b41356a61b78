#include "trellis/tasks/learning_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/learn/frame/checkpoint_file.h"

namespace trellis {
namespace {

constexpr std::string_view kSignature = "task/run";

}  // namespace

LearningRun::LearningRun(LearningRunOptions options, std::string signature,
                         EarlyStopping::Metric metric)
    : options_(std::move(options)), signature_(std::move(signature)) {
  if (metric) {
    EarlyStoppingOptions stopping;
    stopping.patience = options_.patience;
    early_ = std::make_unique<EarlyStopping>(stopping, std::move(metric));
  }
  if (!options_.resume) return;
  checkpoint_ = read_checkpoint(options_.checkpoint);
  if (!checkpoint_.has(kSignature) || checkpoint_.text(kSignature) != signature_) {
    throw InputError(
        options_.checkpoint, 0,
        fmt::format("this is the state of another run: expected '{}', found '{}'", signature_,
                    checkpoint_.has(kSignature) ? checkpoint_.text(kSignature) : ""));
  }
  if (early_ != nullptr) early_->load(checkpoint_);
}

LearnControl LearningRun::control() {
  LearnControl control;
  control.threads = options_.threads;
  control.certify = options_.certify;
  control.gap_tolerance = options_.gap;
  control.stop = options_.stop;
  control.seed = options_.seed;
  control.checkpoint = &checkpoint_;
  control.observer = [this](EpochRecord& record, std::span<const double> w) {
    const bool go_on = early_ == nullptr || early_->observe(record, w);
    if (options_.on_epoch) options_.on_epoch(record);
    return go_on;
  };
  return control;
}

bool LearningRun::finish(const LearnSummary& summary, std::span<double> w) {
  if (summary.termination == Termination::kInterrupted) {
    if (options_.checkpoint.empty()) return false;
    if (early_ != nullptr) early_->save(checkpoint_);
    checkpoint_.put_text(kSignature, signature_);
    write_checkpoint(checkpoint_, options_.checkpoint);
    return false;
  }
  if (early_ != nullptr) early_->restore_best(w);
  return true;
}

void LearningRun::discard_checkpoint() const {
  if (options_.resume) std::filesystem::remove(options_.checkpoint);
}

}  // namespace trellis
