#include "trellis/tasks/tables/bayes/page/bayes_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/frame/training/page/page_head.h"
#include "trellis/generative/network/dependence.h"
#include "trellis/pictures/charts/bar_table.h"
#include "trellis/pictures/graphs/network_picture.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/sections/confusion_section.h"

namespace trellis::report {
namespace {

constexpr Index kOpenTables = 12;
constexpr Index kMostTables = 60;
constexpr Index kOpenConfusions = 4;
constexpr Index kMostConfusions = 40;
constexpr TableExcerpt kRowsExcerpt = {24, 18};

// By variable, for each parent; NaN if the network is too densely connected to compute it.
using Strengths = std::vector<std::vector<double>>;

Strengths strengths_of(const BayesNetwork& network) {
  try {
    return dependences(network);
  } catch (const UsageError&) {  // its junction tree is too large
    Strengths unknown;
    for (const std::vector<Index>& parents : network.graph().all_parents()) {
      unknown.emplace_back(parents.size(), std::numeric_limits<double>::quiet_NaN());
    }
    return unknown;
  }
}

std::vector<std::vector<Index>> children_of(const NetworkGraph& graph) {
  std::vector<std::vector<Index>> children(graph.num_variables());
  for (Index v = 0; v < graph.num_variables(); ++v) {
    for (const Index u : graph.parents(v)) children[u].push_back(v);
  }
  return children;
}

// Up to kMostVariablesDrawn variables, those nearest to the targets; ascending.
std::vector<Index> drawn_variables(const BayesReport& report) {
  const NetworkGraph& graph = report.network->graph();
  const std::vector<std::vector<Index>> children = children_of(graph);
  std::vector<bool> met(graph.num_variables(), false);
  std::vector<Index> order;
  const auto meet = [&](Index v) {
    if (met[v]) return;
    met[v] = true;
    order.push_back(v);
  };
  for (const Index v : report.targets) meet(v);
  Index next = 0;
  for (Index start = 0; start < graph.num_variables(); ++start) {
    if (next == order.size()) meet(start);
    for (; next < order.size(); ++next) {
      for (const Index u : graph.parents(order[next])) meet(u);
      for (const Index u : children[order[next]]) meet(u);
    }
  }
  order.resize(std::min(order.size(), kMostVariablesDrawn));
  std::sort(order.begin(), order.end());
  return order;
}

bool among(std::span<const Index> rising, Index v) {
  return std::binary_search(rising.begin(), rising.end(), v);
}

std::string nats(double strength) {
  return fmt::format("{} nats", format_significant(strength, 3));
}

// "3 values, a table of 12 rows; depends most on wind (0.31 nats)"
std::string variable_words(const NetworkGraph& graph, const Strengths& strengths, Index v) {
  const Index rows = graph.num_rows(v);
  std::string words = fmt::format("{} values, a table of {} row{}", graph.num_values(v),
                                  format_count(rows), rows == 1 ? "" : "s");
  const std::vector<double>& own = strengths[v];
  const auto most = std::max_element(own.begin(), own.end());
  if (most != own.end() && std::isfinite(*most)) {
    const Index parent = graph.parents(v)[static_cast<Index>(most - own.begin())];
    words += fmt::format("\ndepends most on {}: {}", graph.variable(parent).name, nats(*most));
  }
  return words;
}

NetworkPicture picture_of(const BayesReport& report, const Strengths& strengths,
                          std::span<const Index> drawn) {
  const NetworkGraph& graph = report.network->graph();
  NetworkPicture picture;
  picture.title = fmt::format("The network of {} variables", graph.num_variables());
  picture.strength_name = "mutual information, in nats:";
  for (const Index v : drawn) {
    const VariableRole role = among(report.targets, v)  ? VariableRole::kTarget
                              : among(report.latent, v) ? VariableRole::kHidden
                                                        : VariableRole::kSeen;
    picture.variables.push_back(
        {graph.variable(v).name, role, variable_words(graph, strengths, v)});
  }
  for (Index k = 0; k < drawn.size(); ++k) {
    const std::vector<Index>& parents = graph.parents(drawn[k]);
    for (Index i = 0; i < parents.size(); ++i) {
      const auto at = std::lower_bound(drawn.begin(), drawn.end(), parents[i]);
      if (at == drawn.end() || *at != parents[i]) continue;
      const double strength = strengths[drawn[k]][i];
      std::string words =
          fmt::format("{} → {}", graph.variable(parents[i]).name, graph.variable(drawn[k]).name);
      if (std::isfinite(strength)) words += ": " + nats(strength);
      picture.arrows.push_back({static_cast<Index>(at - drawn.begin()), k, strength, words});
    }
  }
  return picture;
}

void add_network_section(const BayesReport& report, const Strengths& strengths, Page& page) {
  const NetworkGraph& graph = report.network->graph();
  const std::vector<Index> drawn = drawn_variables(report);
  const NetworkPicture picture = picture_of(report, strengths, drawn);
  std::string lead = "Arrows go from parents to children.";
  const bool known =
      std::any_of(picture.arrows.begin(), picture.arrows.end(),
                  [](const PictureArrow& one) { return std::isfinite(one.strength); });
  if (known) {
    lead +=
        " A wide arrow means that a variable depends strongly on that parent, given its other "
        "parents. Point at a variable or an arrow for details.";
  } else if (!picture.arrows.empty()) {
    lead +=
        " The strength of the arrows is not shown: computing it is too expensive for this network.";
  }
  if (drawn.size() < graph.num_variables()) {
    lead += fmt::format(" {} of {} variables are shown, the nearest to the predicted ones.",
                        drawn.size(), format_count(graph.num_variables()));
  }
  page.add_section("Network", lead, network_picture(picture));
}

// The values of a variable's parents, as the heading of a row in its table.
std::string row_name(const NetworkGraph& graph, Index v, Index row) {
  const std::vector<Index>& parents = graph.parents(v);
  std::vector<std::string_view> values(parents.size());
  for (Index i = parents.size(); i-- > 0;) {
    const std::vector<std::string>& names = graph.variable(parents[i]).values;
    values[i] = names[row % names.size()];
    row /= names.size();
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

ProbabilityTable table_of(const BayesNetwork& network, Index v) {
  const NetworkGraph& graph = network.graph();
  ProbabilityTable table;
  std::vector<std::string_view> parents;
  for (const Index u : graph.parents(v)) parents.push_back(graph.variable(u).name);
  table.row_title = fmt::format("{}", fmt::join(parents, ", "));
  table.column_title = graph.variable(v).name;
  table.columns = graph.variable(v).values;
  bool missing = false;
  for (Index row = 0; row < graph.num_rows(v); ++row) {
    const Index i = graph.first_distribution(v) + row;
    table.rows.push_back(parents.empty() ? "always" : row_name(graph, v, row));
    const auto theta =
        network.theta().subspan(graph.distributions().begin(i), graph.distributions().size(i));
    for (const double log_p : theta) table.probabilities.push_back(std::exp(log_p));
    const double lacks = 1 - network.mass(i);
    table.missing.push_back(lacks > BayesNetwork::kMassTolerance ? lacks : 0);
    missing = missing || table.missing.back() > 0;
  }
  if (!missing) table.missing.clear();
  return table;
}

// The targets, then their children, strongest dependence first; without targets, all variables.
std::vector<Index> tables_shown(const BayesReport& report, const Strengths& strengths) {
  const NetworkGraph& graph = report.network->graph();
  std::vector<Index> shown = report.targets;
  if (shown.empty()) {
    shown.resize(graph.num_variables());
    std::iota(shown.begin(), shown.end(), Index{0});
    return shown;
  }
  std::vector<std::pair<double, Index>> children;
  for (Index v = 0; v < graph.num_variables(); ++v) {
    if (among(report.targets, v)) continue;
    std::optional<double> most;
    for (Index i = 0; i < graph.parents(v).size(); ++i) {
      if (!among(report.targets, graph.parents(v)[i])) continue;
      const double strength = std::isfinite(strengths[v][i]) ? strengths[v][i] : 0;
      most = std::max(most.value_or(0), strength);
    }
    if (most) children.emplace_back(-*most, v);
  }
  std::sort(children.begin(), children.end());
  for (const auto& [strength, v] : children) shown.push_back(v);
  return shown;
}

// Blocks side by side, several in a row; those after the first `open` are folded.
Html with_fold(std::vector<Html> blocks, Index open, std::string_view what) {
  if (blocks.size() <= open) return in_a_row(blocks);
  const std::span<const Html> all(blocks);
  return in_a_row(all.first(open)) + details(fmt::format("{} more {}", blocks.size() - open, what),
                                             in_a_row(all.subspan(open)));
}

void add_tables_section(const BayesReport& report, const Strengths& strengths, Page& page) {
  const NetworkGraph& graph = report.network->graph();
  std::vector<Index> shown = tables_shown(report, strengths);
  const Index in_all = shown.size();
  shown.resize(std::min(in_all, kMostTables));
  std::vector<Html> tables;
  for (const Index v : shown) {
    tables.push_back(subheading(graph.variable(v).name) +
                     probability_heat_map(table_of(*report.network, v), kRowsExcerpt));
  }
  std::string lead =
      "The probability of each value, with a row for each combination of parent values.";
  if (!report.targets.empty()) {
    lead +=
        " Predicted variables come first, then their children, strongest dependence first: a "
        "prediction uses only these tables if all other values are known.";
  }
  if (shown.size() < in_all) {
    lead += fmt::format(" {} of {} tables are shown.", shown.size(), format_count(in_all));
  }
  page.add_section("Tables", lead, with_fold(std::move(tables), kOpenTables, "tables"));
}

// Highest error first.
std::vector<const VariableMistakes*> by_error(const std::vector<VariableMistakes>& mistakes) {
  const auto error = [](const VariableMistakes* one) {
    return static_cast<double>(one->wrong) / static_cast<double>(std::max<Index>(one->cells, 1));
  };
  std::vector<const VariableMistakes*> order;
  for (const VariableMistakes& one : mistakes) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto* a, const auto* b) { return error(a) > error(b); });
  return order;
}

void add_errors_section(const std::vector<const VariableMistakes*>& order, Page& page) {
  Table errors;
  errors.columns = {{"variable", Align::kStart},
                    {"cells", Align::kEnd},
                    {"wrong", Align::kEnd},
                    {"error %", Align::kEnd},
                    {"loss", Align::kEnd}};
  for (const VariableMistakes* one : order) {
    const double share =
        static_cast<double>(one->wrong) / static_cast<double>(std::max<Index>(one->cells, 1));
    errors.rows.push_back(
        {text(one->name), text(format_count(one->cells)), text(format_count(one->wrong)),
         element("span", {{"class", "measure"}}, text(format_percent(share)) + bar(share)),
         text(format_fixed(one->loss, 4))});
  }
  page.add_section("Errors by variable", "From the worst to the best.", table(errors));
}

void add_mistakes(const BayesReport& report, Page& page) {
  if (report.mistakes.empty()) return;
  if (report.mistakes.size() == 1) {
    add_confusion_section(report.mistakes[0].confusion, "rows", page);
    return;
  }
  const std::vector<const VariableMistakes*> order = by_error(report.mistakes);
  add_errors_section(order, page);
  std::vector<Html> blocks;
  for (Index k = 0; k < std::min<Index>(order.size(), kMostConfusions); ++k) {
    blocks.push_back(subheading(order[k]->name) + confusion_heat_map(order[k]->confusion));
  }
  page.add_section(
      "Confusion",
      "Number of rows by true and predicted value, for each variable, the worst first. The colour "
      "of a cell is its share of the row; mistakes are off the diagonal.",
      with_fold(std::move(blocks), kOpenConfusions, "variables"));
}

}  // namespace

std::string bayes_report(const BayesReport& report) {
  const Strengths strengths = strengths_of(*report.network);
  Page page(report.title, report.subtitle);
  add_key_figures(report.evaluated_on, report.scores, page);
  add_estimation_figures(report, !report.scores.empty(), page);
  if (!report.options.empty())
    page.add(details("How the model was trained", definitions(report.options)));
  add_network_section(report, strengths, page);
  add_mistakes(report, page);
  add_tables_section(report, strengths, page);
  add_estimation_sections(report, page);
  return page.to_string();
}

}  // namespace trellis::report
