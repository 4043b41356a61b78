#include "trellis/cli/train_progress.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>

#include "trellis/base/error.h"

namespace trellis::cli {

std::string describe(const EpochRecord& record) {
  std::string text = fmt::format("epoch {}", record.epoch);
  if (!record.finished) text += fmt::format("  iteration {}", record.updates);
  const auto add = [&](const char* name, double value, const char* format) {
    if (std::isfinite(value))
      text += fmt::format("  {} ", name) + fmt::format(fmt::runtime(format), value);
  };
  add("objective", record.objective, "{:.6g}");
  add("relative gap", record.gap(), "{:.3g}");
  if (!std::isfinite(record.objective)) add("loss", record.loss, "{:.6g}");
  add("dev", record.dev, "{:.2f}");
  add("", record.seconds, "{:.1f} s");
  return text;
}

nlohmann::json to_json(const EpochRecord& record) {
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
  };
  nlohmann::json json = {{"epoch", record.epoch},         {"objective", number(record.objective)},
                         {"bound", number(record.bound)}, {"gap", number(record.gap())},
                         {"loss", number(record.loss)},   {"dev", number(record.dev)},
                         {"passes", record.passes},       {"seconds", record.seconds}};
  if (record.missed > 0) json["missed"] = record.missed;
  if (record.negative_losses > 0) json["negative_losses"] = record.negative_losses;
  return json;
}

std::string_view ending(const LearnSummary& summary) {
  switch (summary.termination) {
    case Termination::kConverged:
      return "converged";
    case Termination::kMaxEpochs:
      return "stopped by --epochs";
    case Termination::kObserver:
      return "stopped, as the dev set gets no better,";
    case Termination::kStalled:
      return summary.missed > 0 ? "stopped, as all that is left is what its search may have missed,"
                                : "stopped, as no step leads further at this precision,";
    case Termination::kInterrupted:
      return "interrupted";
    case Termination::kLimit:
      return "stopped by the limit on its work, and not proved,";
  }
  return {};
}

std::string describe_gap(const LearnSummary& summary) {
  switch (summary.certificate()) {
    case CertificateKind::kNone:
      return {};
    case CertificateKind::kExact:
      return fmt::format("relative gap {:.3g} (certified: exact inference)", summary.gap());
    case CertificateKind::kUpperBounds:
      return fmt::format("relative gap {:.3g} (certified from upper bounds)", summary.gap());
  }
  return {};
}

HistoryFile::HistoryFile(const std::string& path, bool resume) : path_(path), resume_(resume) {
  if (!path.empty()) open(resume ? std::ios::app : std::ios::trunc);
}

void HistoryFile::open(std::ios::openmode mode) {
  file_.close();
  file_.clear();
  file_.open(path_, mode);
  check();
}

void HistoryFile::check() const {
  if (!file_) throw InputError(path_, 0, "the history cannot be written");
}

void HistoryFile::write(const EpochRecord& record) {
  if (path_.empty() || !record.finished) return;
  const nlohmann::json line = to_json(record);
  if (resume_) cut_before(line);
  resume_ = false;
  file_ << line.dump() << '\n' << std::flush;
  check();
}

// Leaves the lines before that of the same epoch, all but its seconds, and no line without an end.
void HistoryFile::cut_before(const nlohmann::json& line) {
  const auto timeless = [](nlohmann::json epoch) {
    if (epoch.is_object()) epoch.erase("seconds");
    return epoch;
  };
  if (!std::filesystem::is_regular_file(path_)) return;  // a pipe, or the terminal
  std::ifstream written(path_);
  std::uintmax_t kept = 0;
  for (std::string text; std::getline(written, text) && !written.eof(); kept += text.size() + 1) {
    if (timeless(nlohmann::json::parse(text, nullptr, false)) == timeless(line)) break;
  }
  std::filesystem::resize_file(path_, kept);
  open(std::ios::app);
}

}  // namespace trellis::cli
