#include "trellis/tasks/factors/factors_scores.h"
#include "trellis/base/share.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace trellis::factors {
double VariableCounts::accuracy() const {
  return 100 * share(right, total, 1);
}

void VariableCounts::add(const VariableCounts& more) {
  total += more.total;
  right += more.right;
}

FactorsScores::FactorsScores(const Domains& domains) {
  for (Index d = 0; d < domains.size(); ++d) {
    const Domain& domain = domains[d];
    domains_.push_back({domain.name,
                        {},
                        domain.values,
                        std::vector<VariableCounts>(domain.values.size()),
                        std::vector<Index>(domain.values.size(), 0)});
  }
}

void FactorsScores::add(const GraphRecord& graph, std::span<const std::uint32_t> found) {
  VariableCounts own;
  for (Index v = 0; v < graph.variables.size(); ++v) {
    const std::uint32_t truth = graph.gold[v];
    if (truth == kNoValue) continue;
    const VariableCounts one{1, found[v] == truth ? Index{1} : Index{0}};
    DomainRow& domain = domains_[graph.variables[v].domain];
    domain.all.add(one);
    domain.by_value[truth].add(one);
    ++domain.found[found[v]];
    own.add(one);
  }
  if (own.total == 0) return;
  all_.add(own);
  ++graphs_;
  if (own.right == own.total) ++right_graphs_;
  sum_of_losses_ += share(own.total - own.right, own.total, 0);
}

double FactorsScores::exact() const {
  return 100 * share(right_graphs_, graphs_, 1);
}

double FactorsScores::hamming_loss() const {
  return share(all_.total - all_.right, all_.total, 0);
}

double FactorsScores::mean_hamming_loss() const {
  return graphs_ == 0 ? 0 : sum_of_losses_ / static_cast<double>(graphs_);
}

Value FactorsScores::record() const {
  Value record = Value::record({{"accuracy", all_.accuracy()},
                                {"exact", exact()},
                                {"hamming_loss", hamming_loss()},
                                {"mean_hamming_loss", mean_hamming_loss()},
                                {"graphs", graphs_},
                                {"variables", all_.total},
                                {"right", all_.right},
                                {"per_domain", Value::list()}});
  for (const DomainRow& domain : domains_) {
    if (domain.all.total == 0) continue;
    Value row = Value::record({{"domain", domain.name},
                               {"accuracy", domain.all.accuracy()},
                               {"variables", domain.all.total},
                               {"right", domain.all.right},
                               {"values", Value::list()}});
    for (Index k = 0; k < domain.values.size(); ++k) {
      row["values"].push_back(Value::record({{"value", domain.values[k]},
                                             {"variables", domain.by_value[k].total},
                                             {"right", domain.by_value[k].right},
                                             {"found", domain.found[k]}}));
    }
    record["per_domain"].push_back(std::move(row));
  }
  return record;
}

std::string FactorsScores::to_text() const {
  Index width = 6;
  for (const DomainRow& domain : domains_) {
    width = std::max(width, domain.name.size());
    for (const std::string& value : domain.values) width = std::max(width, value.size() + 2);
  }
  std::string text = fmt::format("{:<{}}  variables   right   found  accuracy\n", "domain", width);
  const auto line = [&](const std::string& name, const VariableCounts& counts, Index found) {
    text += fmt::format("{:<{}}  {:9}  {:6}  {:6}  {:7.2f} %\n", name, width, counts.total,
                        counts.right, found, counts.accuracy());
  };
  for (const DomainRow& domain : domains_) {
    if (domain.all.total == 0) continue;
    line(domain.name, domain.all, domain.all.total);
    for (Index k = 0; k < domain.values.size(); ++k) {
      line("  " + domain.values[k], domain.by_value[k], domain.found[k]);
    }
  }
  text += fmt::format(
      "\n{} graphs, {} variables\naccuracy {:.2f} %  graphs without a mistake {:.2f} %  Hamming "
      "loss {:.4f} (mean of graphs {:.4f})\n",
      graphs_, all_.total, all_.accuracy(), exact(), hamming_loss(), mean_hamming_loss());
  return text;
}

}  // namespace trellis::factors
