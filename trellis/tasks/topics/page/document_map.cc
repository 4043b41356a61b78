#include "trellis/tasks/topics/page/document_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "trellis/base/random.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/markup/palette.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {
namespace {

constexpr std::uint64_t kMapSampleSeed = 1;
constexpr double kPicture = 640;

// All documents, or kStaticDocuments drawn at random; in order.
std::vector<Index> pictured(Index n) {
  std::vector<Index> chosen = random_permutation(n, Random(kMapSampleSeed));
  chosen.resize(std::min(n, kStaticDocuments));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::string kind_style(Label kind) {
  return fmt::format("--kind:{}",
                     kind == kNoLabel ? kNoKindColour : palette_colour(static_cast<Index>(kind)));
}

// A dot is a line of length 0 with round ends.
Html static_picture(std::span<const ReportedDocument> documents, bool by_class) {
  const std::vector<MapPlace> places = map_places(documents);
  std::map<Label, std::string> dots;
  for (const Index d : pictured(documents.size())) {
    const Label kind = by_class ? documents[d].label : static_cast<Label>(documents[d].topic);
    const double scale = kPicture / kMapUnits;
    dots[kind] += fmt::format("M{:.1f} {:.1f}h0", scale * places[d].x, scale * places[d].y);
  }
  Html drawing;
  for (const auto& [kind, path] : dots) {
    drawing += element("path", {{"style", kind_style(kind)}, {"d", path}});
  }
  return element("svg",
                 {{"viewBox", fmt::format("-6 -6 {} {}", kPicture + 12, kPicture + 12)},
                  {"role", "img"},
                  {"aria-label", "Documents as points; documents with similar topics are close"}},
                 drawing);
}

// Buttons if the script runs; a list of names without it.
Html class_legend(std::span<const ReportedDocument> documents,
                  std::span<const std::string> classes) {
  std::vector<Index> counts(classes.size(), 0);
  Index without = 0;
  for (const ReportedDocument& document : documents) {
    if (document.label == kNoLabel) {
      ++without;
    } else {
      ++counts[static_cast<Index>(document.label)];
    }
  }
  const auto item = [](Label kind, std::string_view name, Index count) {
    return element("li", {{"style", kind_style(kind)}},
                   element("span", {{"class", "dot"}}) +
                       text_element("span", {{"dir", "auto"}}, name) +
                       text_element("span", {{"class", "count"}}, format_count(count)));
  };
  Html items;
  for (Index c = 0; c < classes.size(); ++c) {
    items += item(static_cast<Label>(c), classes[c], counts[c]);
  }
  if (without > 0) items += item(kNoLabel, "no class", without);
  return element("ul", {{"class", "kinds"}, {"id", "kinds"}}, items);
}

}  // namespace

std::vector<MapPlace> map_places(std::span<const ReportedDocument> documents) {
  double left = trellis::kInfinity, right = -trellis::kInfinity, top = trellis::kInfinity,
         bottom = -trellis::kInfinity;
  for (const ReportedDocument& document : documents) {
    left = std::min(left, document.place.x);
    right = std::max(right, document.place.x);
    top = std::min(top, document.place.y);
    bottom = std::max(bottom, document.place.y);
  }
  const double side = std::max(right - left, bottom - top);
  const double scale = side > 0 ? kMapUnits / side : 0;
  const auto unit = [&](double x, double low, double high) {
    const double place = kMapUnits / 2.0 + scale * (x - (low + high) / 2);
    return static_cast<int>(std::clamp(std::round(place), 0.0, static_cast<double>(kMapUnits)));
  };
  std::vector<MapPlace> places;
  places.reserve(documents.size());
  for (const ReportedDocument& document : documents) {
    places.push_back({unit(document.place.x, left, right), unit(document.place.y, top, bottom)});
  }
  return places;
}

Html document_map(std::span<const ReportedDocument> documents, std::span<const std::string> classes,
                  Index in_all) {
  const bool by_class = !classes.empty();
  std::string said = format_count(documents.size());
  if (in_all > documents.size()) said += fmt::format(" of {}", format_count(in_all));
  Html caption = text_element("span", {{"id", "documents-caption"}}, said + " documents");
  Html fallback = static_picture(documents, by_class);
  if (documents.size() > kStaticDocuments) {
    fallback +=
        note(fmt::format("{} documents are shown, drawn at random; with scripts enabled, the map "
                         "shows all documents and can be zoomed.",
                         format_count(kStaticDocuments)));
  }
  const Html stage = element("div", {{"class", "stage"}, {"id", "documents"}}, fallback);
  return element(
      "figure", {{"class", "document-map"}},
      element("figcaption", caption) +
          element(
              "div", {{"class", "map-frame"}},
              stage + element("div", {{"class", "map-side"}},
                              by_class ? class_legend(documents, classes)
                                       : element("ul", {{"class", "kinds"}, {"id", "kinds"}}))));
}

}  // namespace trellis::report
