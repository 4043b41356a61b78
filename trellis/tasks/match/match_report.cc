#include "trellis/tasks/match/match_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/frame/training/page/page_head.h"
#include "trellis/frame/training/result.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/markup/svg.h"
#include "trellis/pictures/sections/worst_first.h"
#include "trellis/tasks/match/matcher.h"
#include "trellis/tasks/strongest_weights.h"

namespace trellis::report {
namespace {

constexpr double kSide = 200;  // of the box for a shape
constexpr double kMargin = 8;
constexpr double kGap = 130;  // wide enough to follow the lines
constexpr Index kStrongest = 24;
constexpr Index kPairsInReport = 12;

std::vector<Tile> score_tiles(const match::MatchScores& scores) {
  return {{"Hamming error", format_fixed(scores.hamming(), 2),
           fmt::format("{} of {} nodes, in percent", format_count(scores.wrong()),
                       format_count(scores.nodes()))},
          {"Without mistakes", format_fixed(scores.exact(), 2),
           fmt::format("percent of {} graphs", format_count(scores.graphs().size()))},
          {"Mean error", format_fixed(scores.mean_error(), 2), "over the graphs, in percent"}};
}

// Centres a shape in a box whose left edge is at `offset`.
class ShapeFrame {
 public:
  ShapeFrame(const match::PointSet& shape, double offset) : offset_(offset) {
    for (const auto* points : {&shape.points, &shape.outline}) {
      for (const match::Point& p : *points) {
        low_.x = std::min(low_.x, p.x);
        low_.y = std::min(low_.y, p.y);
        high_.x = std::max(high_.x, p.x);
        high_.y = std::max(high_.y, p.y);
      }
    }
    const double extent = std::max(high_.x - low_.x, high_.y - low_.y);
    scale_ = extent > 0 ? kSide / extent : 1;
    centre_ = {(low_.x + high_.x) / 2, (low_.y + high_.y) / 2};
  }

