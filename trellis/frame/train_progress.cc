#include "trellis/frame/train_progress.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>

#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/frame/training/result.h"

namespace trellis::frame {

std::string describe(const EpochRecord& record, const Steps& steps) {
  std::string text = fmt::format("{} {}", steps.name, record.epoch);
  if (!record.finished) text += fmt::format("  iteration {}", record.updates);
  const auto add = [&](const char* name, double value, const char* format) {
    if (std::isfinite(value))
      text += fmt::format("  {} ", name) + fmt::format(fmt::runtime(format), value);
  };
  add("objective", record.objective, "{:.6g}");
  add("relative gap", record.gap(), "{:.3g}");
  if (!std::isfinite(record.objective)) add("loss", record.loss, "{:.6g}");
  if (record.inference.calls > 0) {
    text +=
        fmt::format("  unconverged {}/{}", record.inference.unconverged, record.inference.calls);
  }
  add("dev", record.dev, "{:.2f}");
  add("", record.seconds, "{:.1f} s");
  return text;
}

Value to_value(const EpochRecord& record) {
  Value value = Value::record({{"epoch", record.epoch},
                               {"objective", record.objective},
                               {"bound", record.bound},
                               {"gap", record.gap()},
                               {"loss", record.loss},
                               {"dev", record.dev},
                               {"passes", record.passes},
                               {"seconds", record.seconds}});
  if (record.missed > 0) value["missed"] = record.missed;
  if (record.negative_losses > 0) value["negative_losses"] = record.negative_losses;
  put_convergence(record.inference, value);
  return value;
}

std::string ending(const LearnSummary& summary, const Steps& steps) {
  const std::string after =
      fmt::format("after {} {}{}", summary.epochs, steps.name, summary.epochs == 1 ? "" : "s");
  switch (summary.termination) {
    case Termination::kConverged:
      return "converged " + after;
    case Termination::kMaxEpochs:
      return fmt::format("stopped by {} {}", steps.limit, after);
    case Termination::kObserver:
      return fmt::format("stopped {}: the score on the dev set no longer improves", after);
    case Termination::kStalled:
      return fmt::format("stopped {}: {}", after,
                         summary.missed > 0 ? "only outputs that an inexact search may have missed "
                                              "can still improve the objective"
                                            : "no step improves the objective at this precision");
    case Termination::kInterrupted:
      return "interrupted " + after;
    case Termination::kLimit:
      return fmt::format("stopped {} by the work limit, without a proof of the optimum", after);
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
  if (!file_) throw InputError(path_, 0, "cannot write the history");
}

void HistoryFile::write(const EpochRecord& record) {
  if (path_.empty() || !record.finished) return;
  const std::string line = to_json(to_value(record));
  if (resume_) cut_before(line);
  resume_ = false;
  file_ << line << '\n' << std::flush;
  check();
}

// Leaves the lines before that of the same epoch, all but its seconds, and no line without an end.
void HistoryFile::cut_before(const std::string& line) {
  const auto timeless = [](std::string_view text) {
    Value epoch = parse_json(text).value_or(Value());
    if (epoch.is_record()) epoch.erase("seconds");
    return epoch;
  };
  if (!std::filesystem::is_regular_file(path_)) return;  // a pipe, or the terminal
  std::ifstream written(path_);
  std::uintmax_t kept = 0;
  for (std::string text; std::getline(written, text) && !written.eof(); kept += text.size() + 1) {
    if (timeless(text) == timeless(line)) break;
  }
  std::filesystem::resize_file(path_, kept);
  open(std::ios::app);
}

}  // namespace trellis::frame
