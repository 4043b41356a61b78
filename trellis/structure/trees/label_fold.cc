#include "trellis/structure/trees/label_fold.h"

#include <algorithm>
#include <ranges>

#include "trellis/solve/vectors/exact_sum.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// Scores of the parallel arcs of group g.
std::span<const double> labels_of(const DependencyArcs& arcs, Index g, std::span<const double> s) {
  return s.subspan(arcs.group_begin(g), arcs.group_begin(g + 1) - arcs.group_begin(g));
}

}  // namespace

void LabelFold::fold_best(std::span<const double> s, std::vector<double>& folded,
                          std::vector<std::uint32_t>& best) const {
  const Index groups = arcs_->num_groups();
  folded.resize(groups + graph_->num_pairs());
  best.resize(groups);
  for (Index g = 0; g < groups; ++g) {
    const std::span<const double> labels = labels_of(*arcs_, g, s);
    const auto at = std::max_element(labels.begin(), labels.end());
    folded[g] = *at;
    best[g] =
        static_cast<std::uint32_t>(arcs_->group_begin(g) + static_cast<Index>(at - labels.begin()));
  }
  std::ranges::copy(s.subspan(arcs_->size()), folded.begin() + static_cast<std::ptrdiff_t>(groups));
}

void LabelFold::fold_sum(std::span<const double> s, std::vector<double>& folded) const {
  const Index groups = arcs_->num_groups();
  folded.resize(groups + graph_->num_pairs());
  for (Index g = 0; g < groups; ++g) {
    const std::span<const double> labels = labels_of(*arcs_, g, s);
    folded[g] = labels.size() == 1 ? labels[0] : log_sum_exp(labels);
  }
  std::ranges::copy(s.subspan(arcs_->size()), folded.begin() + static_cast<std::ptrdiff_t>(groups));
}

void LabelFold::spread(std::span<const double> s, std::span<const double> folded,
                       std::span<const double> switches, std::span<double> parts) const {
  const Index groups = arcs_->num_groups();
  for (Index g = 0; g < groups; ++g) {
    const Index begin = arcs_->group_begin(g), end = arcs_->group_begin(g + 1);
    if (end - begin == 1) {
      parts[begin] = switches[g];
      continue;
    }
    for (Index p = begin; p < end; ++p) parts[p] = switches[g] * portable_exp(s[p] - folded[g]);
  }
  std::ranges::copy(switches.subspan(groups),
                    parts.begin() + static_cast<std::ptrdiff_t>(arcs_->size()));
}

double LabelFold::label_entropy(std::span<const double> s, std::span<const double> switches) const {
  double entropy = 0;
  for (Index g = 0; g < arcs_->num_groups(); ++g) {
    const std::span<const double> labels = labels_of(*arcs_, g, s);
    if (labels.size() > 1) entropy += switches[g] * softmax_entropy(labels);
  }
  return entropy;
}

void LabelFold::assign(std::span<const std::uint32_t> tree,
                       std::vector<std::uint32_t>& values) const {
  values.assign(arcs_->num_groups(), 0);
  for (Index g = 0; g < values.size(); ++g) {
    const std::uint32_t p = tree[arcs_->modifier(arcs_->group_begin(g)) - 1];
    values[g] = arcs_->group_begin(g) <= p && p < arcs_->group_begin(g + 1) ? 1 : 0;
  }
}

void LabelFold::read_tree(std::span<const std::uint32_t> values,
                          std::span<const std::uint32_t> best,
                          std::vector<std::uint32_t>& tree) const {
  tree.resize(arcs_->words());
  for (Index g = 0; g < values.size(); ++g) {
    if (values[g] == 1) tree[arcs_->modifier(best[g]) - 1] = best[g];
  }
}

void LabelFold::indicator(std::span<const std::uint32_t> tree, std::span<double> z) const {
  const FactorGraphLayout& layout = graph_->layout();
  std::vector<std::uint32_t> values;
  assign(tree, values);
  std::vector<double> folded(layout.num_parts());
  layout.indicator(values, folded);
  std::fill_n(z.begin(), arcs_->size(), 0.0);
  for (const std::uint32_t p : tree) z[p] = 1;
  std::copy(folded.begin() + static_cast<std::ptrdiff_t>(layout.num_states()), folded.end(),
            z.begin() + static_cast<std::ptrdiff_t>(arcs_->size()));
}

double LabelFold::score(std::span<const double> s, std::span<const std::uint32_t> tree) const {
  std::vector<double> z(num_parts());
  indicator(tree, z);
  ExactSum sum;
  for (Index p = 0; p < z.size(); ++p) {
    if (z[p] != 0) sum.add(s[p]);
  }
  return sum.value();
}

LinearProgram LabelFold::unfold(const LinearProgram& folded) const {
  const Index groups = arcs_->num_groups();
  const Index shift = arcs_->size() - groups;
  LinearProgram program;
  program.num_parts = folded.num_parts + shift;
  program.num_variables = folded.num_variables + shift;
  for (const LinearProgram::Row& row : folded.rows) {
    LinearProgram::Row& unfolded = program.rows.emplace_back();
    unfolded.lower = row.lower;
    unfolded.upper = row.upper;
    for (const LinearProgram::Term& term : row.terms) {
      if (term.variable >= groups) {
        unfolded.terms.push_back({term.variable + shift, term.coefficient});
        continue;
      }
      for (Index p = arcs_->group_begin(term.variable); p < arcs_->group_begin(term.variable + 1);
           ++p) {
        unfolded.terms.push_back({p, term.coefficient});
      }
    }
  }
  if (!folded.upper_bounds.empty()) {
    program.upper_bounds.resize(program.num_variables);
    for (Index g = 0; g < groups; ++g) {
      for (Index p = arcs_->group_begin(g); p < arcs_->group_begin(g + 1); ++p) {
        program.upper_bounds[p] = folded.upper_bounds[g];
      }
    }
    std::copy(folded.upper_bounds.begin() + static_cast<std::ptrdiff_t>(groups),
              folded.upper_bounds.end(),
              program.upper_bounds.begin() + static_cast<std::ptrdiff_t>(arcs_->size()));
  }
  return program;
}

}  // namespace trellis
