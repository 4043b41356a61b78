#include "trellis/tasks/training/result.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "trellis/fit/dials.h"

namespace trellis {
namespace {

nlohmann::json number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

void put_dials(const LearnerChoice& choice, nlohmann::json& json) {
  for (const Dial& dial : dials()) {
    if (!dial.said(choice.values)) continue;
    std::visit([&](auto at) { json[std::string(dial.name)] = *(choice.values.*at); }, dial.member);
  }
}

void put_choices(const Learned& learned, nlohmann::json& json) {
  if (learned.tried.empty()) return;
  json["chosen_by"] = learned.chosen_by;
  json["choices"] = nlohmann::json::array();
  for (const Tried& tried : learned.tried) {
    nlohmann::json row;
    if (!tried.variant.empty()) row["variant"] = tried.variant;
    for (const Candidates& one : learned.searched) {
      row[one.dial] = dial(one.dial).number(tried.setting.values);
    }
    row["figure"] = number(tried.figure);
    if (tried.folds > 0) row["folds"] = tried.folds;
    if (std::isfinite(tried.norm)) {
      row["objective"] = number(tried.objective);
      row["norm"] = tried.norm;
      // There are dials of these names, which may be among those that were chosen.
      row["gap_reached"] = number(tried.gap);
      row["epochs_run"] = tried.epochs;
    }
    json["choices"].push_back(std::move(row));
  }
}

}  // namespace

void put_convergence(const InferenceTally& tally, nlohmann::json& json) {
  if (tally.calls == 0) return;
  json["convergence"] = {{"calls", tally.calls},
                         {"unconverged", tally.unconverged},
                         {"largest_residual", number(tally.largest_residual)},
                         {"mean_residual", number(tally.mean_residual())}};
}

std::string convergence_text(const LearnSummary& summary) {
  if (summary.history.empty() || summary.history.back().inference.calls == 0) return {};
  const InferenceTally& tally = summary.history.back().inference;
  return fmt::format(
      "sums of the last epoch: {} of {} did not converge (residual at most {:.2g}, {:.2g} in the "
      "mean)",
      tally.unconverged, tally.calls, tally.largest_residual, tally.mean_residual());
}

void put_summary(const LearnSummary& summary, const RunSeconds& seconds, nlohmann::json& json) {
  json["objective"] = number(summary.objective);
  json["bound"] = number(summary.bound);
  json["gap"] = number(summary.gap());
  json["gap_absolute"] = number(summary.gap() * std::abs(summary.objective));
  json["certificate"] = std::string(to_string(summary.certificate()));
  json["epochs"] = summary.epochs;
  json["seconds"] = summary.seconds;
  json["read_seconds"] = seconds.read;
  json["total_seconds"] = seconds.total;
  json["termination"] = std::string(to_string(summary.termination));
  if (!summary.history.empty()) put_convergence(summary.history.back().inference, json);
}

void put_learned(const Learned& learned, const RunSeconds& seconds, nlohmann::json& json) {
  put_summary(learned.fitted.summary, seconds, json);
  json["learner"] = std::string(to_string(learned.choice.learner));
  json["loss"] = learned.choice.loss.description();
  put_dials(learned.choice, json["dials"]);
  if (learned.fitted.eta > 0) json["eta"] = learned.fitted.eta;
  if (learned.best_epoch > 0) json["best_epoch"] = learned.best_epoch;
  put_choices(learned, json);
  if (learned.choice_seconds > 0) json["choice_seconds"] = learned.choice_seconds;
}

void put_provenance(const LearnSummary& summary, nlohmann::json& training) {
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

void put_provenance(const Learned& learned, std::uint64_t seed, nlohmann::json& training) {
  training["learner"] = std::string(to_string(learned.choice.learner));
  training["loss"] = learned.choice.loss.description();
  put_dials(learned.choice, training["dials"]);
  training["seed"] = seed;
  put_choices(learned, training);
  put_provenance(learned.fitted.summary, training);
  if (learned.best_epoch > 0) training["best_epoch"] = learned.best_epoch;
}

std::vector<std::pair<std::string, std::string>> provenance_words(const nlohmann::json& training) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const auto& [key, value] : training.items()) {
    words.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return words;
}

std::string provenance_text(const nlohmann::json& training) {
  std::string text;
  for (const auto& [key, value] : provenance_words(training)) {
    text += fmt::format("  {} {}\n", key, value);
  }
  return text;
}

}  // namespace trellis