  match::Point operator()(const match::Point& p) const {
    return {offset_ + kMargin + kSide / 2 + (p.x - centre_.x) * scale_,
            kMargin + kSide / 2 + (p.y - centre_.y) * scale_};
  }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  double offset_;
  double scale_;
  match::Point low_{kFar, kFar};
  match::Point high_{-kFar, -kFar};
  match::Point centre_{0, 0};
};

Html outline(const match::PointSet& shape, const ShapeFrame& frame) {
  if (shape.outline.empty()) return {};
  std::string corners;
  for (const match::Point& p : shape.outline) {
    const match::Point at = frame(p);
    corners += coordinate(at.x) + "," + coordinate(at.y) + " ";
  }
  return element("polygon", {{"points", corners},
                             {"class", "band series-1"},
                             {"stroke", "currentColor"},
                             {"stroke-width", "1.5"},
                             {"stroke-linejoin", "round"}});
}

Html dots(const match::PointSet& shape, const ShapeFrame& frame) {
  Html marks;
  for (const match::Point& p : shape.points) {
    const match::Point at = frame(p);
    marks += element("circle", {{"cx", coordinate(at.x)},
                                {"cy", coordinate(at.y)},
                                {"r", "2.5"},
                                {"fill", "currentColor"}});
  }
  return marks;
}

// The lines of mistakes, or of all others. They differ in colour, width and dash.
Html lines(const MatchPicture& picture, const ShapeFrame& left, const ShapeFrame& right,
           bool mistakes) {
  Html drawn;
  for (const MatchPicture::Line& line : picture.lines) {
    if (line.right_one == mistakes) continue;
    const match::Point a = left(picture.left.points[line.left]);
    const match::Point b = right(picture.right.points[line.right]);
    drawn += element("line", {{"x1", coordinate(a.x)},
                              {"y1", coordinate(a.y)},
                              {"x2", coordinate(b.x)},
                              {"y2", coordinate(b.y)},
                              {"class", mistakes ? "series-2" : "series-0"},
                              {"stroke", "currentColor"},
                              {"stroke-width", mistakes ? "2.2" : "1"},
                              {"stroke-opacity", mistakes ? "1" : "0.6"},
                              {"stroke-dasharray", mistakes ? "6 3" : "none"}});
  }
  return drawn;
}

// Mistakes are drawn on top.
Html drawing(const MatchPicture& picture) {
  const ShapeFrame left(picture.left, 0);
  const ShapeFrame right(picture.right, kSide + kGap);
  const Html content = outline(picture.left, left) + outline(picture.right, right) +
                       lines(picture, left, right, false) + lines(picture, left, right, true) +
                       dots(picture.left, left) + dots(picture.right, right);
  return element("svg",
                 {{"viewBox", fmt::format("0 0 {:.0f} {:.0f}", 2 * kSide + kGap + 2 * kMargin,
                                          kSide + 2 * kMargin)},
                  {"role", "img"},
                  {"aria-label", "Matching of " + picture.name}},
                 content);
}

void add_pictures(const MatchReport& report, Page& page) {
  if (report.pictures.empty()) return;
  std::vector<Html> figures;
  for (const MatchPicture& picture : report.pictures) {
    figures.push_back(element(
        "figure", {{"class", "chart"}},
        text_element("figcaption",
                     fmt::format("{}: error {} %", picture.name, format_fixed(picture.error, 1))) +
            drawing(picture)));
  }
  page.add_section("Pairs",
                   "From the worst to the best: the left and the right shape of a pair, with a "
                   "line for each match. Thick dashed lines are mistakes.",
                   side_by_side(figures));
}

void add_graphs(const MatchReport& report, Page& page) {
  if (report.scores.graphs().empty()) return;
  Table graphs;
  graphs.columns = {{"graph", Align::kStart},
                    {"nodes", Align::kEnd},
                    {"wrong", Align::kEnd},
                    {"error", Align::kEnd}};
  for (const auto& graph : report.scores.graphs()) {
    graphs.rows.push_back({text(graph.name), text(format_count(graph.nodes)),
                           text(format_count(graph.wrong)), text(format_fixed(graph.error(), 2))});
  }
  page.add_section("Errors by graph", "In percent of the nodes of the smaller side.",
                   details(fmt::format("All {} graphs", graphs.rows.size()), table(graphs)));
}

void add_contexts(const MatchReport& report, Page& page) {
  if (report.contexts.weights.empty()) return;
  page.add_section("Weights of differences",
                   "The weight of a difference between two shape contexts, by ring from inside to "
                   "outside and by sector, clockwise from the left. Negative: points that differ "
                   "there do not belong together.",
                   weight_heat_map(report.contexts, 40));
}

std::vector<Index> pairs_to_show(const match::MatchScores& scores) {
  std::vector<double> errors;
  for (const auto& graph : scores.graphs()) errors.push_back(graph.error());
  return worst_first(errors, kPairsInReport);
}

MatchPicture picture_of(const match::MatchExample& example, const std::vector<Label>& found,
                        double error) {
  MatchPicture picture{example.name, error, *example.left, *example.right, {}};
  for (Index i = 0; i < found.size(); ++i) {
    if (found[i] == kNoLabel) continue;
    picture.lines.push_back({i, static_cast<Index>(found[i]), found[i] == example.gold[i]});
  }
  return picture;
}

// Rows are rings, columns are sectors.
WeightMatrix context_weights(const match::MatchModel& model) {
  const match::ContextOptions& contexts = model.features().contexts();
  WeightMatrix matrix;
  matrix.row_title = "ring";
  matrix.column_title = "sector";
  for (Index r = 0; r < contexts.rings; ++r) matrix.rows.push_back(std::to_string(r + 1));
  for (Index s = 0; s < contexts.sectors; ++s) matrix.columns.push_back(std::to_string(s + 1));
  const auto bins = model.weights().first(contexts.num_bins());
  matrix.weights.assign(bins.begin(), bins.end());
  return matrix;
}

}  // namespace

std::string match_report(const MatchReport& report) {
  Page page(report.title, report.subtitle);
  if (!report.scores.graphs().empty()) {
    std::vector<Tile> shown = score_tiles(report.scores);
    if (report.unlearned) {
      shown.push_back(
          {"Unlearned", format_fixed(*report.unlearned, 2), "Hamming error without learning"});
    }
    add_key_figures(report.evaluated_on, shown, page);
  }
  add_training_overview(report.history, "accuracy", report.options, report.learned, page);
  add_pictures(report, page);
  add_graphs(report, page);
  add_contexts(report, page);
  add_feature_section(report.features, page);
  return page.to_string();
}

MatchReport model_page(const match::MatchModel& model, const std::string& title) {
  MatchReport page;
  page.title = title;
  page.options.push_back({"estimator", std::string(trellis::to_string(model.estimator()))});
  page.options.push_back({"cover", std::string(trellis::to_string(model.features().cover()))});
  for (const auto& [key, value] : provenance_words(model.training())) {
    page.options.push_back({key, value});
  }
  if (model.features().pairs()) {
    page.contexts = context_weights(model);
    return page;
  }
  for (const Index k : strongest_weights(model.weights(), kStrongest)) {
    page.features.push_back(
        {"belong together", model.features().weight_name(k), model.weights()[k]});
  }
  return page;
}

void add_training(const match::TrainResult& result, MatchReport& page) {
  page.learned = &result.learned;
  page.history = training_points(result.learned.fitted.summary);
  page.subtitle = fmt::format("{} examples, {} nodes, {} edges, {} weights", result.examples,
                              result.nodes, result.edges, result.weights);
  if (std::isfinite(result.lambda)) page.subtitle += fmt::format("; λ = {:g}", result.lambda);
  if (!result.centre.empty() && result.centre != "none") {
    page.subtitle += fmt::format(
        ", weights regularised towards {}",
        result.centre_scale > 0 ? "the unlearned score" : "the weights of " + result.centre);
  }
  if (result.unlearned) page.unlearned = result.unlearned->hamming();
}

void add_evaluation(const match::MatchModel& model, std::span<const match::MatchExample> examples,
                    const std::string& name, int threads, MatchReport& page) {
  const auto found = match::match_all(match::Matcher(model), examples, threads);
  page.evaluated_on = name;
  for (Index i = 0; i < examples.size(); ++i) page.scores.add(examples[i], found[i]);
  if (!model.features().pairs()) return;
  for (const Index i : pairs_to_show(page.scores)) {
    page.pictures.push_back(picture_of(examples[i], found[i], page.scores.graphs()[i].error()));
  }
}

}  // namespace trellis::report
