#include "trellis/tasks/match/pair_list.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/text.h"
#include "trellis/formats/images/image_file.h"
#include "trellis/formats/shapes/point_file.h"
#include "trellis/tasks/match/contour.h"

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
  explicit ShapeReader(const ContextOptions& options, Index kept = PairReader::kAll)
      : options_(options), kept_(kept) {
    options_.validate();
  }

  ShapePointer read(const fs::path& folder, const std::string& reference) {
    const std::string key = (folder / reference).string();
    if (const auto known = shapes_.find(key); known != shapes_.end()) return known->second;
    PointSet set = make(key);
    set.name = reference;
    if (shapes_.size() >= kept_) {
      shapes_.clear();
      frames_.clear();
    }
    return shapes_.emplace(key, std::make_shared<const PointSet>(std::move(set))).first->second;
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
      throw InputError(path, 0, "the file does not have the frame", number);
    }
    return at->second.at(*which);
  }

  PointSet picture(const fs::path& path) const {
    fs::path beside = path;
    beside.replace_extension(".points");
    PointSet points;
    std::error_code unknown;  // e.g. a name that is too long: no such file
    if (fs::exists(beside, unknown)) points = read_points(InputFile(beside.string()));
    return silhouette(image::read_image(path.string()), std::move(points), options_, path.string());
  }

  ContextOptions options_;
  Index kept_;
  std::map<std::string, ShapePointer> shapes_;
  std::map<std::string, Frames> frames_;
};

}  // namespace

class PairReader::Lists {
 public:
  Lists(std::vector<std::string> lists, const ContextOptions& options, Index kept)
      : paths_(std::move(lists)), shapes_(options, kept) {}

  bool read(ShapePair& pair) {
    for (; next_ < paths_.size(); ++next_, file_.reset()) {
      if (!file_) open();
      if (read_line(pair)) return any_ = true;
      if (!any_) throw InputError(paths_[next_], 0, "expected pairs in the list, found none");
    }
    return false;
  }

 private:
  void open() {
    const std::string& path = paths_[next_];
    file_.emplace(path);
    folder_ = path == "-" ? fs::path() : fs::path(path).parent_path();
    any_ = false;
  }

  bool read_line(ShapePair& pair) {
    std::string_view line;
    while (file_->read_line(line)) {
      split_columns(line, fields_);
      std::erase_if(fields_, [](std::string_view field) { return field.empty(); });
      if (fields_.empty() || fields_[0].front() == '#') continue;
      if (fields_.size() != 2) {
        throw InputError(file_->name(), file_->line_number(), "expected two shapes, found", line);
      }
      const std::string left(fields_[0]);
      const std::string right(fields_[1]);
      pair = {fmt::format("{} {}", left, right), file_->name(), file_->line_number(),
              shapes_.read(folder_, left), shapes_.read(folder_, right)};
      return true;
    }
    return false;
  }

  std::vector<std::string> paths_;
  ShapeReader shapes_;
  Index next_ = 0;
  std::optional<InputFile> file_;  // the current one
  fs::path folder_;
  bool any_ = false;  // a pair was read from it
  std::vector<std::string_view> fields_;
};

PairReader::PairReader(std::vector<std::string> lists, const ContextOptions& options, Index kept)
    : lists_(std::make_unique<Lists>(std::move(lists), options, kept)) {}

PairReader::~PairReader() = default;

bool PairReader::read(ShapePair& pair) {
  return lists_->read(pair);
}

std::vector<ShapePair> read_pair_lists(std::vector<std::string> lists,
                                       const ContextOptions& options) {
  PairReader reader(std::move(lists), options, PairReader::kAll);
  std::vector<ShapePair> pairs;
  ShapePair pair;
  while (reader.read(pair)) pairs.push_back(std::move(pair));
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
  if (contour.empty())
    throw InputError(name, 0, "the picture has only one colour: it has no outline");
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
