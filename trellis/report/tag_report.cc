#include "trellis/report/tag_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "trellis/report/bar_table.h"
#include "trellis/report/line_chart.h"
#include "trellis/report/number.h"

namespace trellis::report {
namespace {

constexpr Index kTypesAtOnce = 40;
constexpr Index kLabelsAtOnce = 12;
constexpr Index kCommonestMistakes = 12;
constexpr Index kExamplesAtOnce = 20;

using Field = double TrainingPoint::*;

Series series_of(const std::vector<TrainingPoint>& history, std::string name, Field field) {
  Series series{std::move(name), {}, {}};
  for (const TrainingPoint& point : history) {
    series.x.push_back(point.epoch);
    series.y.push_back(point.*field);
  }
  return series;
}

bool known(const std::vector<TrainingPoint>& history, Field field) {
  return std::any_of(history.begin(), history.end(),
                     [&](const TrainingPoint& point) { return std::isfinite(point.*field); });
}

// The last value that is known, or NaN.
double last_known(const std::vector<TrainingPoint>& history, Field field) {
  const auto at = std::find_if(history.rbegin(), history.rend(), [&](const TrainingPoint& point) {
    return std::isfinite(point.*field);
  });
  return at == history.rend() ? TrainingPoint::kNotKnown : (*at).*field;
}

const TrainingPoint* best_on_dev(const std::vector<TrainingPoint>& history) {
  const TrainingPoint* best = nullptr;
  for (const TrainingPoint& point : history) {
    if (std::isfinite(point.dev) && (best == nullptr || point.dev > best->dev)) best = &point;
  }
  return best;
}

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Extent extent_of(const std::vector<TrainingPoint>& history, Field field) {
  Extent extent;
  for (const TrainingPoint& point : history) {
    if (!std::isfinite(point.*field)) continue;
    extent.low = std::min(extent.low, point.*field);
    extent.high = std::max(extent.high, point.*field);
  }
  return extent;
}

LineChart epoch_chart(std::string title, Series series) {
  LineChart chart;
  chart.title = std::move(title);
  chart.x_label = "epoch";
  chart.x_scale = Scale::kInteger;
  chart.series.push_back(std::move(series));
  return chart;
}

// Early bounds may lie far below zero, which is a bound itself: losses are not negative. So the
// axis reaches down to the best bound, or to zero, but leaves the curve of the objective some room.
double lowest_shown(const std::vector<TrainingPoint>& history) {
  const Extent objective = extent_of(history, &TrainingPoint::objective);
  const double best_bound = extent_of(history, &TrainingPoint::bound).high;
  const double room = objective.low - (objective.high - objective.low) / 4;
  return std::min(objective.low, std::max(0.0, std::min(room, best_bound)));
}

Html objective_chart(const std::vector<TrainingPoint>& history) {
  LineChart chart =
      epoch_chart("Objective", series_of(history, "objective", &TrainingPoint::objective));
  if (!known(history, &TrainingPoint::bound)) return line_chart(chart);
  chart.title = "Objective and lower bound";
  chart.series.push_back(series_of(history, "lower bound", &TrainingPoint::bound));
  chart.band = Band{0, 1, "gap"};
  chart.y_low = lowest_shown(history);
  return line_chart(chart);
}

Html gap_chart(const std::vector<TrainingPoint>& history) {
  LineChart chart = epoch_chart("Gap between objective and bound",
                                series_of(history, "gap", &TrainingPoint::gap));
  chart.y_scale = Scale::kLog;
  chart.y_label = "logarithmic scale";
  return line_chart(chart);
}

Html loss_chart(const std::vector<TrainingPoint>& history) {
  return line_chart(epoch_chart("Mean loss of the training examples",
                                series_of(history, "loss", &TrainingPoint::loss)));
}

Html dev_chart(const TagReport& report) {
  LineChart chart = epoch_chart(fmt::format("{} on the dev set", report.dev_metric),
                                series_of(report.history, report.dev_metric, &TrainingPoint::dev));
  chart.y_label = "percent";
  if (const TrainingPoint* best = best_on_dev(report.history)) {
    chart.marks.push_back({best->epoch, best->dev,
                           fmt::format("{} after epoch {}", format_fixed(best->dev, 2),
                                       format_significant(best->epoch, 6))});
  }
  return line_chart(chart);
}

// As many decimals as show seven digits of the objective that was reached, so that columns align.
int objective_decimals(const std::vector<TrainingPoint>& history) {
  const double reached = std::abs(last_known(history, &TrainingPoint::objective));
  if (!(reached > 0)) return 6;
  return std::clamp(6 - static_cast<int>(std::floor(std::log10(reached))), 0, 12);
}

struct HistoryColumn {
  std::string heading;
  Field field;
  int decimals;
};

// Columns of which nothing is known are left out.
Html history_table(const TagReport& report) {
  const std::vector<TrainingPoint>& history = report.history;
  const int decimals = objective_decimals(history);
  std::vector<HistoryColumn> columns = {
      {"epoch", &TrainingPoint::epoch, 0},
      {"objective", &TrainingPoint::objective, decimals},
      {"bound", &TrainingPoint::bound, decimals},
      {"gap", &TrainingPoint::gap, decimals},
      {"loss", &TrainingPoint::loss, 6},
      {fmt::format("{} (dev)", report.dev_metric), &TrainingPoint::dev, 2},
      {"seconds", &TrainingPoint::seconds, 2}};
  std::erase_if(columns,
                [&](const HistoryColumn& column) { return !known(history, column.field); });
  Table epochs;
  for (const HistoryColumn& column : columns) {
    epochs.columns.push_back({column.heading, Align::kEnd});
  }
  for (const TrainingPoint& point : history) {
    std::vector<Html> cells;
    for (const HistoryColumn& column : columns) {
      cells.push_back(text(format_fixed(point.*column.field, column.decimals)));
    }
    epochs.rows.push_back(std::move(cells));
  }
  return details("All epochs as a table", table(epochs));
}

void add_training(const TagReport& report, Page& page) {
  const std::vector<TrainingPoint>& history = report.history;
  if (history.empty()) return;
  std::vector<Html> charts;
  if (known(history, &TrainingPoint::objective)) charts.push_back(objective_chart(history));
  if (known(history, &TrainingPoint::dev)) charts.push_back(dev_chart(report));
  if (known(history, &TrainingPoint::gap)) charts.push_back(gap_chart(history));
  if (known(history, &TrainingPoint::loss)) charts.push_back(loss_chart(history));
  const bool bounded = known(history, &TrainingPoint::bound);
  page.add_section("Training",
                   bounded ? "The optimum lies between the objective and its lower bound, whose "
                             "distance is the gap: what further training could still gain."
                           : "",
                   side_by_side(charts) + history_table(report));
}

ScoreRow score_row(std::string name, const tag::SpanCounts& counts) {
  return {std::move(name),    counts.gold,     counts.found, counts.correct,
          counts.precision(), counts.recall(), counts.f1()};
}

void add_scores(const TagReport& report, Page& page) {
  if (report.types.empty()) return;
  std::vector<tag::TypeCounts> types = report.types;
  std::stable_sort(types.begin(), types.end(),
                   [](const auto& a, const auto& b) { return a.counts.gold > b.counts.gold; });
  std::vector<ScoreRow> rows;
  for (const tag::TypeCounts& type : types) rows.push_back(score_row(type.type, type.counts));
  const std::string_view name = report.spans ? "type" : "tag";
  const ScoreRow overall = score_row("overall", report.overall);
  const Index shown = std::min<Index>(rows.size(), kTypesAtOnce);
  Html body = score_table(name, std::span(rows).first(shown), overall);
  if (shown < rows.size()) {
    body += details(fmt::format("{} rarer {}s", rows.size() - shown, name),
                    score_table(name, std::span(rows).subspan(shown), overall));
  }
  page.add_section(fmt::format("Scores by {}", name),
                   report.spans
                       ? "In percent, counted over spans as conlleval does: a span is correct if "
                         "its tokens and its type are. The most frequent types come first."
                       : "In percent, counted over tokens. The most frequent tags come first.",
                   body);
}

Html mistakes_table(const ConfusionMatrix& confusion) {
  const std::vector<Confused> pairs = most_confused(confusion, kCommonestMistakes);
  if (pairs.empty()) return {};
  Table commonest;
  commonest.caption = "The commonest mistakes";
  commonest.columns = {{"gold", Align::kStart},
                       {"predicted", Align::kStart},
                       {"tokens", Align::kEnd},
                       {"of the gold label", Align::kEnd}};
  for (const Confused& pair : pairs) {
    commonest.rows.push_back(
        {text(confusion.labels[pair.gold]), text(confusion.labels[pair.predicted]),
         text(format_count(pair.count)), text(format_fixed(100 * pair.share, 1) + " %")});
  }
  return table(commonest);
}

void add_confusion(const TagReport& report, Page& page) {
  if (report.confusion.labels.empty()) return;
  std::vector<Html> blocks = {confusion_heat_map(report.confusion)};
  const Html commonest = mistakes_table(report.confusion);
  if (!commonest.empty()) blocks.push_back(commonest);
  page.add_section("Confusion",
                   "Tokens by gold label (row) and predicted label (column). The colour of a cell "
                   "is its share of the row; mistakes stand off the diagonal.",
                   in_a_row(blocks));
}

// A table for each label, in the order in which the labels first appear.
std::vector<Html> feature_tables(const std::vector<StrongFeature>& features) {
  std::vector<std::string> labels;
  std::map<std::string, std::vector<SignedRow>> rows;
  double scale = 0;
  for (const StrongFeature& feature : features) {
    std::vector<SignedRow>& group = rows[feature.label];
    if (group.empty()) labels.push_back(feature.label);
    group.push_back({feature.attribute, feature.weight});
    if (std::isfinite(feature.weight)) scale = std::max(scale, std::abs(feature.weight));
  }
  std::vector<Html> tables;
  for (const std::string& label : labels) {
    std::vector<SignedRow>& group = rows[label];
    std::stable_sort(group.begin(), group.end(), [](const SignedRow& a, const SignedRow& b) {
      // NaN, which no order knows, stands last.
      return std::isnan(b.value) ? !std::isnan(a.value) : a.value > b.value;
    });
    tables.push_back(signed_table(label, group, scale > 0 ? scale : 1));
  }
  return tables;
}

void add_features(const TagReport& report, Page& page) {
  if (report.features.empty()) return;
  const std::vector<Html> tables = feature_tables(report.features);
  const Index shown = std::min<Index>(tables.size(), kLabelsAtOnce);
  Html body = side_by_side(std::span(tables).first(shown));
  if (shown < tables.size()) {
    body += details(fmt::format("{} more labels", tables.size() - shown),
                    side_by_side(std::span(tables).subspan(shown)));
  }
  page.add_section("Strongest features",
                   "What speaks most for a label (to the right) and against it (to the left). All "
                   "bars have the same scale.",
                   body);
}

void add_transitions(const TagReport& report, Page& page) {
  if (report.transitions.weights.empty()) return;
  page.add_section(
      "Transitions",
      "The weights of each label (column) after another (row): positive where the pair is "
      "favoured, negative where it is avoided.",
      weight_heat_map(report.transitions));
}

Html sentence(const TagReport& report, const ExampleSentence& example) {
  return report.spans ? span_sentence(example) : tagged_sentence(example);
}

Html sentences(const TagReport& report, std::span<const ExampleSentence* const> examples) {
  Html out;
  for (const ExampleSentence* example : examples) out += sentence(report, *example);
  return out;
}

// Sentences with mistakes stand first and in the open, the others are folded.
void add_examples(const TagReport& report, Page& page) {
  if (report.examples.empty()) return;
  std::vector<const ExampleSentence*> mistaken, correct;
  for (const ExampleSentence& example : report.examples) {
    (example.gold == example.predicted ? correct : mistaken).push_back(&example);
  }
  const std::span all(mistaken);
  const Index shown = std::min<Index>(all.size(), kExamplesAtOnce);
  Html body = (report.spans ? span_legend() : tag_legend()) + sentences(report, all.first(shown));
  if (shown < all.size()) {
    body += details(fmt::format("{} more with mistakes", all.size() - shown),
                    sentences(report, all.subspan(shown)));
  }
  if (!correct.empty()) {
    body +=
        details(fmt::format("{} without a mistake", correct.size()), sentences(report, correct));
  }
  page.add_section("Sentences",
                   report.spans ? "Below the words, the upper line is gold and the lower one "
                                  "predicted; a correct span has one line."
                                : "The tag stands below its word; where it is wrong, below the "
                                  "gold one.",
                   body);
}

double percent(Index part, Index whole) {
  return whole == 0 ? TrainingPoint::kNotKnown
                    : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string ratio(Index part, Index whole, std::string_view noun) {
  return fmt::format("{} of {} {}", format_count(part), format_count(whole), noun);
}

std::vector<Tile> score_tiles(const TagReport& report) {
  std::vector<Tile> out;
  const tag::SpanCounts& all = report.overall;
  if (report.spans && all.gold + all.found > 0) {
    out.push_back({"F1", format_fixed(all.f1(), 2), "over spans, as conlleval counts"});
    out.push_back({"Precision", format_fixed(all.precision(), 2),
                   ratio(all.correct, all.found, "predicted spans")});
    out.push_back(
        {"Recall", format_fixed(all.recall(), 2), ratio(all.correct, all.gold, "gold spans")});
  }
  if (report.tokens > 0) {
    out.push_back({"Token accuracy", format_fixed(percent(report.correct_tokens, report.tokens), 2),
                   ratio(report.correct_tokens, report.tokens, "tokens")});
  }
  if (report.sentences > 0) {
    out.push_back({"Whole sentences",
                   format_fixed(percent(report.correct_sentences, report.sentences), 2),
                   ratio(report.correct_sentences, report.sentences, "sentences")});
  }
  return out;
}

std::vector<Tile> training_tiles(const TagReport& report) {
  std::vector<Tile> out;
  const std::vector<TrainingPoint>& history = report.history;
  if (history.empty()) return out;
  if (const TrainingPoint* best = best_on_dev(history)) {
    out.push_back({fmt::format("Best {} on dev", report.dev_metric), format_fixed(best->dev, 2),
                   fmt::format("after epoch {}", format_significant(best->epoch, 6))});
  }
  if (known(history, &TrainingPoint::objective)) {
    const bool bounded = known(history, &TrainingPoint::bound);
    const double bound = last_known(history, &TrainingPoint::bound);
    out.push_back({"Objective",
                   format_significant(last_known(history, &TrainingPoint::objective), 5),
                   bounded ? fmt::format("not below {}", format_significant(bound, 5)) : ""});
  }
  const double seconds = last_known(history, &TrainingPoint::seconds);
  const std::string epochs = fmt::format("{} epochs", format_significant(history.back().epoch, 6));
  if (std::isfinite(seconds)) out.push_back({"Training", format_seconds(seconds), epochs});
  return out;
}

}  // namespace

std::string tag_report(const TagReport& report) {
  Page page(report.title, report.subtitle);
  if (const auto scores = score_tiles(report); !scores.empty()) {
    if (!report.evaluated_on.empty()) {
      page.add(subheading(fmt::format("On {}", report.evaluated_on)));
    }
    page.add(tiles(scores));
  }
  if (const auto training = training_tiles(report); !training.empty()) page.add(tiles(training));
  if (!report.options.empty()) page.add(details("Options", definitions(report.options)));
  add_training(report, page);
  add_scores(report, page);
  add_confusion(report, page);
  add_examples(report, page);
  add_features(report, page);
  add_transitions(report, page);
  return page.to_string();
}

}  // namespace trellis::report
