#include "trellis/tasks/parse/model/arc_model.h"

#include <algorithm>

namespace trellis::parse {
namespace {

// A vector over labels on the stack, of which only the first ones are used.
struct LabelVector {
  double at[kMostLabels];

  void clear(Index num_labels) { std::fill_n(at, num_labels, 0.0); }
};

// visit(arc, h, m, first part, last part) for each arc, in order.
template <class Visit>
void each_arc(const DependencyArcs& parts, const Visit& visit) {
  for (Index g = 0; g < parts.num_groups(); ++g) {
    const Index first = parts.group_begin(g);
    visit(g, Index{parts.head(first)}, Index{parts.modifier(first)}, first,
          parts.group_begin(g + 1));
  }
}

constexpr std::uint32_t kUntouched = ~std::uint32_t{0};

bool any_taken(std::span<const double> z, Index first, Index last) {
  return std::any_of(z.begin() + static_cast<std::ptrdiff_t>(first),
                     z.begin() + static_cast<std::ptrdiff_t>(last),
                     [](double taken) { return taken != 0; });
}

Index place_of(Index word, Index head, Index modifier) {
  return kDirections * word + static_cast<Index>(direction_of_arc(head, modifier));
}

}  // namespace

void ArcWeights::scores(const ArcExample& example, std::span<const double> w,
                        std::span<double> s) const {
  LabelVector sums, of_modifier;
  const auto add = [&](std::span<const std::uint32_t> local, double* at) {
    for (const std::uint32_t number : local) {
      const std::uint32_t row = example.rows[number];
      const auto targets = numbers_->targets(row);
      const double* weights = w.data() + numbers_->row_begin(row);
      for (Index k = 0; k < targets.size(); ++k) at[targets[k]] += weights[k];
    }
  };
  Index modifier_place = ~Index{0};
  each_arc(example.arcs.parts, [&](Index g, Index h, Index m, Index first, Index last) {
    const Index place = place_of(m - 1, h, m);
    if (place != modifier_place) {
      modifier_place = place;
      of_modifier.clear(num_labels_);
      add(example.of_modifier[place], of_modifier.at);
    }
    double of_arc = 0;
    for (const std::uint32_t number : example.of_arc[g]) of_arc += w[example.features[number]];
    std::copy_n(of_modifier.at, num_labels_, sums.at);
    add(example.of_pair[g], sums.at);
    add(example.of_head[place_of(h, h, m)], sums.at);
    for (Index p = first; p < last; ++p) s[p] = of_arc + sums.at[example.arcs.labels[p]];
  });
}

void ArcWeights::add_features(const ArcExample& example, std::span<const double> z, double scale,
                              std::span<double> gradient) const {
  LabelVector of_labels;
  const auto add = [&](std::span<const std::uint32_t> local) {
    for (const std::uint32_t number : local) {
      const std::uint32_t row = example.rows[number];
      const auto targets = numbers_->targets(row);
      double* weights = gradient.data() + numbers_->row_begin(row);
      for (Index k = 0; k < targets.size(); ++k) weights[k] += of_labels.at[targets[k]];
    }
  };
  of_labels.clear(num_labels_);
  each_arc(example.arcs.parts, [&](Index g, Index h, Index m, Index first, Index last) {
    if (!any_taken(z, first, last)) return;
    double of_arc = 0;
    for (Index p = first; p < last; ++p) {
      of_labels.at[example.arcs.labels[p]] = scale * z[p];
      of_arc += scale * z[p];
    }
    for (const std::uint32_t number : example.of_arc[g]) {
      gradient[example.features[number]] += of_arc;
    }
    add(example.of_pair[g]);
    add(example.of_modifier[place_of(m - 1, h, m)]);
    add(example.of_head[place_of(h, h, m)]);
    for (Index p = first; p < last; ++p) of_labels.at[example.arcs.labels[p]] = 0;
  });
}

// The slope has the features of arcs with z ≠ 0 alone (of a hinge these are few), a run for each
// stretch of consecutive weights and for each row.
void ArcWeights::write_runs(const ArcExample& example, std::span<const double> z,
                            Workspace& workspace, SparseVector& slope) const {
  workspace.features.assign(example.features.size(), kUntouched);
  workspace.rows.assign(example.rows.size(), kUntouched);
  const auto touch = [](std::span<const std::uint32_t> local, std::vector<std::uint32_t>& places) {
    for (const std::uint32_t number : local) places[number] = 0;
  };
  each_arc(example.arcs.parts, [&](Index g, Index h, Index m, Index first, Index last) {
    if (!any_taken(z, first, last)) return;
    touch(example.of_arc[g], workspace.features);
    touch(example.of_pair[g], workspace.rows);
    touch(example.of_modifier[place_of(m - 1, h, m)], workspace.rows);
    touch(example.of_head[place_of(h, h, m)], workspace.rows);
  });
  slope.clear();
  const auto next = [&] { return static_cast<std::uint32_t>(slope.num_stored()); };
  for (Index k = 0; k < example.features.size();) {
    if (workspace.features[k] == kUntouched) {
      ++k;
      continue;
    }
    const std::uint32_t begin = example.features[k];
    const std::uint32_t place = next();
    Index size = 0;
    while (k < example.features.size() && workspace.features[k] != kUntouched &&
           example.features[k] == begin + size) {
      workspace.features[k++] = place + static_cast<std::uint32_t>(size++);
    }
    slope.append(begin, size);
  }
  for (Index k = 0; k < example.rows.size(); ++k) {
    if (workspace.rows[k] == kUntouched) continue;
    workspace.rows[k] = next();
    slope.append(numbers_->row_begin(example.rows[k]), numbers_->targets(example.rows[k]).size());
  }
}

void ArcWeights::features(const ArcExample& example, std::span<const double> z, double scale,
                          Workspace& workspace, SparseVector& slope) const {
  write_runs(example, z, workspace, slope);
  if (slope.empty()) return;
  double* values = slope.values(slope.runs().front()).data();
  LabelVector of_labels, of_modifier;
  const auto add = [&](std::span<const std::uint32_t> local, const double* labels) {
    for (const std::uint32_t number : local) {
      const auto targets = numbers_->targets(example.rows[number]);
      double* into = values + workspace.rows[number];
      for (Index k = 0; k < targets.size(); ++k) into[k] += labels[targets[k]];
    }
  };
  // What the arcs of one modifier from one direction have in common is added once.
  Index modifier_place = ~Index{0};
  bool pending = false;
  const auto flush = [&] {
    if (!pending) return;
    add(example.of_modifier[modifier_place], of_modifier.at);
    of_modifier.clear(num_labels_);
    pending = false;
  };
  of_labels.clear(num_labels_);
  of_modifier.clear(num_labels_);
  each_arc(example.arcs.parts, [&](Index g, Index h, Index m, Index first, Index last) {
    const Index place = place_of(m - 1, h, m);
    if (place != modifier_place) {
      flush();
      modifier_place = place;
    }
    if (!any_taken(z, first, last)) return;
    pending = true;
    double of_arc = 0;
    for (Index p = first; p < last; ++p) {
      const double value = scale * z[p];
      of_labels.at[example.arcs.labels[p]] = value;
      of_modifier.at[example.arcs.labels[p]] += value;
      of_arc += value;
    }
    for (const std::uint32_t number : example.of_arc[g]) {
      values[workspace.features[number]] += of_arc;
    }
    add(example.of_pair[g], of_labels.at);
    add(example.of_head[place_of(h, h, m)], of_labels.at);
    for (Index p = first; p < last; ++p) of_labels.at[example.arcs.labels[p]] = 0;
  });
  flush();
}

void ArcWeights::add_costs(const ArcExample& example, double scale, std::span<double> s) {
  const DependencyArcs& parts = example.arcs.parts;
  for (Index m = 1; m <= parts.words(); ++m) {
    const Index gold = example.gold[m - 1];
    for (Index p = parts.begin(m); p < parts.begin(m + 1); ++p) {
      if (parts.head(p) != parts.head(gold)) {
        s[p] += scale;
      } else if (p != gold) {
        s[p] += scale * kLabelCost;
      }
    }
  }
}

}  // namespace trellis::parse
