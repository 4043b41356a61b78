#include "trellis/topics/disclda/transformation.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

void check_dimensions(Index classes, Index topics, Index components) {
  constexpr Index kMost = Transformation::kMostTopics;
  if (classes < 1 || topics < 1 || components < 1) {
    throw UsageError("a transformation needs a class, a topic and a component at least");
  }
  if (classes > kMost || topics > kMost || components > kMost) {
    throw UsageError("a transformation has at most " + std::to_string(kMost) +
                     " classes, topics and components");
  }
}

Index checked_block_topics(Index classes, Index class_topics, Index shared_topics) {
  constexpr Index kMost = Transformation::kMostTopics;
  if (class_topics > kMost || shared_topics > kMost || classes > kMost) {
    throw UsageError("too many topics for a transformation by blocks");
  }
  const Index topics = classes * class_topics + shared_topics;
  check_dimensions(classes, topics, class_topics + shared_topics);
  return topics;
}

}  // namespace

Transformation::Transformation(Index classes, Index topics, Index components,
                               std::span<const double> shares)
    : Transformation(classes, topics, components) {
  check_dimensions(classes, topics, components);
  if (shares.size() != num_shares()) throw UsageError("a transformation of another size");
  for (Index column = 0; column < classes * components; ++column) {
    double sum = 0;
    for (std::uint32_t k = 0; k < topics; ++k) {
      const double share = shares[column * topics + k];
      if (!std::isfinite(share) || share < 0) {
        throw UsageError("a transformation's shares are at least 0 and finite");
      }
      sum += share;
      if (share > 0) columns_.push_back({k, 0, share});
    }
    if (!(std::abs(sum - 1) <= 1e-9)) throw UsageError("a transformation's columns sum to 1");
    column_begin_.push_back(columns_.size());
  }
  index();
}

Transformation Transformation::blocks(Index classes, Index class_topics, Index shared_topics) {
  const Index topics = checked_block_topics(classes, class_topics, shared_topics);
  Transformation made(classes, topics, class_topics + shared_topics);
  for (Index y = 0; y < classes; ++y) {
    for (Index l = 0; l < made.num_components_; ++l) {
      const Index k =
          l < class_topics ? y * class_topics + l : classes * class_topics + (l - class_topics);
      made.columns_.push_back({static_cast<std::uint32_t>(k), 0, 1});
      made.column_begin_.push_back(made.columns_.size());
    }
  }
  made.index();
  return made;
}

void Transformation::index() {
  index_topics();
  index_rows();
  if (columns_.size() == num_shares()) fill_dense();
}

// Which topics each class has, in what runs, and where its columns find them.
void Transformation::index_topics() {
  std::vector<char> has(num_topics_, 0), begins(num_topics_, 0);
  const auto look_at = [&](Index y) {
    std::fill(has.begin(), has.end(), 0);
    for (Index l = 0; l < num_components_; ++l) {
      for (const ColumnEntry& entry : column(y, l)) has[entry.topic] = 1;
    }
  };
  for (Index y = 0; y < num_classes_; ++y) {
    look_at(y);
    for (Index k = 1; k < num_topics_; ++k) {
      if (has[k] != has[k - 1]) begins[k] = 1;  // other classes than the topic before it
    }
  }
  std::vector<std::uint32_t> place(num_topics_);
  class_begin_.push_back(0);
  for (Index y = 0; y < num_classes_; ++y) {
    look_at(y);
    std::vector<Run> runs;
    std::uint32_t next = 0;
    for (std::uint32_t k = 0; k < num_topics_; ++k) {
      if (!has[k]) continue;
      if (runs.empty() || begins[k]) runs.push_back({k, next, 0});
      ++runs.back().length;
      place[k] = next++;
      topics_.push_back(k);
    }
    runs_.push_back(std::move(runs));
    class_begin_.push_back(topics_.size());
    for (Index e = column_begin_[y * num_components_]; e < column_begin_[(y + 1) * num_components_];
         ++e) {
      columns_[e].place = place[columns_[e].topic];
    }
  }
}

