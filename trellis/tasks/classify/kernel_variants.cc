#include "trellis/tasks/classify/kernel_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "trellis/tasks/kernel_pivots.h"

namespace trellis::classify {
namespace {

constexpr Index kMaxDocuments = 5000;
constexpr Index kMaxFeatures = 300;
constexpr Index kFilled = 10;  // dense: at least one non-zero value in this many
// Number of documents for the distances.
constexpr Index kSample = 200;

bool dense(const ClassifyData& data) {
  const Index documents = data.documents.size();
  const Index bias = data.bias == kNoAttribute ? 0 : 1;
  const Index features = data.vocabulary.size() - bias;
  if (documents > kMaxDocuments || features > kMaxFeatures || features == 0) return false;
  return kFilled * (data.documents.ids.size() - bias * documents) >= documents * features;
}

// The bias cancels out.
double squared_distance(const Documents& documents, Index i, Index j) {
  const auto x_ids = documents.attributes(i);
  const auto y_ids = documents.attributes(j);
  const auto x = documents.of(i);
  const auto y = documents.of(j);
  double sum = 0;
  Index k = 0;
  Index l = 0;
  while (k < x_ids.size() || l < y_ids.size()) {
    const bool in_x = k < x_ids.size() && (l == y_ids.size() || x_ids[k] <= y_ids[l]);
    const bool in_y = l < y_ids.size() && (k == x_ids.size() || y_ids[l] <= x_ids[k]);
    double difference = 0;
    if (in_x) difference += static_cast<double>(x[k++]);
    if (in_y) difference -= static_cast<double>(y[l++]);
    sum += difference * difference;
  }
  return sum;
}

// Over documents at equal distances in the file.
double median_squared_distance(const Documents& documents) {
  const Index size = std::min(kSample, documents.size());
  std::vector<double> distances;
  for (Index a = 0; a < size; ++a) {
    for (Index b = a + 1; b < size; ++b) {
      distances.push_back(
          squared_distance(documents, a * documents.size() / size, b * documents.size() / size));
    }
  }
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

}  // namespace

std::vector<KernelVariant> kernel_variants(const ClassifyData& data) {
  std::vector<KernelVariant> variants = {{"linear", std::nullopt}};
  const double median = dense(data) ? median_squared_distance(data.documents) : 0;
  if (!(median > 0)) return variants;
  for (const double factor : {0.5, 2.0, 8.0}) {
    // Few digits, so that the name contains the exact value.
    const Kernel kernel = parse_kernel(fmt::format("rbf:{:.3g}", factor / median));
    variants.push_back({to_string(kernel), kernel, {1, 10}});
  }
  return variants;
}

}  // namespace trellis::classify
