#include "trellis/tasks/factors/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <utility>

#include "trellis/solve/factors/map_search.h"
#include "trellis/tasks/factors/feature_map.h"

namespace trellis::factors {
namespace {

class Explainer {
 public:
  Explainer(const FactorsModel& model, const GraphRecord& graph, const Decoded& best,
            Index search_limit)
      : model_(model),
        graph_(graph),
        values_(best.values),
        proven_(best.gap <= 0),
        search_limit_(search_limit),
        found_(graph.layout.num_parts()),
        other_(graph.layout.num_parts()),
        scores_(graph.layout.num_parts()) {
    graph_.layout.indicator(values_, found_);
    part_scores(graph.rows, model.weights(), scores_);
    best_ = graph_.layout.score(scores_, values_);
  }

  VariableExplanation explain(Index v) {
    VariableExplanation told;
    told.variable = v;
    told.value = values_[v];
    std::uint32_t nearest = kNoValue;  // over all values, allowed or not
    for (std::uint32_t k = 0; k < graph_.layout.num_values(v); ++k) {
      if (k == told.value) continue;
      told.others.push_back(compare(v, k));
      const auto better = [&](std::uint32_t than) {
        return than == kNoValue || told.others.back().difference < difference(told, than);
      };
      if (better(nearest)) nearest = k;
      if (told.others.back().forbidden_by == 0 && better(told.rival)) told.rival = k;
    }
    told.contributions = contributions(v, told.rival != kNoValue ? told.rival : nearest);
    return told;
  }

 private:
  static double difference(const VariableExplanation& told, std::uint32_t value) {
    return std::ranges::find(told.others, value, &VariableExplanation::Other::value)->difference;
  }

  // Sets other_ to the assignment with another value of v.
  void change(Index v, std::uint32_t value) {
    const std::uint32_t before = std::exchange(values_[v], value);
    graph_.layout.indicator(values_, other_);
    values_[v] = before;
  }

  Index forbidding_line(Index v, std::uint32_t value) {
    const std::uint32_t before = std::exchange(values_[v], value);
    Index line = 0;
    for (Index f = 0; f < graph_.layout.num_factors() && line == 0; ++f) {
      if (!graph_.layout.legal(graph_.layout.factor(f), values_)) line = graph_.factors[f].line;
    }
    values_[v] = before;
    return line;
  }

  // Calls visit(weight, product) for each difference between found_ and other_.
  template <class Visit>
  void each_difference(const Visit& visit) const {
    for (const WeightRow& row : graph_.rows) {
      for (Index k = 0; k < row.size; ++k) {
        const double change = found_[row.part + k] - other_[row.part + k];
        if (change == 0) continue;
        const Index weight = row.weight + (row.tied ? 0 : k);
        visit(weight, change * row.value * model_.weights()[weight]);
      }
    }
  }

  VariableExplanation::Other compare(Index v, std::uint32_t value) {
    change(v, value);
    double sum = 0;
    each_difference([&](Index, double product) { sum += product; });
    const MapResult best = best_with(v, value);
    return {value, sum, forbidding_line(v, value), best_ - best.value, proven_ && best.proven};
  }

  MapResult best_with(Index v, std::uint32_t value) {
    const FactorGraphLayout& layout = graph_.layout;
    Literal literal;
    literal.state = static_cast<std::uint32_t>(layout.state(v, layout.is_switch(v) ? 0 : value));
    literal.negated = layout.is_switch(v) && value == 0;
    return search_.solve(layout, scores_, {&literal, 1}, changed_, {.runs = search_limit_});
  }

  std::vector<Contribution> contributions(Index v, std::uint32_t against) {
    change(v, against);
    std::map<Index, double> products;
    each_difference([&](Index weight, double product) { products[weight] += product; });
    std::vector<Contribution> all;
    for (const auto& [weight, product] : products) {
      if (product != 0) all.push_back({weight, product});
    }
    std::ranges::stable_sort(all, std::ranges::greater{},
                             [](const Contribution& one) { return std::abs(one.product); });
    return all;
  }

