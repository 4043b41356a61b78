#include "trellis/tasks/tables/hmm/hmm_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/frame/training/page/page_head.h"
#include "trellis/frame/training/result.h"
#include "trellis/pictures/charts/heat_map.h"
#include "trellis/pictures/charts/state_strips.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/sections/confusion_section.h"
#include "trellis/pictures/sections/worst_first.h"
#include "trellis/tasks/tables/value_confusion.h"

namespace trellis::report {
namespace {

constexpr Index kShownMasses = 12;
constexpr Index kShownSequences = 10;
constexpr TableExcerpt kStateExcerpt = {40, 40};
constexpr TableExcerpt kValueExcerpt = {40, 24};
constexpr TableExcerpt kWholeExcerpt = {200, 200};  // folded

// The rows of a table of probabilities, with the mass missing from each.
class TableRows {
 public:
  explicit TableRows(const Hmm& hmm) : hmm_(hmm) {}

  void add(const std::string& name, Index distribution) {
    table_.rows.push_back(name);
    for (const double p : hmm_.probabilities(distribution)) table_.probabilities.push_back(p);
    table_.missing.push_back(hmm_.missing_mass(distribution));
  }

  ProbabilityTable take(std::string row_title, std::string column_title,
                        const std::vector<std::string>& columns) {
    table_.row_title = std::move(row_title);
    table_.column_title = std::move(column_title);
    table_.columns = columns;
    if (std::none_of(table_.missing.begin(), table_.missing.end(),
                     [](double missing) { return missing > 0; })) {
      table_.missing.clear();
    }
    return std::move(table_);
  }

