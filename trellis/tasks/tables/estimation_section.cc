#include "trellis/tasks/tables/estimation_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "trellis/pictures/charts/line_chart.h"
#include "trellis/pictures/markup/number.h"

namespace trellis::report {
namespace {

constexpr Index kStartsInChart = 6;

Series series_of(std::span<const MarginIteration> iterations, std::string name,
                 Index MarginIteration::*field) {
  Series series{std::move(name), {}, {}};
  for (const MarginIteration& one : iterations) {
    series.x.push_back(static_cast<double>(one.iteration));
    series.y.push_back(static_cast<double>(one.*field));
  }
  return series;
}

Html decomposition_chart(std::span<const MarginIteration> iterations) {
  LineChart chart;
  chart.title = "Vertices of the hull, and changes of the centre";
  chart.x_label = "iteration";
  chart.x_scale = Scale::kInteger;
  chart.series = {series_of(iterations, "vertices", &MarginIteration::vertices),
                  series_of(iterations, "changes so far", &MarginIteration::centre_changes)};
  return line_chart(chart);
}

Html time_table(const MarginIteration& last) {
  const std::pair<const char*, double> parts[] = {
      {"master problems", last.seconds_master},
      {"ascent directions: passes over the examples", last.seconds_directions},
      {"changes of the centre and lower bounds", last.seconds_centre}};
  double sum = 0;
  for (const auto& [name, seconds] : parts) sum += seconds;
  Table times;
  times.caption = "Time spent";
  times.columns = {{"", Align::kStart}, {"seconds", Align::kEnd}, {"%", Align::kEnd}};
  for (const auto& [name, seconds] : parts) {
    times.rows.push_back({text(name), text(format_fixed(seconds, 3)),
                          text(sum > 0 ? format_fixed(100 * seconds / sum, 1) : "–")});
  }
  return table(times);
}

double reached(const ClimbingStart& start) {
  return start.objectives.empty() ? -std::numeric_limits<double>::infinity()
                                  : start.objectives.back();
}

// Numbers of starts: the best one, and others spread evenly over the ranking.
std::vector<Index> shown_starts(std::span<const ClimbingStart> starts, Index best) {
  std::vector<Index> order(starts.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return reached(starts[a]) > reached(starts[b]); });
  std::erase(order, best);
  std::vector<Index> shown = {best};
  const Index others = std::min<Index>(order.size(), kStartsInChart - 1);
  for (Index k = 0; k < others; ++k) {
    shown.push_back(order[others == 1 ? 0 : k * (order.size() - 1) / (others - 1)]);
  }
  return shown;
}

// `short_of` the best: plots on a logarithmic scale how far each is from the best.
Html starts_chart(std::span<const ClimbingStart> starts, Index best, bool short_of) {
  const double top = reached(starts[best]);
  LineChart chart;
  chart.title = short_of ? "Distance to the best" : "Objective";
  if (short_of) {
    chart.y_scale = Scale::kLog;
    chart.y_label = "logarithmic scale";
  }
  chart.x_label = "iteration";
  chart.x_scale = Scale::kInteger;
  for (const Index s : shown_starts(starts, best)) {
    Series series{fmt::format("start {}{}", s + 1, s == best ? ", the best" : ""), {}, {}};
    for (Index n = 0; n < starts[s].objectives.size(); ++n) {
      const double objective = starts[s].objectives[n];
      series.x.push_back(static_cast<double>(n));
      series.y.push_back(short_of ? top - objective : objective);
    }
    chart.series.push_back(std::move(series));
  }
  return line_chart(chart);
}

Html starts_table(std::span<const ClimbingStart> starts, Index best) {
  Table all;
  all.columns = {{"start", Align::kEnd},
                 {"iterations", Align::kEnd},
                 {"objective", Align::kEnd},
                 {"distance to the best", Align::kEnd},
                 {"converged", Align::kStart}};
  for (Index s = 0; s < starts.size(); ++s) {
    all.rows.push_back({text(fmt::format("{}", s + 1)),
                        text(format_count(std::max<Index>(starts[s].objectives.size(), 1) - 1)),
                        text(format_fixed(reached(starts[s]), 3)),
                        text(format_fixed(reached(starts[best]) - reached(starts[s]), 3)),
                        text(starts[s].converged ? "yes" : "no")});
  }
  return details(starts.size() == 1 ? "The start as a table"
                                    : fmt::format("All {} starts as a table", starts.size()),
                 table(all));
}

void add_setting_section(std::span<const generative::MarginTrial> trials,
                         const generative::MarginSetting& chosen, Page& page) {
  if (trials.empty()) return;
  std::map<double, std::map<double, double>> losses;  // by γ and η
  for (const generative::MarginTrial& trial : trials) {
    losses[trial.setting.gamma][trial.setting.eta] = trial.loss;
  }
  LineChart chart;
  chart.title = "Held-out loss";
  chart.x_label = "eta";
  chart.x_scale = Scale::kLog;
  for (const auto& [gamma, by_eta] : losses) {
    Series series{fmt::format("gamma {}", format_significant(gamma, 4)), {}, {}};
    for (const auto& [eta, loss] : by_eta) {
      series.x.push_back(eta);
      series.y.push_back(loss);
    }
    chart.series.push_back(std::move(series));
  }
  chart.marks = {{chosen.eta, losses[chosen.gamma][chosen.eta], chosen.text()}};
  page.add_section("Choice of eta and gamma",
                   "Eta (weight of the examples relative to the reference tables) and gamma (score "
                   "added to mistakes), chosen by the held-out loss.",
                   line_chart(chart));
}

void add_decomposition_section(std::span<const MarginIteration> iterations, Page& page) {
  if (iterations.empty()) return;
  const Html blocks[] = {decomposition_chart(iterations), time_table(iterations.back())};
  page.add_section("Decomposition",
                   "Each iteration solves a master problem over the hull of some vertices, and "
                   "finds a further vertex by a pass over the examples.",
                   side_by_side(blocks));
}

void add_starts_section(std::span<const ClimbingStart> starts, Index best, Page& page) {
  if (starts.empty()) return;
  std::vector<Html> charts = {starts_chart(starts, best, false)};
  if (starts[best].objectives.size() > 1) charts.push_back(starts_chart(starts, best, true));
  const Index shown = std::min<Index>(starts.size(), kStartsInChart);
  std::string lead =
      "The log-likelihood, including the prior, during the iterations from each start.";
  if (shown < starts.size()) {
    lead += fmt::format(
        " The best of {} starts is shown, and {} others between the second best and the worst.",
        starts.size(), shown - 1);
  }
  page.add_section("Starts", lead, side_by_side(charts) + starts_table(starts, best));
}

}  // namespace

