#include "trellis/tasks/kernel_pivots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/solve/vectors/row_kernels.h"

namespace trellis {
namespace {

// Limit on the training vectors plus their features: two matrices of doubles at the peak.
constexpr double kMostDoubles = 1.0e9;

// A dimension that more than one pivot in this many has gets a dense row.
constexpr Index kDenseShare = 4;

// Largest kernel value: far from the largest float, so that no score overflows.
constexpr double kLargestValue = 1e30;

[[noreturn]] void refuse_kernel(std::string_view text) {
  throw UsageError(fmt::format(
      "unknown kernel '{}': expected linear, poly:DEGREE, poly:DEGREE:OFFSET or rbf:GAMMA", text));
}

double number(std::string_view field, std::string_view text) {
  const std::optional<double> value = parse_double(field);
  if (!value || !std::isfinite(*value)) refuse_kernel(text);
  return *value;
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

void SparseRows::add(std::span<const std::uint32_t> row_ids, std::span<const float> row_values) {
  ids.insert(ids.end(), row_ids.begin(), row_ids.end());
  values.insert(values.end(), row_values.begin(), row_values.end());
  begin.push_back(ids.size());
}

void SparseRows::add_dense(std::span<const float> row) {
  for (Index d = 0; d < row.size(); ++d) {
    if (row[d] == 0) continue;
    ids.push_back(static_cast<std::uint32_t>(d));
    values.push_back(row[d]);
  }
  begin.push_back(ids.size());
}

std::vector<float> SparseRows::to_dense() const {
  std::vector<float> dense(size() * width, 0.0F);
  for (Index r = 0; r < size(); ++r) {
    for (Index k = begin[r]; k < begin[r + 1]; ++k) dense[r * width + ids[k]] = values[k];
  }
  return dense;
}

KernelPivots::KernelPivots(const Kernel& kernel, SparseRows pivots)
    : kernel_(kernel),
      rows_(std::move(pivots)),
      begin_(rows_.width + 1, 0),
      dense_row_(rows_.width, kNoRow),
      norms_(rows_.size(), 0.0) {
  for (const std::uint32_t id : rows_.ids) ++begin_[id + 1];
  Index num_dense = 0;
  for (Index d = 0; d < rows_.width; ++d) {
    if (begin_[d + 1] * kDenseShare > size()) {
      begin_[d + 1] = 0;
      dense_row_[d] = num_dense++;
    }
    begin_[d + 1] += begin_[d];
  }
  postings_.resize(begin_.back());
  dense_.assign(num_dense * size(), 0.0);
  std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
  for (Index p = 0; p < size(); ++p) {
    for (Index k = rows_.begin[p]; k < rows_.begin[p + 1]; ++k) {
      const float value = rows_.values[k];
      const std::uint32_t id = rows_.ids[k];
      if (dense_row_[id] != kNoRow) {
        dense_[dense_row_[id] * size() + p] = value;
      } else {
        postings_[next[id]++] = {static_cast<std::uint32_t>(p), value};
      }
      norms_[p] += static_cast<double>(value) * value;
    }
  }
}

void KernelPivots::expand(std::span<const std::uint32_t> ids, std::span<const float> values,
                          double scale, double squared_norm, std::vector<double>& products,
                          std::span<float> out) const {
  products.assign(size(), 0.0);
  RowBatch batch;
  const auto flush = [&] {
    if (batch.size > 0) add_rows(batch, products.data(), size());
    batch.size = 0;
  };
  for (Index k = 0; k < ids.size(); ++k) {
    const double value = values[k];
    if (const Index row = dense_row_[ids[k]]; row != kNoRow) {
      batch.rows[batch.size] = dense_.data() + row * size();
      batch.values[batch.size++] = value;
      if (batch.size == kRowBatch) flush();
      continue;
    }
    flush();  // products are added up in the order of the dimensions
    for (Index j = begin_[ids[k]]; j < begin_[ids[k] + 1]; ++j) {
      products[postings_[j].pivot] += value * static_cast<double>(postings_[j].value);
    }
  }
  flush();
  for (Index p = 0; p < size(); ++p) {
    const double value = kernel_.of_products(scale * products[p], squared_norm, norms_[p]);
    out[p] = static_cast<float>(std::clamp(value, -kLargestValue, kLargestValue));
  }
}

KernelMap map_rows(const Kernel& kernel, const SparseRows& x, const KernelMapOptions& options) {
  const double n = static_cast<double>(x.size());
  const double rank = options.max_rank > 0 ? static_cast<double>(options.max_rank) : n;
  if (n * static_cast<double>(x.width) + n * rank > kMostDoubles) {
    throw UsageError(
        fmt::format("a kernel over {} vectors of {} features requires matrices of more than {} GB: "
                    "limit the pivots (--kernel-rank), or use fewer features or vectors",
                    x.size(), x.width, kMostDoubles * 8 / 1e9));
  }
  return KernelMap(kernel, x.to_dense(), x.width, options);
}

SparseRows choose_rows(const SparseRows& x, std::span<const Index> chosen) {
  SparseRows rows;
  rows.width = x.width;
  for (const Index r : chosen) rows.add(x.ids_of(r), x.values_of(r));
  return rows;
}

void require_kernel_fits(const std::optional<Kernel>& kernel, bool limited, bool implicit,
                         bool l1) {
  if (!kernel && (limited || implicit)) {
    throw UsageError(
        fmt::format("{} requires --kernel", implicit ? "--implicit" : "--kernel-rank"));
  }
  if (implicit && limited) {
    throw UsageError(
        "--implicit cannot be combined with --kernel-rank: it uses all training vectors as pivots");
  }
  if (kernel && l1) {
    throw UsageError(fmt::format(
        "--kernel {} cannot be combined with an L1 penalty, which selects among explicit features",
        to_string(*kernel)));
  }
}

}  // namespace trellis
