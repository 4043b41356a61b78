#include "trellis/problem/ranking_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {

RankingModel::RankingModel(const FeatureRows& rows, RankedLists lists, std::vector<double> gains,
                           std::vector<double> discounts)
    : rows_(&rows),
      lists_(std::move(lists)),
      gains_(std::move(gains)),
      discounts_(std::move(discounts)) {
  require_fit();
  Index longest = 0;
  inverse_ideal_.reserve(lists_.size());
  for (Index i = 0; i < lists_.size(); ++i) {
    const auto documents = lists_[i];
    longest = std::max(longest, documents.size());
    double ideal = 0;
    for (Index k = 0; k < documents.size(); ++k) ideal += gains_[documents[k]] * discounts_[k];
    inverse_ideal_.push_back(ideal > 0 ? 1 / ideal : 0);
  }
  identities_.resize(longest + 1);
  for (Index m = 0; m <= longest; ++m) {
    identities_[m].resize(m);
    std::iota(identities_[m].begin(), identities_[m].end(), Label{0});
  }
}

void RankingModel::require_fit() const {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw UsageError(fmt::format("ranked lists do not fit: {}", what));
  };
  require(gains_.size() == rows_->num_rows(), "expected one gain for each document");
  require(lists_.positions.size() == lists_.size(), "expected one c for each list");
  require(std::is_sorted(discounts_.begin(), discounts_.end(), std::greater<>()), "discounts rise");
  for (const std::vector<double>& c : lists_.c) {
    require(std::is_sorted(c.begin(), c.end(), std::greater<>()), "c rises");
  }
  for (Index i = 0; i < lists_.size(); ++i) {
    require(lists_.begin[i] < lists_.begin[i + 1] && lists_.begin[i + 1] <= lists_.documents.size(),
            "a list without documents");
    const auto documents = lists_[i];
    require(documents.size() <= discounts_.size(), "a list longer than the discounts");
    require(lists_.positions[i] < lists_.c.size() && c(i).size() == documents.size(),
            "a list whose c has another length");
    for (Index k = 0; k < documents.size(); ++k) {
      require(documents[k] < gains_.size(), "a document without features");
      require(gains_[documents[k]] >= 0, "a negative gain");
      require(k == 0 || gains_[documents[k - 1]] >= gains_[documents[k]],
              "a list that does not begin with its best document");
    }
  }
}

double RankingModel::document_score(std::uint32_t row, std::span<const double> w) const {
  double sum = 0;
  rows_->for_each(row, [&](Index k, double x) { sum += x * w[k]; });
  return sum;
}

void RankingModel::scores(Index i, std::span<const double> w, std::span<double> s) const {
  const auto documents = lists_[i];
  const std::span<const double> positions = c(i);
  const Index m = documents.size();
  for (Index k = 0; k < m; ++k) {
    const double score = document_score(documents[k], w);
    for (Index j = 0; j < m; ++j) s[k * m + j] = positions[j] * score;
  }
}

void RankingModel::add_costs(Index i, double scale, std::span<double> s) const {
  const auto documents = lists_[i];
  const Index m = documents.size();
  for (Index k = 0; k < m; ++k) {
    const double gain = scale * gains_[documents[k]] * inverse_ideal_[i];
    for (Index j = 0; j < m; ++j) s[k * m + j] -= gain * discounts_[j];
  }
}

double RankingModel::factor(Index i, Index k, std::span<const double> z) const {
  const std::span<const double> positions = c(i);
  const Index m = positions.size();
  double sum = 0;
  for (Index j = 0; j < m; ++j) sum += positions[j] * z[k * m + j];
  return sum;
}

void RankingModel::add_features(Index i, std::span<const double> z, double scale,
                                std::span<double> gradient) const {
  const auto documents = lists_[i];
  for (Index k = 0; k < documents.size(); ++k) {
    const double a = scale * factor(i, k, z);
    if (a == 0) continue;
    rows_->for_each(documents[k], [&](Index f, double x) { gradient[f] += a * x; });
  }
}

void RankingModel::features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                            SparseVector& slope) const {
  const auto documents = lists_[i];
  slope.clear();
  if (rows_->is_dense()) {
    add_features(i, z, scale, slope.append(0, rows_->width()));
    return;
  }
  std::vector<double>& factors = workspace.factors;
  std::vector<std::uint32_t>& distinct = workspace.distinct;
  factors.resize(documents.size());
  distinct.clear();
  for (Index k = 0; k < documents.size(); ++k) {
    factors[k] = scale * factor(i, k, z);
    if (factors[k] == 0) continue;
    const auto ids = rows_->ids(documents[k]);
    distinct.insert(distinct.end(), ids.begin(), ids.end());
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const std::uint32_t f : distinct) slope.append(f, 1);
  for (Index k = 0; k < documents.size(); ++k) {
    if (factors[k] == 0) continue;
    const auto ids = rows_->ids(documents[k]);
    const auto values = rows_->values(documents[k]);
    auto at = distinct.begin();
    for (Index f = 0; f < ids.size(); ++f) {
      at = std::lower_bound(at, distinct.end(), ids[f]);
      const auto run = slope.runs()[static_cast<Index>(at - distinct.begin())];
      slope.values(run)[0] += factors[k] * static_cast<double>(values[f]);
    }
  }
}

}  // namespace trellis