void add_training(const generative::TableTraining& result, Index units, const std::string& unit,
                  Index num_distributions, EstimationReport& report) {
  if (result.discriminative) {
    report.history = training_points(result.summary);
    report.iterations = result.discriminative->fitted.history;
    report.trials = result.discriminative->trials;
    report.setting = result.discriminative->setting;
  }
  for (const generative::EmRun& run : result.runs) {
    report.starts.push_back({run.objectives, run.converged});
  }
  report.best_start = result.best_run;
  const double mean = result.log_likelihood / static_cast<double>(std::max<Index>(units, 1));
  report.figures.push_back({"Log-likelihood", format_fixed(mean, 4), unit});
  if (result.missing.distributions > 0) {
    report.figures.push_back(
        {"Missing probability", format_fixed(result.missing.largest, 3),
         fmt::format("at most; {} of {} distributions sum to less than 1",
                     format_count(result.missing.distributions), format_count(num_distributions))});
  }
}

void add_estimation_figures(const EstimationReport& report, bool others_above, Page& page) {
  std::vector<Tile> figures = training_tiles(report.history, "", "iteration");
  figures.insert(figures.end(), report.figures.begin(), report.figures.end());
  if (figures.empty()) return;
  if (others_above) page.add(subheading("Training"));
  page.add(tiles(figures));
}

void add_estimation_sections(const EstimationReport& report, Page& page) {
  add_training_section(report.history, "", page, "iteration");
  add_decomposition_section(report.iterations, page);
  add_starts_section(report.starts, report.best_start, page);
  add_setting_section(report.trials, report.setting, page);
}

}  // namespace trellis::report