 private:
  const Hmm& hmm_;
  ProbabilityTable table_;
};

void add_steps_section(const Hmm& hmm, Page& page) {
  const std::vector<std::string>& states = hmm.alphabet().states;
  TableRows rows(hmm);
  rows.add("(start)", 0);
  for (Index i = 0; i < hmm.num_states(); ++i) rows.add(states[i], hmm.transition_row(i));
  page.add_section("States",
                   "The probability of each state at the beginning of a sequence (first row), and "
                   "after each state (other rows).",
                   probability_heat_map(rows.take("from", "to", states), kStateExcerpt));
}

// Shows the values of a large channel that distinguish the states; folds the others.
Html channel_tables(const Hmm& hmm, Index k) {
  const HmmChannel& channel = hmm.alphabet().channels[k];
  TableRows rows(hmm);
  for (Index i = 0; i < hmm.num_states(); ++i) {
    rows.add(hmm.alphabet().states[i], hmm.emission_row(k, i));
  }
  const ProbabilityTable table = rows.take("state", "observed", channel.values);
  Html shown = subheading(fmt::format("Column {}", channel.name)) +
               probability_heat_map(table, kValueExcerpt);
  const Index values = channel.values.size();
  if (values > kValueExcerpt.max_columns) {
    const std::string which =
        values > kWholeExcerpt.max_columns
            ? fmt::format("{} of {} values", kWholeExcerpt.max_columns, format_count(values))
            : fmt::format("All {} values", values);
    shown += details(which, probability_heat_map(table, kWholeExcerpt));
  }
  return shown;
}

void add_emissions_section(const Hmm& hmm, Page& page) {
  std::vector<Html> tables;
  for (Index k = 0; k < hmm.num_channels(); ++k) tables.push_back(channel_tables(hmm, k));
  page.add_section("Observations", "The probability of each observation in each state.",
                   in_a_row(tables));
}

std::string distribution_words(const Hmm& hmm, Index i) {
  const HmmAlphabet& alphabet = hmm.alphabet();
  if (i == 0) return "start";
  const std::string& state = alphabet.states[(i - 1) % hmm.num_states()];
  if (i <= hmm.num_states()) return fmt::format("from {}", state);
  const Index channel = (i - 1) / hmm.num_states() - 1;
  return fmt::format("column {} in {}", alphabet.channels[channel].name, state);
}

void add_mass_section(const Hmm& hmm, Page& page) {
  std::vector<std::pair<double, Index>> missing;
  for (Index i = 0; i < hmm.distributions().num(); ++i) {
    if (hmm.missing_mass(i) > 0) missing.emplace_back(-hmm.missing_mass(i), i);
  }
  if (missing.empty()) return;
  std::sort(missing.begin(), missing.end());
  Table masses;
  masses.columns = {{"distribution", Align::kStart}, {"missing", Align::kEnd}};
  for (Index n = 0; n < std::min<Index>(missing.size(), kShownMasses); ++n) {
    masses.rows.push_back({text(distribution_words(hmm, missing[n].second)),
                           text(format_fixed(-missing[n].first, 6))});
  }
  page.add_section(
      "Missing probability",
      fmt::format("{} of {} distributions sum to less than 1. Those with the largest difference:",
                  missing.size(), hmm.distributions().num()),
      table(masses));
}

std::vector<Tile> score_tiles(const hmm::Evaluation& found) {
  const auto positions = static_cast<double>(std::max<Index>(found.positions, 1));
  return {
      {"Loss", format_fixed(found.loss, 2),
       fmt::format("{}, the mean of {} sequences, deviation {}", found.loss_name,
                   format_count(found.sequences), format_fixed(found.loss_deviation, 2))},
      {"Error", format_fixed(found.error, 2) + " %",
       fmt::format("{} of {} positions", format_count(found.wrong), format_count(found.positions))},
      {"log P(x)", format_fixed(found.log_likelihood / positions, 4), "per position"}};
}

void add_mistakes_section(const hmm::Evaluation& evaluation, Page& page) {
  add_confusion_section(generative::confusion_matrix(evaluation.confusion, evaluation.states,
                                                     !evaluation.unseen_states.empty()),
                        "positions", page);
}

std::string caption_of(const hmm::JudgedSequence& one, const std::string& loss_name) {
  Index wrong = 0, known = 0;
  for (Index t = 0; t < one.truth.size(); ++t) {
    known += one.truth[t] != kNoLabel ? 1 : 0;
    wrong += one.truth[t] != kNoLabel && one.truth[t] != one.found[t] ? 1 : 0;
  }
  const std::string name = one.id.empty() ? fmt::format("line {}", one.line)
                                          : fmt::format("{}, line {}", one.id, one.line);
  return fmt::format("{}: loss {} ({}), {} of {} positions wrong", name,
                     format_significant(one.loss, 4), loss_name, wrong, format_count(known));
}

// States unknown to the model are mistakes, with a name of their own.
StateSequence strip_of(const hmm::JudgedSequence& one, const std::string& loss_name, Label unseen) {
  StateSequence strip{caption_of(one, loss_name), one.truth, one.found};
  for (Label& state : strip.truth) {
    if (state < 0 && state != kNoLabel) state = unseen;
  }
  return strip;
}

void add_sequences_section(const hmm::Evaluation& evaluation, Page& page) {
  if (evaluation.judged.empty()) return;
  std::vector<double> losses;
  for (const hmm::JudgedSequence& one : evaluation.judged) losses.push_back(one.loss);
  std::vector<std::string> states = evaluation.states;
  const auto unseen = static_cast<Label>(states.size());
  if (!evaluation.unseen_states.empty()) states.emplace_back("(others)");
  Html strips = state_legend(states);
  for (const Index n : worst_first(losses, kShownSequences)) {
    strips += state_strips(strip_of(evaluation.judged[n], evaluation.loss_name, unseen), states);
  }
  page.add_section("Sequences",
                   "From the worst to the best: the true states above the predicted states, with a "
                   "mark between them at each mistake.",
                   strips);
}

}  // namespace

HmmReport training_report(const hmm::TrainResult& result, const hmm::SequenceModel& model) {
  HmmReport report;
  report.model = &model;
  report.subtitle = fmt::format("{}: {} states, {} parameters; {} sequences, {} positions",
                                to_string(result.estimator), format_count(result.states),
                                format_count(result.parameters), format_count(result.sequences),
                                format_count(result.positions));
  add_training(result, result.positions, "per position of the training sequences",
               model.hmm().distributions().num(), report);
  return report;
}

std::string hmm_report(const HmmReport& report) {
  const Hmm& hmm = report.model->hmm();
  Page page(report.title, report.subtitle);
  if (report.evaluation != nullptr) {
    add_key_figures(report.evaluated_on, score_tiles(*report.evaluation), page);
  }
  add_estimation_figures(report, report.evaluation != nullptr, page);
  std::vector<Entry> entries;
  for (const auto& [name, value] : provenance_words(report.model->training())) {
    entries.push_back({name, value});
  }
  page.add(details("How the model was trained", definitions(entries)));
  if (report.evaluation != nullptr) {
    add_mistakes_section(*report.evaluation, page);
    add_sequences_section(*report.evaluation, page);
  }
  add_steps_section(hmm, page);
  add_emissions_section(hmm, page);
  add_mass_section(hmm, page);
  add_estimation_sections(report, page);
  return page.to_string();
}

}  // namespace trellis::report
