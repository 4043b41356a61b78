#include "trellis/problem/kernels/gram_problem.h"

#include <algorithm>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/problem/kernels/kernel_gram.h"
#include "trellis/problem/loss.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// s[y] ← part[y · columns + j]
void read_column(std::span<const double> part, Index columns, Index j, std::span<double> s) {
  for (Index y = 0; y < s.size(); ++y) s[y] = part[y * columns + j];
}

}  // namespace

GramTable::GramTable(const Kernel& kernel, std::span<const float> x, Index width, Index rows,
                     double constant, int threads)
    : rows_(rows) {
  kernel.validate();
  if (width == 0 || x.size() % width != 0 || rows > x.size() / width) {
    throw UsageError("the sizes of a Gram matrix and of its vectors do not fit");
  }
  const GramRows vectors(x, width);
  columns_ = vectors.size();
  values_.resize(rows_ * columns_);
  parallel_for((rows_ + kGramBlock - 1) / kGramBlock, threads, [&](Index block, int) {
    const Index begin = block * kGramBlock;
    const Index end = std::min(begin + kGramBlock, rows_);
    std::vector<double> part((end - begin) * columns_);
    gram_block(kernel, vectors, begin, end, vectors, 0, columns_, part.data(), columns_);
    std::transform(part.begin(), part.end(),
                   values_.begin() + static_cast<std::ptrdiff_t>(begin * columns_),
                   [&](double value) { return static_cast<float>(value + constant); });
  });
}

GramProblem::GramProblem(const GramTable& gram, std::span<const Label> labels,
                         const CostTable& costs, double gamma, std::span<const Index> chosen)
    : gram_(&gram),
      labels_(labels),
      costs_(&costs),
      gamma_(gamma),
      chosen_(chosen.begin(), chosen.end()) {
  Loss{Loss::kInfinity, gamma}.validate();
  if (labels.size() != gram.rows()) throw UsageError("a label problem needs a label for each row");
  if (chosen.empty()) {
    chosen_.resize(gram.rows());
    std::iota(chosen_.begin(), chosen_.end(), Index{0});
  }
}

void GramProblem::add_costs(Index i, std::span<double> s) const {
  axpy(gamma_, costs_->row(labels_[chosen_[i]]), s);
}

void GramProblem::add_costs(Index i, std::span<const std::uint32_t> labels,
                            std::span<double> s) const {
  const std::span<const double> row = costs_->row(labels_[chosen_[i]]);
  for (Index k = 0; k < labels.size(); ++k) s[k] += gamma_ * row[labels[k]];
}

void GramProblem::scores(Index i, std::span<const double> w, std::span<double> s) const {
  gram_scores(w, gram_->columns(), chosen_[i], s);
}

void GramProblem::scores(Index i, std::span<const double> w, std::span<const std::uint32_t> labels,
                         std::span<double> s) const {
  const std::span<const double> f = w.last(w.size() / 2);
  for (Index k = 0; k < labels.size(); ++k) s[k] = f[labels[k] * gram_->columns() + chosen_[i]];
}

bool GramProblem::coefficients(Index i, std::span<const double> w, std::span<double> beta) const {
  gram_coefficients(w, gram_->columns(), chosen_[i], beta);
  return true;
}

void GramProblem::add_to_label(Index row, Index label, double delta, std::span<double> w) const {
  if (delta == 0) return;
  const Index columns = gram_->columns();
  w[label * columns + row] += delta;
  axpy(delta, gram_->row(row), w.last(w.size() / 2).subspan(label * columns, columns));
}

void GramProblem::add(Index i, std::span<const std::uint32_t> labels,
                      std::span<const double> deltas, std::span<double> w) const {
  for (Index k = 0; k < labels.size(); ++k) add_to_label(chosen_[i], labels[k], deltas[k], w);
}

void GramProblem::add(Index i, std::span<const double> deltas, std::span<double> w) const {
  for (Index y = 0; y < deltas.size(); ++y) add_to_label(chosen_[i], y, deltas[y], w);
}

void gram_scores(std::span<const double> w, Index columns, Index j, std::span<double> s) {
  read_column(w.last(w.size() / 2), columns, j, s);
}

void gram_coefficients(std::span<const double> w, Index columns, Index j, std::span<double> beta) {
  read_column(w.first(w.size() / 2), columns, j, beta);
}

}  // namespace trellis
