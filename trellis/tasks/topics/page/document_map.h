// Documents as points of a plane, coloured by class or by the topic that they have most of.
//
// Without a script the map is a picture of at most kStaticDocuments of them; the script of
// document_map_script.h puts a canvas in its place.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/pictures/markup/markup.h"
#include "trellis/topics/embedding/point.h"

namespace trellis::report {

struct ReportedDocument {
  topics::Point place;  // as topics::tsne gives it
  Label label = kNoLabel;
  Index topic = 0;    // that it has most of
  std::string title;  // may be empty: its number from 1
};

inline constexpr Index kStaticDocuments = 4000;

// Whole numbers from 0 to kMapUnits on both axes, one scale for both: as fine as a screen shows
// when it is magnified eight times.
inline constexpr int kMapUnits = 8191;
struct MapPlace {
  int x = 0, y = 0;
};
std::vector<MapPlace> map_places(std::span<const ReportedDocument> documents);

// `classes` may be empty; then topics give the colours. `in_all`: how many there are of which these
// are some; 0: they are all.
Html document_map(std::span<const ReportedDocument> documents, std::span<const std::string> classes,
                  Index in_all = 0);

}  // namespace trellis::report
