// Any bytes are graphs, points or frames, or an InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/formats/graphs/bipartite_file.h"
#include "trellis/formats/shapes/point_file.h"
#include "trellis/tasks/match/shape_context.h"

namespace {

using namespace trellis;
using namespace trellis::match;

template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto file = [&] { return InputFile::from_bytes(bytes, "fuzz"); };
  GraphFeatures features;
  std::vector<GraphRecord> graphs;
  attempt([&] { read_graphs(file(), features, graphs); });
  features.known = features.frozen = true;
  attempt([&] { read_graphs(file(), features, graphs); });
  attempt([&] {
    const PointSet points = read_points(file());
    if (points.points.size() < 200) shape_contexts(points, {});
  });
  attempt([&] { read_frames(file()); });
  return 0;
}
