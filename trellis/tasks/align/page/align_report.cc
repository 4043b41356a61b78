#include "trellis/tasks/align/page/align_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "trellis/frame/training/page/choice_section.h"
#include "trellis/frame/training/result.h"
#include "trellis/pictures/charts/bar_table.h"
#include "trellis/pictures/charts/line_chart.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/sections/worst_first.h"
#include "trellis/tasks/align/supervised/weight_names.h"

namespace trellis::report {
namespace {

constexpr const char* kForward = "target given source";
constexpr const char* kReverse = "source given target";
constexpr double kLeastDrawn = 0.01;  // least probability of a drawn link
constexpr int kDrawnJumps = 9;
constexpr Index kMistakenWords = 15;

using IterationField = double align::Iteration::*;

std::vector<Tile> score_tiles(const align::AlignmentScores& scores) {
  const align::AlignmentCounts& all = scores.total();
  return {{"AER", format_percent(all.aer()),
           fmt::format("{} sentence pairs, in percent", format_count(scores.pairs().size()))},
          {"Precision", format_percent(all.precision()),
           fmt::format("{} of {} links found are possible links", format_count(all.found_possible),
                       format_count(all.found))},
          {"Recall", format_percent(all.recall()),
           fmt::format("{} of {} sure links are found", format_count(all.found_sure),
                       format_count(all.sure))},
          {"F1", format_percent(all.f()), "of precision and recall"},
          {"Without mistakes", format_count(scores.num_correct()), "sentence pairs"}};
}

double perplexity(double log_likelihood) {
  return std::exp(-log_likelihood);
}

std::vector<Tile> training_tiles(const std::vector<align::Iteration>& iterations) {
  const align::Iteration* last = align::last_with_likelihood(iterations);
  if (last == nullptr) return {};
  return {{"Perplexity", format_significant(perplexity(last->forward), 4),
           fmt::format("of a word, {}", kForward)},
          {"Perplexity", format_significant(perplexity(last->reverse), 4),
           fmt::format("of a word, {}", kReverse)},
          {"Training", format_seconds(iterations.back().seconds),
           fmt::format("{} iterations", format_count(iterations.size()))}};
}

// The boundary between two stages lies half-way between their iterations.
std::vector<Part> stages_of(const std::vector<align::Iteration>& iterations) {
  std::vector<Part> stages;
  for (const align::Iteration& one : iterations) {
    const auto number = static_cast<double>(one.number);
    if (stages.empty()) {
      stages.push_back({number, number, one.stage});
    } else if (stages.back().name != one.stage) {
      const double border = (stages.back().end + number) / 2;
      stages.back().end = border;
      stages.push_back({border, number, one.stage});
    }
    stages.back().end = number;
  }
  return stages;
}

// `apart`: leaves a gap between stages whose numbers are not comparable.
Series series_of(const std::vector<align::Iteration>& iterations, std::string name,
                 IterationField field, bool apart) {
  Series series{std::move(name), {}, {}};
  for (Index k = 0; k < iterations.size(); ++k) {
    const auto number = static_cast<double>(iterations[k].number);
    if (apart && k > 0 && iterations[k].stage != iterations[k - 1].stage) {
      series.x.push_back(number - 0.5);
      series.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    series.x.push_back(number);
    series.y.push_back(iterations[k].*field);
  }
  return series;
}

LineChart iteration_chart(const std::vector<align::Iteration>& iterations, std::string title) {
  LineChart chart;
  chart.title = std::move(title);
  chart.x_label = "iteration";
  chart.x_scale = Scale::kInteger;
  chart.parts = stages_of(iterations);
  return chart;
}

Html likelihood_chart(const std::vector<align::Iteration>& iterations) {
  LineChart chart = iteration_chart(iterations, "Log-likelihood per word");
  chart.series = {series_of(iterations, kForward, &align::Iteration::forward, true),
                  series_of(iterations, kReverse, &align::Iteration::reverse, true)};
  return line_chart(chart);
}

Html aer_chart(const std::vector<align::Iteration>& iterations) {
  LineChart chart = iteration_chart(iterations, "AER on the dev set");
  chart.y_label = "percent";
  chart.series = {series_of(iterations, "AER", &align::Iteration::aer, false)};
  const align::Iteration& last = iterations.back();
  chart.marks = {{static_cast<double>(last.number), last.aer, format_fixed(last.aer, 2)}};
  return line_chart(chart);
}

Html iteration_table(const std::vector<align::Iteration>& iterations) {
  Table rows;
  rows.columns = {{"iteration", Align::kEnd}, {"stage", Align::kStart}, {kForward, Align::kEnd},
                  {kReverse, Align::kEnd},    {"AER", Align::kEnd},     {"seconds", Align::kEnd}};
  for (const align::Iteration& one : iterations) {
    rows.rows.push_back({text(format_count(one.number)), text(one.stage),
                         text(format_fixed(one.forward, 4)), text(format_fixed(one.reverse, 4)),
                         text(format_fixed(one.aer, 2)), text(format_fixed(one.seconds, 2))});
  }
  return details("All iterations as a table", table(rows));
}

void add_training_section(const std::vector<align::Iteration>& iterations, Page& page) {
  if (iterations.empty()) return;
  std::vector<Html> charts = {likelihood_chart(iterations)};
  if (std::any_of(iterations.begin(), iterations.end(),
                  [](const align::Iteration& one) { return std::isfinite(one.aer); })) {
    charts.push_back(aer_chart(iterations));
  }
  page.add_section(
      "Training",
      "Natural logarithm of the probability of a word given the other sentence, before each "
      "iteration; the AER after it. The likelihoods of different models are not comparable.",
      side_by_side(charts) + iteration_table(iterations));
}

void add_grids(const AlignReport& report, Page& page) {
  if (report.grids.empty()) return;
  const bool gold = report.grids.front().gold.has_value();
  std::vector<Html> figures;
  for (const AlignmentGrid& grid : report.grids) figures.push_back(alignment_grid(grid));
  std::string lead = gold ? "From the worst to the best. " : "";
  lead +=
      "Source words are rows, target words are columns. The darker a link, the more likely it is; "
      "point at a link to see its probability.";
  if (gold) lead += " Squares are sure gold links, circles are possible gold links.";
  page.add_section("Sentence pairs", lead, alignment_legend(gold) + in_a_row(figures));
}

Html word_cell(std::string_view unescaped) {
  return text_element("bdi", unescaped);
}

Html error_table(const char* caption, const std::vector<align::WordErrors>& errors) {
  Table rows;
  rows.caption = caption;
  rows.columns = {{"word", Align::kStart},
                  {"sure", Align::kEnd},
                  {"missed", Align::kEnd},
                  {"found", Align::kEnd},
                  {"wrong", Align::kEnd}};
  for (const align::WordErrors& one : errors) {
    rows.rows.push_back({word_cell(one.word), text(format_count(one.sure)),
                         text(format_count(one.missed)), text(format_count(one.found)),
                         text(format_count(one.wrong))});
  }
  return table(rows);
}

void add_word_errors(const AlignReport& report, Page& page) {
  if (report.source_errors.empty() && report.target_errors.empty()) return;
  const std::vector<Html> tables = {error_table("Source", report.source_errors),
                                    error_table("Target", report.target_errors)};
  page.add_section("Words with the most mistakes",
                   "For each word: the number of its sure links and how many of them are missed; "
                   "the number of links found and how many of them are not even possible links.",
                   side_by_side(tables));
}

std::vector<double> errors_of(const align::AlignmentScores& scores) {
  std::vector<double> errors;
  for (const align::AlignmentCounts& pair : scores.pairs()) errors.push_back(pair.aer());
  return errors;
}

void add_pairs(const AlignReport& report, Page& page) {
  const std::vector<align::AlignmentCounts>& pairs = report.scores.pairs();
  if (pairs.size() < 2) return;
  Table rows;
  rows.columns = {{"pair", Align::kStart}, {"sure", Align::kEnd}, {"possible", Align::kEnd},
                  {"found", Align::kEnd},  {"AER", Align::kEnd},  {"precision", Align::kEnd},
                  {"recall", Align::kEnd}};
  for (const Index k : worst_first(errors_of(report.scores), pairs.size())) {
    const align::AlignmentCounts& one = pairs[k];
    rows.rows.push_back({text(report.pair_names[k]), text(format_count(one.sure)),
                         text(format_count(one.possible)), text(format_count(one.found)),
                         text(format_percent(one.aer())), text(format_percent(one.precision())),
                         text(format_percent(one.recall()))});
  }
  page.add_section("Scores by pair", "From the worst to the best, in percent.",
                   details(fmt::format("All {} pairs", rows.rows.size()), table(rows)));
}

void add_translations(const AlignReport& report, Page& page) {
  if (report.lexicon.empty()) return;
  Table rows;
  rows.columns = {{"source", Align::kStart},
                  {"target", Align::kStart},
                  {kForward, Align::kEnd},
                  {kReverse, Align::kEnd}};
  for (const align::Translation& one : report.lexicon) {
    rows.rows.push_back({word_cell(one.source), word_cell(one.target), probability_bar(one.forward),
                         probability_bar(one.reverse)});
  }
  page.add_section("Strongest translations",
                   "Probability that one word generates the other, in both directions.",
                   table(rows));
}

Series jump_series(const char* name, const std::vector<align::JumpShare>& shares) {
  Series series{name, {}, {}};
  for (const align::JumpShare& share : shares) {
    series.x.push_back(share.distance);
    series.y.push_back(share.probability);
  }
  return series;
}

void add_jumps(const AlignReport& report, Page& page) {
  LineChart chart;
  chart.title = "Jumps";
  chart.y_label = "probability";
  chart.x_label = "distance";
  chart.x_scale = Scale::kInteger;
  chart.columns = true;
  const auto add = [&](const char* name, const std::vector<align::JumpShare>& shares) {
    if (!shares.empty()) chart.series.push_back(jump_series(name, shares));
  };
  add(kForward, report.forward_jumps);
  add(kReverse, report.reverse_jumps);
  if (chart.series.empty()) return;
  page.add_section(
      "Jumps",
      "Distance from the position of one link to the next, in the middle of a sentence: 1 is the "
      "following word, 0 the same word again, and negative numbers go back.",
      line_chart(chart));
}

Html alone_table(const char* caption, const std::vector<align::Alone>& words) {
  Table rows;
  rows.caption = caption;
  rows.columns = {{"word", Align::kStart}, {"probability", Align::kEnd}};
  for (const align::Alone& one : words) {
    rows.rows.push_back({word_cell(one.word), probability_bar(one.probability)});
  }
  return table(rows);
}

void add_alone(const AlignReport& report, Page& page) {
  if (report.source_alone.empty() && report.target_alone.empty()) return;
  const std::vector<Html> tables = {alone_table("Source", report.source_alone),
                                    alone_table("Target", report.target_alone)};
  page.add_section("Words aligned to nothing",
                   "Probability of each word, among words that are aligned to nothing.",
                   side_by_side(tables));
}

Html fertility_table(const char* caption, const std::vector<align::Fertile>& words) {
  Table rows;
  rows.caption = caption;
  rows.columns = {{"word", Align::kStart},
                  {"on average", Align::kEnd},
                  {"none", Align::kEnd},
                  {"one", Align::kEnd}};
  for (const align::Fertile& one : words) {
    rows.rows.push_back({word_cell(one.word), text(format_fixed(one.mean, 2)),
                         probability_bar(one.none), probability_bar(one.one)});
  }
  return table(rows);
}

void add_fertilities(const AlignReport& report, Page& page) {
  if (report.source_fertile.empty() && report.target_fertile.empty()) return;
  const std::vector<Html> tables = {fertility_table("Source", report.source_fertile),
                                    fertility_table("Target", report.target_fertile)};
  page.add_section("Fertilities",
                   "Number of words that a word generates in the other language: the words with "
                   "the largest mean, and the probability of none and of one.",
                   side_by_side(tables));
}

std::vector<std::string> strings_of(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

AlignmentGrid grid_of(const align::PairAligner& aligner, const align::SentencePair& pair,
                      const align::AlignedLinks& found) {
  AlignmentGrid grid;
  grid.name = fmt::format("line {}", pair.line());
  grid.source = strings_of(pair.source());
  grid.target = strings_of(pair.target());
  grid.found = found.links;
  grid.cells = align::weigh_links(aligner.model(), pair, aligner.decoding(), kLeastDrawn);
  return grid;
}

}  // namespace

std::string align_report(const AlignReport& report) {
  Page page(report.title, report.subtitle);
  if (!report.scores.pairs().empty()) {
    page.add(subheading(fmt::format("On {}", report.evaluated_on)));
    page.add(tiles(score_tiles(report.scores)));
  }
  if (!report.iterations.empty()) page.add(tiles(training_tiles(report.iterations)));
  if (!report.options.empty()) page.add(details("Options", definitions(report.options)));
  add_training_section(report.iterations, page);
  add_training_section(report.history, "100 - AER", page);
  add_choice_section(report.learned, page);
  add_feature_section(report.weights, page);
  add_grids(report, page);
  add_word_errors(report, page);
  add_pairs(report, page);
  add_translations(report, page);
  add_jumps(report, page);
  add_alone(report, page);
  add_fertilities(report, page);
  return page.to_string();
}

AlignReport model_page(const align::PairAligner& aligner, const std::string& title) {
  const align::AlignModel& model = aligner.model();
  AlignReport page;
  page.title = title;
  page.subtitle = fmt::format("{} source words, {} target words, {} word pairs",
                              format_count(model.words().source().size()),
                              format_count(model.words().target().size()),
                              format_count(model.aligner().lexicon().targets.size()));
  page.options = {{"links", aligner.describe()},
                  {"forward", align::describe(model.aligner().forward())},
                  {"reverse", align::describe(model.aligner().reverse())}};
  for (const auto& [key, value] : provenance_words(model.training())) {
    page.options.push_back({key, value});
  }
  return page;
}

void add_training(const align::TrainResult& result, AlignReport& page) {
  page.iterations = result.iterations;
  page.subtitle = fmt::format("{} sentence pairs, {} and {} words, {} and {} different words",
                              format_count(result.pairs), format_count(result.source_tokens),
                              format_count(result.target_tokens), format_count(result.source_words),
                              format_count(result.target_words));
  if (result.sweeps > 0) {
    page.subtitle += fmt::format("; {} sweeps of Gibbs sampling after the last iteration",
                                 format_count(result.sweeps));
  }
}

void add_link_training(const align::LinkTrainingResult& result, AlignReport& page) {
  page.history = training_points(result.learned.fitted.summary);
  page.learned = &result.learned;
}

void add_weights(const align::SupervisedAligner& aligner, Index top, AlignReport& page) {
  for (const align::NamedWeight& one : align::largest_weights(aligner, top)) {
    page.weights.push_back({"weights of features", one.name, one.weight});
  }
}

void add_lexicon(const align::AlignModel& model, Index top, const std::string& word,
                 AlignReport& page) {
  page.lexicon = align::strongest_translations(model, top, word);
  if (!word.empty()) return;
  page.source_alone = align::strongest_alone(model, top, true);
  page.target_alone = align::strongest_alone(model, top, false);
  page.source_fertile = align::most_fertile(model, top, true);
  page.target_fertile = align::most_fertile(model, top, false);
  page.forward_jumps = align::jump_shares(model.aligner().forward(), kDrawnJumps);
  page.reverse_jumps = align::jump_shares(model.aligner().reverse(), kDrawnJumps);
}

void add_evaluation(const align::PairAligner& aligner, const align::LabelledPairs& pairs,
                    const std::string& name, int threads, AlignReport& page) {
  const align::GoldPairs& gold = pairs.gold;
  const auto found = align::align_all(aligner, pairs, threads);
  page.evaluated_on = name;
  for (Index k = 0; k < found.size(); ++k) {
    page.scores.add(links_at(found[k].links, 0), gold.links[k]);
    page.pair_names.push_back(fmt::format("line {}", gold.pairs[k].line()));
  }
  for (const Index k : worst_first(errors_of(page.scores), kMaxPairsInReport)) {
    page.grids.push_back(grid_of(aligner, gold.pairs[k], found[k]));
    page.grids.back().gold = gold.links[k];
  }
  const auto mistaken = [&](align::Side side) {
    return align::most_mistaken(gold.pairs, found, gold.links, side,
                                aligner.model().words().lowercase(), kMistakenWords);
  };
  page.source_errors = mistaken(align::Side::kSource);
  page.target_errors = mistaken(align::Side::kTarget);
}

void add_pair(const align::PairAligner& aligner, const align::SentencePair& pair,
              const align::AlignedLinks& found, AlignReport& page) {
  if (page.grids.size() == kMaxPairsInReport) return;
  page.grids.push_back(grid_of(aligner, pair, found));
}

}  // namespace trellis::report
