#include "trellis/formats/shapes/point_file.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::match {
namespace {

// Squares and sums of distances stay finite below this.
constexpr double kLargest = 1e100;

class PointReader {
 public:
  explicit PointReader(InputFile file) : file_(std::move(file)) {}

  PointSet read_points() {
    PointSet set;
    std::unordered_set<std::int64_t> known;
    while (next_line()) {
      if (fields_.size() != 2 && fields_.size() != 3) {
        refuse("expected 'x y' or 'id x y', found", line_);
      }
      if (width_ == 0) width_ = fields_.size();
      if (fields_.size() != width_) {
        refuse(fmt::format("expected {} columns, as in earlier lines, found {}", width_,
                           fields_.size()));
      }
      const std::int64_t id = width_ == 3 ? integer(fields_[0], "a point's id")
                                          : static_cast<std::int64_t>(known.size());
      if (!known.insert(id).second) refuse(fmt::format("the point {} occurs twice", id));
      set.ids.push_back(id);
      set.points.push_back({coordinate(fields_[width_ - 2]), coordinate(fields_[width_ - 1])});
    }
    if (set.points.empty()) throw InputError(file_.name(), 0, "expected points, found none");
    return set;
  }

  Frames read_frames() {
    if (!next_line() || fields_ != std::vector<std::string_view>{"frame", "point", "x", "y"}) {
      throw InputError(file_.name(), file_.line_number(),
                       "expected the header 'frame point x y', separated by tabs");
    }
    Frames frames;
    std::map<std::int64_t, std::unordered_set<std::int64_t>> known;
    while (next_line()) {
      if (fields_.size() != 4) refuse("expected frame, point, x and y, found", line_);
      const std::int64_t frame = integer(fields_[0], "a frame");
      const std::int64_t id = integer(fields_[1], "a point");
      if (!known[frame].insert(id).second) {
        refuse(fmt::format("frame {} has point {} twice", frame, id));
      }
      PointSet& set = frames[frame];
      set.ids.push_back(id);
      set.points.push_back({coordinate(fields_[2]), coordinate(fields_[3])});
    }
    if (frames.empty()) throw InputError(file_.name(), 0, "expected frames, found none");
    return frames;
  }

 private:
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const {
    throw InputError(file_.name(), file_.line_number(), message, token);
  }

  bool next_line() {
    while (file_.read_line(line_)) {
      split_columns(line_, fields_);
      std::erase_if(fields_, [](std::string_view field) { return field.empty(); });
      if (!fields_.empty() && fields_[0].front() != '#') return true;
    }
    return false;
  }

  std::int64_t integer(std::string_view field, const char* what) const {
    const auto value = parse_integer(field);
    if (!value) refuse(fmt::format("expected {}, an integer, found", what), field);
    return *value;
  }

  double coordinate(std::string_view field) const {
    const auto value = parse_double(field);
    if (!value || std::abs(*value) > kLargest) {
      refuse("expected a coordinate, a finite number, found", field);
    }
    return *value;
  }

  InputFile file_;
  std::string_view line_;
  std::vector<std::string_view> fields_;
  Index width_ = 0;
};

}  // namespace

PointSet read_points(InputFile file) {
  return PointReader(std::move(file)).read_points();
}

Frames read_frames(InputFile file) {
  return PointReader(std::move(file)).read_frames();
}

}  // namespace trellis::match
