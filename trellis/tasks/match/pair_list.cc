#include "trellis/tasks/match/pair_list.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/text.h"
#include "trellis/tasks/image/image_file.h"
#include "trellis/tasks/match/contour.h"
#include "trellis/tasks/match/point_file.h"

namespace trellis::match {
namespace {

namespace fs = std::filesystem;
using ShapePointer = std::shared_ptr<const PointSet>;

bool is_picture(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".png" || ending == ".pgm" || ending == ".ppm" || ending == ".pnm";
}

class ShapeReader {
 public:
  explicit ShapeReader(const ContextOptions& options) : options_(options) { options_.validate(); }

  ShapePointer read(const fs::path& folder, const std::string& reference) {
    const std::string key = (folder / reference).string();
    ShapePointer& shape = shapes_[key];
    if (shape != nullptr) return shape;
    PointSet set = make(key);
    set.name = reference;
    shape = std::make_shared<const PointSet>(std::move(set));
    return shape;
  }

 private:
  PointSet make(const std::string& key) {
    const auto hash = key.rfind('#');
    if (hash != std::string::npos) return frame(key.substr(0, hash), key.substr(hash + 1));
    if (is_picture(key)) return picture(key);
    return read_points(InputFile(key));
  }

  PointSet frame(const std::string& path, const std::string& number) {
    auto at = frames_.find(path);
    if (at == frames_.end()) at = frames_.emplace(path, read_frames(InputFile(path))).first;
    const auto which = parse_integer(number);
    if (!which || at->second.count(*which) == 0) {
      throw InputError(path, 0, "the file has no frame", number);
    }
    return at->second.at(*which);
  }

  PointSet picture(const fs::path& path) const {
    fs::path beside = path;
    beside.replace_extension(".points");
    PointSet points;
    if (fs::exists(beside)) points = read_points(InputFile(beside.string()));
    return silhouette(image::read_image(path.string()), std::move(points), options_, path.string());
  }

  ContextOptions options_;
  std::map<std::string, ShapePointer> shapes_;
  std::map<std::string, Frames> frames_;
};

void read_list(const std::string& path, ShapeReader& shapes, std::vector<ShapePair>& pairs) {
  InputFile file(path);
  const fs::path folder = path == "-" ? fs::path() : fs::path(path).parent_path();
  std::string_view line;
  std::vector<std::string_view> fields;
  while (file.read_line(line)) {
    split_columns(line, fields);
    std::erase_if(fields, [](std::string_view field) { return field.empty(); });
    if (fields.empty() || fields[0].front() == '#') continue;
    if (fields.size() != 2) {
      throw InputError(file.name(), file.line_number(), "expected two shapes, found", line);
    }
    const std::string left(fields[0]);
    const std::string right(fields[1]);
    pairs.push_back({left + " " + right, file.name(), file.line_number(), shapes.read(folder, left),
                     shapes.read(folder, right)});
  }
}

}  // namespace

std::vector<ShapePair> read_pair_lists(std::span<const std::string> lists,
                                       const ContextOptions& options) {
  ShapeReader shapes(options);
  std::vector<ShapePair> pairs;
  for (const std::string& list : lists) {
    const Index before = pairs.size();
    read_list(list, shapes, pairs);
    if (pairs.size() == before) throw InputError(list, 0, "there is no pair in the list");
  }
  return pairs;
}

std::vector<ShapePair> read_pairs(std::span<const std::string> shapes,
                                  const ContextOptions& options) {
  if (shapes.size() % 2 != 0) throw UsageError("a pair has two shapes");
  ShapeReader reader(options);
  std::vector<ShapePair> pairs;
  for (Index k = 0; k < shapes.size(); k += 2) {
    pairs.push_back({shapes[k] + " " + shapes[k + 1], "", 0, reader.read("", shapes[k]),
                     reader.read("", shapes[k + 1])});
  }
  return pairs;
}

PointSet silhouette(const image::Raster& raster, PointSet points, const ContextOptions& options,
                    const std::string& name) {
  const std::vector<Point> contour = trace_contour(figure_of(raster));
  if (contour.empty()) throw InputError(name, 0, "the picture has one colour, and no outline");
  points.outline = sample_contour(contour, options.outline);
  if (points.points.empty()) {
    points.points = sample_contour(contour, options.points);
    for (Index k = 0; k < points.points.size(); ++k) {
      points.ids.push_back(static_cast<std::int64_t>(k));
    }
    points.identified = false;
  }
  return points;
}

}  // namespace trellis::match