  const FactorsModel& model_;
  const GraphRecord& graph_;
  std::vector<std::uint32_t> values_;
  bool proven_;
  Index search_limit_;
  std::vector<double> found_;
  std::vector<double> other_;
  std::vector<double> scores_;
  double best_ = 0;
  MapSearch search_;
  std::vector<std::uint32_t> changed_;
};

const Domain& domain_of(const FactorsModel& model, const GraphRecord& graph, Index v) {
  return model.features().domains()[graph.variables[v].domain];
}

}  // namespace

std::vector<VariableExplanation> explain(const FactorsModel& model, const GraphRecord& graph,
                                         const Decoded& best, Index search_limit) {
  Explainer explainer(model, graph, best, search_limit);
  std::vector<VariableExplanation> told;
  for (Index v = 0; v < best.values.size(); ++v) told.push_back(explainer.explain(v));
  return told;
}

std::string explain_text(const FactorsModel& model, const GraphRecord& graph,
                         std::span<const VariableExplanation> variables, Index top) {
  std::string text;
  for (const VariableExplanation& one : variables) {
    const Domain& domain = domain_of(model, graph, one.variable);
    const std::uint32_t truth = graph.gold[one.variable];
    text += fmt::format("{} {}", graph.variables[one.variable].name, domain.values[one.value]);
    if (truth != kNoValue && truth != one.value) {
      text += fmt::format(" (truly {})", domain.values[truth]);
    }
    text += "\n";
    for (const VariableExplanation::Other& other : one.others) {
      text += fmt::format("  against {}: {:+.4g} with the other variables fixed",
                          domain.values[other.value], other.difference);
      if (other.forbidden_by != 0) text += fmt::format(" (line {} forbids it)", other.forbidden_by);
      if (!std::isinf(other.margin)) {
        text += fmt::format(", {:+.4g} at best", other.margin);
      } else {
        text += other.proven ? ", and no assignment with it is legal"
                             : ", and no assignment with it was found";
      }
      text += other.proven ? "\n" : " (not proven: a search reached --search-limit)\n";
    }
    const Index shown = std::min(top, one.contributions.size());
    for (const Contribution& part : std::span(one.contributions).first(shown)) {
      text += fmt::format("    {:+9.4g}  {}\n", part.product,
                          model.features().weight_name(part.weight));
    }
  }
  return text;
}

Value explain_record(const FactorsModel& model, const GraphRecord& graph,
                     std::span<const VariableExplanation> variables, Index top) {
  Value record = Value::record({{"line", graph.line}, {"variables", Value::list()}});
  for (const VariableExplanation& one : variables) {
    const Domain& domain = domain_of(model, graph, one.variable);
    Value told = Value::record({{"name", graph.variables[one.variable].name},
                                {"value", domain.values[one.value]},
                                {"others", Value::list()},
                                {"contributions", Value::list()}});
    const std::uint32_t truth = graph.gold[one.variable];
    if (truth != kNoValue) told["truth"] = domain.values[truth];
    if (one.rival != kNoValue) told["rival"] = domain.values[one.rival];
    for (const VariableExplanation::Other& other : one.others) {
      Value alternative = Value::record({{"value", domain.values[other.value]},
                                         {"difference", other.difference},
                                         {"margin", other.margin}});
      if (!other.proven) alternative["proven"] = false;
      if (other.forbidden_by != 0) alternative["forbidden_by_line"] = other.forbidden_by;
      told["others"].push_back(std::move(alternative));
    }
    const Index shown = std::min(top, one.contributions.size());
    for (const Contribution& part : std::span(one.contributions).first(shown)) {
      told["contributions"].push_back(Value::record(
          {{"feature", model.features().weight_name(part.weight)}, {"product", part.product}}));
    }
    record["variables"].push_back(std::move(told));
  }
  return record;
}

}  // namespace trellis::factors
