#include "trellis/cli/train_progress.h"

#include <fmt/format.h>

#include <cmath>

#include "trellis/base/error.h"

namespace trellis::cli {

std::string describe(const EpochRecord& record) {
  std::string text = fmt::format("epoch {}", record.epoch);
  const auto add = [&](const char* name, double value, const char* format) {
    if (std::isfinite(value))
      text += fmt::format("  {} ", name) + fmt::format(fmt::runtime(format), value);
  };
  add("objective", record.objective, "{:.6g}");
  add("gap", record.gap, "{:.3g}");
  if (!std::isfinite(record.objective)) add("loss", record.loss, "{:.6g}");
  add("dev", record.dev, "{:.2f}");
  add("", record.seconds, "{:.1f} s");
  return text;
}

nlohmann::json to_json(const EpochRecord& record) {
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
  };
  return {{"epoch", record.epoch},         {"objective", number(record.objective)},
          {"bound", number(record.bound)}, {"gap", number(record.gap)},
          {"loss", number(record.loss)},   {"dev", number(record.dev)},
          {"passes", record.passes},       {"seconds", record.seconds}};
}

std::string_view ending(Termination termination) {
  switch (termination) {
    case Termination::kConverged:
      return "converged";
    case Termination::kMaxEpochs:
      return "stopped by --epochs";
    case Termination::kObserver:
      return "stopped, as the dev set gets no better,";
    case Termination::kStalled:
      return "stopped, as no step leads further at this precision,";
    case Termination::kInterrupted:
      return "interrupted";
  }
  return {};
}

HistoryFile::HistoryFile(const std::string& path, bool append) : path_(path) {
  if (path.empty()) return;
  file_.open(path, append ? std::ios::app : std::ios::trunc);
  check();
}

void HistoryFile::write(const EpochRecord& record) {
  if (path_.empty()) return;
  file_ << to_json(record).dump() << std::endl;
  check();
}

void HistoryFile::check() const {
  if (!file_) throw InputError(path_, 0, "the history cannot be written");
}

}  // namespace trellis::cli
