#include "trellis/tasks/tag/model/kernel_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/solve/vectors/row_kernels.h"

namespace trellis::tag {
namespace {

// Vectors of training positions, and their features: two matrices of doubles at the worst moment.
constexpr double kMostDoubles = 1.0e9;

[[noreturn]] void refuse_kernel(std::string_view text) {
  throw UsageError(fmt::format(
      "unknown kernel '{}': expected linear, poly:DEGREE, poly:DEGREE:OFFSET or rbf:GAMMA", text));
}

double number(std::string_view field, std::string_view text) {
  const std::optional<double> value = parse_double(field);
  if (!value || !std::isfinite(*value)) refuse_kernel(text);
  return *value;
}

// The attributes of all positions as a matrix, row by row.
std::vector<float> vectors(const AttributeStore& store, Index width) {
  std::vector<float> x(store.num_positions() * width, 0.0F);
  Index position = 0;
  for (Index i = 0; i < store.num_examples(); ++i) {
    const PositionAttributes at = store.attributes(i);
    for (Index t = 0; t + 1 < at.begin.size(); ++t, ++position) {
      const std::span<float> row = std::span(x).subspan(position * width, width);
      for (Index k = at.begin[t] - at.begin[0]; k < at.begin[t + 1] - at.begin[0]; ++k) {
        row[at.attribute(k)] += static_cast<float>(at.value(k));
      }
      scale_to_unit_length(row);
    }
  }
  return x;
}

AttributeStore feature_store(const AttributeStore& positions, const KernelMap& map) {
  AttributeStore store;
  std::vector<std::uint32_t> begin;
  std::vector<AttributeId> ids;
  std::vector<float> values;
  Index position = 0;
  for (Index i = 0; i < positions.num_examples(); ++i) {
    const Index length = positions.attributes(i).begin.size() - 1;
    begin.assign(1, 0);
    ids.clear();
    values.clear();
    for (Index t = 0; t < length; ++t, ++position) {
      const std::span<const double> phi = map.features(position);
      for (Index p = 0; p < phi.size(); ++p) {
        if (phi[p] == 0) continue;
        ids.push_back(static_cast<AttributeId>(p));
        values.push_back(static_cast<float>(phi[p]));
      }
      begin.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    store.add(begin, ids, values);
  }
  return store;
}

}  // namespace

Kernel parse_kernel(std::string_view text) {
  std::vector<std::string_view> fields;
  split(text, ':', fields);
  Kernel kernel;
  if (fields[0] == "linear" && fields.size() == 1) {
    kernel.kind = KernelKind::kLinear;
  } else if (fields[0] == "poly" && (fields.size() == 2 || fields.size() == 3)) {
    kernel.kind = KernelKind::kPolynomial;
    const double degree = number(fields[1], text);
    if (degree != std::floor(degree) || degree < 1 || degree > 20) refuse_kernel(text);
    kernel.degree = static_cast<int>(degree);
    const double offset = fields.size() == 3 ? number(fields[2], text) : 1.0;
    if (!(offset >= 0)) refuse_kernel(text);
    kernel.scale = 1 / (1 + offset);
    kernel.offset = offset / (1 + offset);
  } else if (fields[0] == "rbf" && fields.size() == 2) {
    kernel.kind = KernelKind::kRbf;
    kernel.gamma = number(fields[1], text);
  } else {
    refuse_kernel(text);
  }
  kernel.validate();
  return kernel;
}

std::string to_string(const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::kLinear:
      return "linear";
    case KernelKind::kPolynomial:
      return fmt::format("poly:{}:{}", kernel.degree, kernel.offset / kernel.scale);
    case KernelKind::kRbf:
      return fmt::format("rbf:{}", kernel.gamma);
  }
  return "";
}

void scale_to_unit_length(std::span<float> x) {
  double squares = 0;
  for (const float value : x) squares += static_cast<double>(value) * value;
  if (squares == 0) return;
  const double scale = 1 / std::sqrt(squares);
  for (float& value : x) value = static_cast<float>(value * scale);
}

KernelExpansion::KernelExpansion(const Kernel& kernel, std::span<const float> pivots, Index width)
    : kernel_(kernel),
      width_(width),
      transposed_(pivots.size()),
      norms_(width == 0 ? 0 : pivots.size() / width, 0.0) {
  for (Index p = 0; p < norms_.size(); ++p) {
    for (Index d = 0; d < width; ++d) {
      const double value = pivots[p * width + d];
      transposed_[d * norms_.size() + p] = value;
      norms_[p] += value * value;
    }
  }
}

void KernelExpansion::expand(std::span<const Entry> x, double unknown,
                             std::span<float> values) const {
  // Entries of one dimension are merged, for the length of x.
  std::vector<Entry> merged(x.begin(), x.end());
  std::sort(merged.begin(), merged.end(),
            [](const Entry& a, const Entry& b) { return a.dimension < b.dimension; });
  double squares = unknown;
  std::vector<double> products(num_pivots(), 0.0);
  RowBatch batch;
  const auto flush = [&] {
    add_rows(batch, products.data(), products.size());
    batch.size = 0;
  };
  for (Index k = 0; k < merged.size();) {
    double value = 0;
    const Index dimension = merged[k].dimension;
    for (; k < merged.size() && merged[k].dimension == dimension; ++k) value += merged[k].value;
    squares += value * value;
    batch.rows[batch.size] = transposed_.data() + dimension * num_pivots();
    batch.values[batch.size++] = value;
    if (batch.size == kRowBatch) flush();
  }
  if (batch.size > 0) flush();
  const double scale = squares > 0 ? 1 / std::sqrt(squares) : 0.0;
  const double norm = squares > 0 ? 1.0 : 0.0;
  for (Index p = 0; p < products.size(); ++p) {
    values[p] = static_cast<float>(kernel_.of_products(scale * products[p], norm, norms_[p]));
  }
}

KernelTraining::KernelTraining(const Kernel& kernel, Index max_rank, Index num_attributes,
                               int threads, AttributeStore& store) {
  const double positions = static_cast<double>(store.num_positions());
  const double rank = max_rank > 0 ? static_cast<double>(max_rank) : positions;
  if (positions * static_cast<double>(num_attributes) + positions * rank > kMostDoubles) {
    throw UsageError(
        fmt::format("a kernel over {} positions with {} attributes needs matrices of more than {} "
                    "GB: limit the "
                    "pivots (--kernel-rank), or use fewer attributes or sequences",
                    store.num_positions(), num_attributes, kMostDoubles * 8 / 1e9));
  }
  std::vector<AttributeId> same(num_attributes);
  for (Index a = 0; a < num_attributes; ++a) same[a] = static_cast<AttributeId>(a);
  store.finish(same, num_attributes);
  KernelMapOptions options;
  options.max_rank = max_rank;
  options.threads = threads;
  map_ =
      std::make_unique<KernelMap>(kernel, vectors(store, num_attributes), num_attributes, options);
  expansion_ = KernelExpansion(kernel, map_->pivot_vectors(), num_attributes);
  store = feature_store(store, *map_);
}

void KernelTraining::to_pivot_weights(std::span<double> w, std::span<const AttributeId> row_of,
                                      Index num_labels) const {
  std::vector<double> table(num_pivots() * num_labels);
  const auto row = [&](Index p) { return w.subspan(row_of[p] * num_labels, num_labels); };
  const auto place = [&](Index p) {
    return table.begin() + static_cast<std::ptrdiff_t>(p * num_labels);
  };
  for (Index p = 0; p < num_pivots(); ++p) std::copy(row(p).begin(), row(p).end(), place(p));
  map_->to_coefficients(table, num_labels);
  for (Index p = 0; p < num_pivots(); ++p) {
    std::copy_n(place(p), num_labels, row(p).begin());
  }
}

std::uint64_t pivot_fingerprint(Index p) {
  return fingerprint(pivot_name(p));
}

std::string pivot_name(Index p) {
  return fmt::format("pivot {}", p);
}

}  // namespace trellis::tag
