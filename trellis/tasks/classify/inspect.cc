#include "trellis/tasks/classify/inspect.h"

#include <algorithm>
#include <numeric>

namespace trellis::classify {
namespace {

struct Entry {
  double weight;
  AttributeId feature;
};

// The `top` first of an order in which equals stand by their number.
template <class Before>
std::vector<WeightedFeature> strongest(const ClassifyModel& model, std::vector<Entry> entries,
                                       Index top, const Before& before) {
  std::erase_if(entries, [&](const Entry& e) { return !before(e.weight, 0.0); });
  top = std::min(top, entries.size());
  std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(top),
                    entries.end(), [&](const Entry& a, const Entry& b) {
                      return a.weight != b.weight ? before(a.weight, b.weight)
                                                  : a.feature < b.feature;
                    });
  std::vector<WeightedFeature> list;
  for (Index k = 0; k < top; ++k) {
    list.push_back({std::string(model.feature_name(entries[k].feature)), entries[k].weight});
  }
  return list;
}

}  // namespace

std::vector<LabelFeatures> strongest_features(const ClassifyModel& model, Index top) {
  const Index num_labels = model.labels().size();
  std::vector<double> means(model.num_features());
  for (AttributeId a = 0; a < means.size(); ++a) {
    const auto row = model.row(a);
    means[a] = std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(num_labels);
  }
  std::vector<LabelFeatures> all;
  std::vector<Entry> entries(model.num_features());
  for (Index y = 0; y < num_labels; ++y) {
    for (AttributeId a = 0; a < entries.size(); ++a) entries[a] = {model.row(a)[y] - means[a], a};
    LabelFeatures label;
    label.label = model.labels()[y];
    label.positive = strongest(model, entries, top, [](double a, double b) { return a > b; });
    label.negative = strongest(model, entries, top, [](double a, double b) { return a < b; });
    all.push_back(std::move(label));
  }
  return all;
}

}  // namespace trellis::classify
