#include "trellis/tasks/segment/segment_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "trellis/frame/training/page/page_head.h"
#include "trellis/frame/training/result.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/tasks/segment/inspect.h"

namespace trellis::report {
namespace {

constexpr const char* kDevMetric = "pixels correct";
constexpr Index kStrongestOfSegmenter = 24;

// RFC 4648.
std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (Index at = 0; at < bytes.size(); at += 3) {
    const Index count = std::min<Index>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (Index k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[at + k]) : 0U);
    }
    for (Index k = 0; k < 4; ++k) {
      out += k <= count ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return out;
}

std::vector<Tile> score_tiles(const segment::SegmentScores& scores) {
  const segment::SegmentCounts& all = scores.overall();
  return {{"Pixel error", format_fixed(all.pixel_error(), 2),
           fmt::format("{} of {} pixels, in percent", format_count(all.wrong()),
                       format_count(all.total()))},
          {"IoU", format_fixed(all.iou(), 2), "figure, all pixels together"},
          {"Mean IoU", format_fixed(all.mean_iou(), 2), "of figure and ground"},
          {"Image IoU", format_fixed(scores.image_iou(), 2),
           fmt::format("mean over {} images", format_count(scores.images().size()))}};
}

Html figure(const segment::ShownPicture& picture) {
  const Html image = element("img", {{"src", "data:image/png;base64," + base64(picture.png)},
                                     {"alt", "Segmentation of " + picture.name},
                                     {"style", "max-width:100%"}});
  const Html caption = text_element("figcaption", fmt::format("{}: error {}, IoU {}", picture.name,
                                                              format_fixed(picture.pixel_error, 1),
                                                              format_fixed(picture.iou, 1)));
  return element("figure", {{"style", "margin:0"}}, image + caption);
}

void add_pictures(const SegmentReport& report, Page& page) {
  if (report.pictures.empty()) return;
  std::vector<Html> figures;
  for (const segment::ShownPicture& picture : report.pictures) figures.push_back(figure(picture));
  page.add_section("Pictures",
                   "From the worst to the best. The predicted figure is tinted and outlined in "
                   "yellow; the true outline is blue.",
                   in_a_row(figures));
}

void add_images(const SegmentReport& report, Page& page) {
  if (report.scores.images().empty()) return;
  Table images;
  images.columns = {{"image", Align::kStart}, {"pixel error", Align::kEnd}, {"IoU", Align::kEnd}};
  for (const auto& image : report.scores.images()) {
    images.rows.push_back({text(image.name), text(format_fixed(image.counts.pixel_error(), 2)),
                           text(format_fixed(image.counts.iou(), 2))});
  }
  page.add_section("Scores by image", "In percent.",
                   details(fmt::format("All {} images", images.rows.size()), table(images)));
}

}  // namespace

SegmentReport report_of(const segment::SegmentModel& model, const std::string& title) {
  SegmentReport page;
  page.title = title;
  for (const auto& [key, value] : provenance_words(model.training())) {
    page.options.push_back({key, value});
  }
  const auto add = [&](const char* heading, const std::vector<Index>& which) {
    for (const Index k : which) {
      page.features.push_back({heading, model.features().weight_name(k), model.weights()[k]});
    }
  };
  add("figure", strongest_node_weights(model, kStrongestOfSegmenter));
  add("cost of a boundary", edge_weights(model));
  return page;
}

void add_training(const segment::TrainResult& result, SegmentReport& report) {
  const LearnSummary& summary = result.learned.fitted.summary;
  report.learned = &result.learned;
  report.history = training_points(summary);
  report.subtitle =
      fmt::format("{} examples, {} nodes, {} edges, {} weights; {} epochs", result.examples,
                  result.nodes, result.edges, result.weights, summary.epochs);
}

std::string segment_report(const SegmentReport& report) {
  Page page(report.title, report.subtitle);
  if (!report.scores.images().empty()) {
    add_key_figures(report.evaluated_on, score_tiles(report.scores), page);
  }
  add_training_overview(report.history, kDevMetric, report.options, report.learned, page);
  add_pictures(report, page);
  add_images(report, page);
  add_feature_section(report.features, page);
  return page.to_string();
}

}  // namespace trellis::report
