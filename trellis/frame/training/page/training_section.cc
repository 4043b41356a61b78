#include "trellis/frame/training/page/training_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "trellis/pictures/charts/line_chart.h"
#include "trellis/pictures/markup/number.h"

namespace trellis::report {
namespace {

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

LineChart step_chart(const std::string& step, std::string title, Series series) {
  LineChart chart;
  chart.title = std::move(title);
  chart.x_label = step;
  chart.x_scale = Scale::kInteger;
  chart.series.push_back(std::move(series));
  return chart;
}

// Early bounds may lie far below zero, although losses are never negative. The axis therefore ends
// at the best bound or at zero, with some room below the curve of the objective.
double lowest_shown(const std::vector<TrainingPoint>& history) {
  const Extent objective = extent_of(history, &TrainingPoint::objective);
  const double best_bound = extent_of(history, &TrainingPoint::bound).high;
  const double room = objective.low - (objective.high - objective.low) / 4;
  return std::min(objective.low, std::max(0.0, std::min(room, best_bound)));
}

Html objective_chart(const std::vector<TrainingPoint>& history, const std::string& step) {
  LineChart chart =
      step_chart(step, "Objective", series_of(history, "objective", &TrainingPoint::objective));
  if (!known(history, &TrainingPoint::bound)) return line_chart(chart);
  chart.title = "Objective and lower bound";
  chart.series.push_back(series_of(history, "lower bound", &TrainingPoint::bound));
  chart.band = Band{0, 1, "objective − bound"};
  chart.y_low = lowest_shown(history);
  return line_chart(chart);
}

Html gap_chart(const std::vector<TrainingPoint>& history, const std::string& step) {
  LineChart chart = step_chart(step, "Relative gap between objective and bound",
                               series_of(history, "relative gap", &TrainingPoint::gap));
  chart.y_scale = Scale::kLog;
  chart.y_label = "logarithmic scale";
  return line_chart(chart);
}

Html loss_chart(const std::vector<TrainingPoint>& history, const std::string& step) {
  return line_chart(step_chart(step, "Mean loss of the training examples",
                               series_of(history, "loss", &TrainingPoint::loss)));
}

Html dev_chart(const std::vector<TrainingPoint>& history, const std::string& dev_metric,
               const std::string& step) {
  LineChart chart = step_chart(step, fmt::format("{} on the dev set", dev_metric),
                               series_of(history, dev_metric, &TrainingPoint::dev));
  chart.y_label = "percent";
  if (const TrainingPoint* best = best_on_dev(history)) {
    chart.marks.push_back({best->epoch, best->dev,
                           fmt::format("{} after {} {}", format_fixed(best->dev, 2), step,
                                       format_significant(best->epoch, 6))});
  }
  return line_chart(chart);
}

// As many decimals as seven digits of the final objective need, so that columns align.
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

// Columns without any known value are left out.
Html history_table(const std::vector<TrainingPoint>& history, const std::string& dev_metric,
                   const std::string& step) {
  const int decimals = objective_decimals(history);
  std::vector<HistoryColumn> columns = {
      {step, &TrainingPoint::epoch, 0},
      {"objective", &TrainingPoint::objective, decimals},
      {"bound", &TrainingPoint::bound, decimals},
      {"relative gap", &TrainingPoint::gap, 6},
      {"loss", &TrainingPoint::loss, 6},
      {"% of sums not converged", &TrainingPoint::unconverged, 2},
      {fmt::format("{} (dev)", dev_metric), &TrainingPoint::dev, 2},
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
  return details(fmt::format("All {}s as a table", step), table(epochs));
}

// The last epoch whose gap is known; there must be one.
const TrainingPoint& last_certified(const std::vector<TrainingPoint>& history) {
  return *std::find_if(history.rbegin(), history.rend(),
                       [](const TrainingPoint& point) { return std::isfinite(point.gap); });
}

std::string what_is_proven(const std::vector<TrainingPoint>& history) {
  if (!known(history, &TrainingPoint::bound)) return "";
  std::string text =
      "The optimum lies between the objective and its lower bound. Their difference divided by the "
      "objective is the relative gap: the most that further training can gain.";
  if (!known(history, &TrainingPoint::gap)) return text;
  return text + (last_certified(history).missed > 0
                     ? " Certified from upper bounds: the search for best outputs may have missed "
                       "better ones."
                     : " Certified: exact inference.");
}

}  // namespace

std::vector<TrainingPoint> training_points(const LearnSummary& summary) {
  std::vector<TrainingPoint> points;
  for (const EpochRecord& record : summary.history) {
    TrainingPoint point;
    point.epoch = static_cast<double>(record.epoch);
    point.objective = record.objective;
    point.bound = record.bound;
    point.gap = record.gap();
    point.missed = record.missed;
    point.dev = record.dev;
    point.seconds = record.seconds;
    point.loss = record.loss;
    if (const InferenceTally& tally = record.inference; tally.calls > 0) {
      point.unconverged =
          100 * static_cast<double>(tally.unconverged) / static_cast<double>(tally.calls);
    }
    points.push_back(point);
  }
  return points;
}

void add_training_section(const std::vector<TrainingPoint>& history, const std::string& dev_metric,
                          Page& page, const std::string& step) {
  if (history.empty()) return;
  std::vector<Html> charts;
  if (known(history, &TrainingPoint::objective)) charts.push_back(objective_chart(history, step));
  if (known(history, &TrainingPoint::dev)) charts.push_back(dev_chart(history, dev_metric, step));
  if (known(history, &TrainingPoint::gap)) charts.push_back(gap_chart(history, step));
  if (known(history, &TrainingPoint::loss)) charts.push_back(loss_chart(history, step));
  page.add_section("Training", what_is_proven(history),
                   side_by_side(charts) + history_table(history, dev_metric, step));
}

std::vector<Tile> training_tiles(const std::vector<TrainingPoint>& history,
                                 const std::string& dev_metric, const std::string& step) {
  std::vector<Tile> out;
  if (history.empty()) return out;
  if (const TrainingPoint* best = best_on_dev(history)) {
    out.push_back({fmt::format("Best {} on dev", dev_metric), format_fixed(best->dev, 2),
                   fmt::format("after {} {}", step, format_significant(best->epoch, 6))});
  }
  if (known(history, &TrainingPoint::objective)) {
    const bool bounded = known(history, &TrainingPoint::bound);
    const double bound = last_known(history, &TrainingPoint::bound);
    out.push_back({"Objective",
                   format_significant(last_known(history, &TrainingPoint::objective), 5),
                   bounded ? fmt::format("not below {}", format_significant(bound, 5)) : ""});
  }
  const double seconds = last_known(history, &TrainingPoint::seconds);
  const std::string steps =
      fmt::format("{} {}s", format_significant(history.back().epoch, 6), step);
  if (std::isfinite(seconds)) out.push_back({"Training", format_seconds(seconds), steps});
  return out;
}

}  // namespace trellis::report
