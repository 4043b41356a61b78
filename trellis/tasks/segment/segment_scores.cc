#include "trellis/tasks/segment/segment_scores.h"
#include "trellis/base/share.h"

#include <fmt/format.h>

#include <algorithm>

namespace trellis::segment {
double SegmentCounts::pixel_error() const {
  return percent(wrong(), total(), 0);
}

double SegmentCounts::iou() const {
  return percent(both, both + wrong(), 100);
}

double SegmentCounts::mean_iou() const {
  return (iou() + percent(neither, neither + wrong(), 100)) / 2;
}

void SegmentCounts::add(const SegmentCounts& more) {
  both += more.both;
  missed += more.missed;
  spurious += more.spurious;
  neither += more.neither;
}

SegmentCounts compare(std::span<const std::uint8_t> truth, std::span<const std::uint8_t> found) {
  SegmentCounts counts;
  for (Index j = 0; j < truth.size(); ++j) {
    if (truth[j] != 0) {
      ++(found[j] != 0 ? counts.both : counts.missed);
    } else {
      ++(found[j] != 0 ? counts.spurious : counts.neither);
    }
  }
  return counts;
}

void SegmentScores::add(std::string name, const SegmentCounts& counts) {
  overall_.add(counts);
  images_.push_back({std::move(name), counts});
}

double SegmentScores::image_iou() const {
  double sum = 0;
  for (const Image& image : images_) sum += image.counts.iou();
  return images_.empty() ? 0 : sum / static_cast<double>(images_.size());
}

Value SegmentScores::record() const {
  Value record;
  record["pixel_error"] = overall_.pixel_error();
  record["iou"] = overall_.iou();
  record["mean_iou"] = overall_.mean_iou();
  record["image_iou"] = image_iou();
  record["images"] = images_.size();
  record["pixels"] = overall_.total();
  Value list = Value::list();
  for (const Image& image : images_) {
    list.push_back(Value::record({{"name", image.name},
                                  {"pixel_error", image.counts.pixel_error()},
                                  {"iou", image.counts.iou()}}));
  }
  record["per_image"] = std::move(list);
  return record;
}

std::string SegmentScores::to_text(bool per_image) const {
  std::string text;
  if (per_image) {
    Index width = 5;
    for (const Image& image : images_) width = std::max(width, image.name.size());
    text += fmt::format("{:<{}}  pixel error     IoU\n", "image", width);
    for (const Image& image : images_) {
      text += fmt::format("{:<{}}  {:11.2f}  {:6.2f}\n", image.name, width,
                          image.counts.pixel_error(), image.counts.iou());
    }
    text += "\n";
  }
  text += fmt::format(
      "{} images, {} pixels\npixel error {:.2f} %  IoU {:.2f} %  mean IoU {:.2f} %  image IoU "
      "{:.2f} %\n",
      images_.size(), overall_.total(), overall_.pixel_error(), overall_.iou(), overall_.mean_iou(),
      image_iou());
  return text;
}

}  // namespace trellis::segment
