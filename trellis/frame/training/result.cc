#include "trellis/frame/training/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <string>

#include "trellis/data/json.h"
#include "trellis/fit/dials.h"

namespace trellis {
namespace {

void put_dials(const LearnerChoice& choice, Value& record) {
  for (const Dial& dial : dials()) {
    if (!dial.said(choice.values)) continue;
    std::visit([&](auto at) { record[std::string(dial.name)] = *(choice.values.*at); },
               dial.member);
  }
}

void put_choices(const Learned& learned, Value& record) {
  if (learned.tried.empty()) return;
  record["chosen_by"] = learned.chosen_by;
  record["choices"] = Value::list();
  for (const Tried& tried : learned.tried) {
    Value row = Value::record();
    if (!tried.variant.empty()) row["variant"] = tried.variant;
    for (const Candidates& one : learned.searched) {
      row[one.dial] = dial(one.dial).number(tried.setting.values);
    }
    row["figure"] = tried.figure;
    if (tried.folds > 0) row["folds"] = tried.folds;
    if (std::isfinite(tried.norm)) {
      row["objective"] = tried.objective;
      row["norm"] = tried.norm;
      // Chosen hyperparameters may have these names.
      row["gap_reached"] = tried.gap;
      row["epochs_run"] = tried.epochs;
    }
    record["choices"].push_back(std::move(row));
  }
}

}  // namespace

void put_convergence(const InferenceTally& tally, Value& record) {
  if (tally.calls == 0) return;
  record["convergence"] = Value::record({{"calls", tally.calls},
                                         {"unconverged", tally.unconverged},
                                         {"largest_residual", tally.largest_residual},
                                         {"mean_residual", tally.mean_residual()}});
}

std::string convergence_text(const LearnSummary& summary) {
  if (summary.history.empty() || summary.history.back().inference.calls == 0) return {};
  const InferenceTally& tally = summary.history.back().inference;
  return fmt::format(
      "sums of the last epoch: {} of {} did not converge (residual at most {:.2g}, mean {:.2g})",
      tally.unconverged, tally.calls, tally.largest_residual, tally.mean_residual());
}

void put_summary(const LearnSummary& summary, const RunSeconds& seconds, Value& record) {
  record["objective"] = summary.objective;
  record["bound"] = summary.bound;
  record["gap"] = summary.gap();
  record["gap_absolute"] = summary.gap() * std::abs(summary.objective);
  record["certificate"] = std::string(to_string(summary.certificate()));
  record["epochs"] = summary.epochs;
  record["seconds"] = summary.seconds;
  record["read_seconds"] = seconds.read;
  record["total_seconds"] = seconds.total;
  record["termination"] = std::string(to_string(summary.termination));
  if (!summary.history.empty()) put_convergence(summary.history.back().inference, record);
}

void put_learned(const Learned& learned, const RunSeconds& seconds, Value& record) {
  put_summary(learned.fitted.summary, seconds, record);
  record["learner"] = std::string(to_string(learned.choice.learner));
  record["loss"] = learned.choice.loss.description();
  put_dials(learned.choice, record["dials"]);
  if (learned.fitted.eta > 0) record["eta"] = learned.fitted.eta;
  if (learned.best_epoch > 0) record["best_epoch"] = learned.best_epoch;
  put_choices(learned, record);
  if (learned.choice_seconds > 0) record["choice_seconds"] = learned.choice_seconds;
}

void put_provenance(const LearnSummary& summary, Value& training) {
  training["epochs"] = summary.epochs;
  training["termination"] = std::string(to_string(summary.termination));
  const auto put = [&](const char* key, double value) {
    if (std::isfinite(value)) training[key] = value;
  };
  put("objective", summary.objective);
  put("bound", summary.bound);
  put("gap", summary.gap());
  if (summary.certificate() != CertificateKind::kNone) {
    training["certificate"] = std::string(to_string(summary.certificate()));
  }
}

void put_provenance(const Learned& learned, std::uint64_t seed, Value& training) {
  training["learner"] = std::string(to_string(learned.choice.learner));
  training["loss"] = learned.choice.loss.description();
  put_dials(learned.choice, training["dials"]);
  training["seed"] = seed;
  put_choices(learned, training);
  put_provenance(learned.fitted.summary, training);
  if (learned.best_epoch > 0) training["best_epoch"] = learned.best_epoch;
}

std::vector<std::pair<std::string, std::string>> provenance_words(const Value& training) {
  std::vector<std::pair<std::string, std::string>> words;
  if (!training.is_record()) return words;
  for (const auto& [key, value] : training.fields()) {
    words.emplace_back(key, value.is_text() ? value.text() : to_json(value));
  }
  std::ranges::sort(words);  // a model that was just trained has them in training order
  return words;
}

std::string provenance_text(const Value& training) {
  std::string text;
  for (const auto& [key, value] : provenance_words(training)) {
    text += fmt::format("  {} {}\n", key, value);
  }
  return text;
}

}  // namespace trellis