void Transformation::index_rows() {
  row_begin_.assign(topics_.size() + 1, 0);
  for (Index y = 0; y < num_classes_; ++y) {
    for (Index l = 0; l < num_components_; ++l) {
      for (const ColumnEntry& entry : column(y, l)) ++row_begin_[class_begin_[y] + entry.place + 1];
    }
  }
  for (Index at = 0; at < topics_.size(); ++at) row_begin_[at + 1] += row_begin_[at];
  rows_.resize(columns_.size());
  std::vector<std::uint64_t> next(row_begin_.begin(), row_begin_.end() - 1);
  for (Index y = 0; y < num_classes_; ++y) {
    for (std::uint32_t l = 0; l < num_components_; ++l) {
      for (const ColumnEntry& entry : column(y, l)) {
        rows_[next[class_begin_[y] + entry.place]++] = {l, entry.share};
      }
    }
  }
}

std::vector<double> Transformation::shares() const {
  std::vector<double> shares(num_shares(), 0.0);
  for (Index y = 0; y < num_classes_; ++y) {
    for (Index l = 0; l < num_components_; ++l) {
      for (const ColumnEntry& entry : column(y, l)) {
        shares[(y * num_components_ + l) * num_topics_ + entry.topic] = entry.share;
      }
    }
  }
  return shares;
}

void Transformation::fill_dense() {
  dense_.resize(num_shares());
  for (Index y = 0; y < num_classes_; ++y) {
    for (Index l = 0; l < num_components_; ++l) {
      for (const ColumnEntry& entry : column(y, l)) {
        dense_[(y * num_topics_ + entry.topic) * num_components_ + l] = entry.share;
      }
    }
  }
}

void Transformation::apply(Index y, std::span<const double> x, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (Index l = 0; l < num_components_; ++l) {
    for (const ColumnEntry& entry : column(y, l)) out[entry.topic] += entry.share * x[l];
  }
}

void Transformation::apply_transposed(Index y, std::span<const double> x,
                                      std::span<double> out) const {
  if (!dense_.empty()) {
    const double* row = &dense_[y * num_topics_ * num_components_];
    std::fill(out.begin(), out.end(), 0.0);
    for (Index k = 0; k < num_topics_; ++k, row += num_components_) {
      axpy(x[k], {row, num_components_}, out);
    }
    return;
  }
  for (Index l = 0; l < num_components_; ++l) {
    double sum = 0;
    for (const ColumnEntry& entry : column(y, l)) sum += entry.share * x[entry.topic];
    out[l] = sum;
  }
}

SoftmaxTransformation::SoftmaxTransformation(Index classes, Index topics, Index components,
                                             std::vector<double> parameters)
    : num_classes_(classes),
      num_topics_(topics),
      num_components_(components),
      parameters_(std::move(parameters)) {
  check_dimensions(classes, topics, components);
  if (parameters_.size() != classes * components * topics) {
    throw UsageError("parameters of a transformation of another size");
  }
  for (const double parameter : parameters_) {
    if (!std::isfinite(parameter)) throw UsageError("a transformation's parameters are finite");
  }
}

SoftmaxTransformation SoftmaxTransformation::smoothed_blocks(Index classes, Index class_topics,
                                                             Index shared_topics, double contrast) {
  const Transformation blocks = Transformation::blocks(classes, class_topics, shared_topics);
  std::vector<double> parameters = blocks.shares();
  for (double& parameter : parameters) parameter = contrast * parameter - 2;
  return {classes, blocks.num_topics(), blocks.num_components(), std::move(parameters)};
}

Transformation SoftmaxTransformation::transformation() const {
  std::vector<double> shares(parameters_.size());
  for (Index column = 0; column < num_classes_ * num_components_; ++column) {
    softmax(std::span(parameters_).subspan(column * num_topics_, num_topics_),
            std::span(shares).subspan(column * num_topics_, num_topics_));
  }
  return {num_classes_, num_topics_, num_components_, shares};
}

void SoftmaxTransformation::to_parameters(std::span<double> gradient) const {
  std::vector<double> shares(num_topics_);
  for (Index column = 0; column < num_classes_ * num_components_; ++column) {
    softmax(std::span(parameters_).subspan(column * num_topics_, num_topics_), shares);
    const auto part = gradient.subspan(column * num_topics_, num_topics_);
    const double mean = dot(shares, part);
    for (Index k = 0; k < num_topics_; ++k) part[k] = shares[k] * (part[k] - mean);
  }
}

void SoftmaxTransformation::move(double rate, std::span<const double> direction) {
  if (direction.size() != parameters_.size()) throw UsageError("a direction of another size");
  std::vector<double> moved = parameters_;
  axpy(rate, direction, moved);
  for (const double parameter : moved) {
    if (!std::isfinite(parameter)) throw UsageError("the step is too long: parameters overflow");
  }
  parameters_ = std::move(moved);
}

}  // namespace trellis::topics
