// Documents as points in a plane, coloured by class or by their largest topic.
//
// Without a script the map is a picture of at most kStaticDocuments documents; the script of
// document_map_script.h replaces it by a canvas.
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
  topics::Point place;  // result of topics::tsne
  Label label = kNoLabel;
  Index topic = 0;    // the largest one
  std::string title;  // if empty: its number from 1
};

inline constexpr Index kStaticDocuments = 4000;

// Integers from 0 to kMapUnits on both axes, with one scale: the resolution of a screen at
// eightfold magnification.
inline constexpr int kMapUnits = 8191;
struct MapPlace {
  int x = 0, y = 0;
};
std::vector<MapPlace> map_places(std::span<const ReportedDocument> documents);

// `classes` may be empty; then topics have colours. `in_all`: the number of documents from which
// these were drawn; 0: these are all.
Html document_map(std::span<const ReportedDocument> documents, std::span<const std::string> classes,
                  Index in_all = 0);

}  // namespace trellis::report
