#include "trellis/tasks/tables/bayes/inspect.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/base/text.h"
#include "trellis/formats/tables/csv_line.h"
#include "trellis/frame/training/result.h"
#include "trellis/generative/network/inference.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/tables/discriminative_training.h"

namespace trellis::bayes {
namespace {

constexpr double kMassTolerance = 1e-9;

std::vector<double> row_probabilities(const BayesNetwork& network, Index distribution) {
  const Distributions& d = network.distributions();
  const auto theta = network.theta().subspan(d.begin(distribution), d.size(distribution));
  std::vector<double> p(theta.size());
  exp_shifted(theta, 0, p);
  return p;
}

double missing_of(const BayesNetwork& network, Index distribution) {
  const double missing = 1 - network.mass(distribution);
  return missing > kMassTolerance ? missing : 0;
}

// The values of the parents in a row of a variable's table.
std::vector<std::string> parent_values(const NetworkGraph& graph, Index v, Index row) {
  std::vector<std::string> values(graph.parents(v).size());
  for (Index k = values.size(); k-- > 0;) {
    const Index parent = graph.parents(v)[k];
    values[k] = graph.variable(parent).values[row % graph.num_values(parent)];
    row /= graph.num_values(parent);
  }
  return values;
}

std::string table_text(const BayesNetwork& network, Index v) {
  const NetworkGraph& graph = network.graph();
  std::string text = "\n" + graph.variable(v).name;
  std::vector<std::string> names;
  for (const Index parent : graph.parents(v)) names.push_back(graph.variable(parent).name);
  std::vector<std::string> rows;
  Index width = 16;
  for (Index r = 0; r < graph.num_rows(v); ++r) {
    rows.push_back(fmt::format("{}", fmt::join(parent_values(graph, v, r), ", ")));
    width = std::max(width, rows.back().size());
  }
  if (!names.empty()) text += fmt::format(" given {}", fmt::join(names, ", "));
  text += fmt::format("\n{:>{}}", "", width);
  for (const std::string& value : graph.variable(v).values) text += fmt::format(" {:>10}", value);
  text += '\n';
  for (Index r = 0; r < rows.size(); ++r) {
    const Index distribution = graph.first_distribution(v) + r;
    text += fmt::format("{:>{}}", rows[r], width);
    const std::vector<double> p = row_probabilities(network, distribution);
    for (Index k = 0; k < p.size(); ++k) {
      const Index room = std::max<Index>(10, graph.variable(v).values[k].size());
      text += fmt::format(" {:>{}.6f}", p[k], room);
    }
    const double missing = missing_of(network, distribution);
    if (missing > 0) text += fmt::format("   {:.6f} missing", missing);
    text += '\n';
  }
  return text;
}

bool is_among(const std::vector<Index>& list, Index v) {
  return std::find(list.begin(), list.end(), v) != list.end();
}

}  // namespace

std::string inspect_text(const BayesModel& model, bool tables) {
  const BayesNetwork& network = model.network();
  const NetworkGraph& graph = model.graph();
  Index arrows = 0;
  for (Index v = 0; v < graph.num_variables(); ++v) arrows += graph.parents(v).size();
  std::string text =
      fmt::format("Bayesian network of {} variables, {} arrows\n{} parameters, loss {}\n",
                  graph.num_variables(), arrows, network.theta().size(), model.loss());
  for (Index v = 0; v < graph.num_variables(); ++v) {
    text += fmt::format("{}: {} values", graph.variable(v).name, graph.num_values(v));
    for (Index k = 0; k < graph.parents(v).size(); ++k) {
      text += (k == 0 ? " <- " : " ") + graph.variable(graph.parents(v)[k]).name;
    }
    if (is_among(model.roles().targets, v)) text += "  (target)";
    if (is_among(model.roles().latent, v)) text += "  (never seen)";
    text += '\n';
  }
  const auto missing = generative::missing_mass(network.distributions(), network.theta());
  if (missing.distributions > 0) {
    text +=
        fmt::format("{} of {} distributions have a total probability below 1, by at most {:.6f}\n",
                    missing.distributions, network.distributions().num(), missing.largest);
  }
  text += provenance_text(model.training());
  for (Index v = 0; tables && v < graph.num_variables(); ++v) text += table_text(network, v);
  return text;
}

Value inspect_record(const BayesModel& model, bool tables) {
  const BayesNetwork& network = model.network();
  const NetworkGraph& graph = model.graph();
  Value record = Value::record({{"parameters", network.theta().size()},
                                {"loss", model.loss()},
                                {"ignored", model.roles().ignored},
                                {"training", model.training()}});
  record["missing_mass"] = network.missing_mass();
  record["variables"] = Value::list();
  for (Index v = 0; v < graph.num_variables(); ++v) {
    Value one = Value::record({{"name", graph.variable(v).name},
                               {"values", graph.variable(v).values},
                               {"target", is_among(model.roles().targets, v)},
                               {"latent", is_among(model.roles().latent, v)},
                               {"parents", Value::list()}});
    for (const Index parent : graph.parents(v)) {
      one["parents"].push_back(graph.variable(parent).name);
    }
    for (Index r = 0; tables && r < graph.num_rows(v); ++r) {
      const Index distribution = graph.first_distribution(v) + r;
      one["rows"].push_back(
          Value::record({{"given", parent_values(graph, v, r)},
                         {"probabilities", row_probabilities(network, distribution)},
                         {"missing_mass", missing_of(network, distribution)}}));
    }
    record["variables"].push_back(std::move(one));
  }
  return record;
}

Given parse_given(const std::string& text) {
  std::vector<std::string_view> fields;
  split(text, ',', fields);
  Given given;
  for (const std::string_view field : fields) {
    const Index equals = field.find('=');
    if (equals == std::string_view::npos || trim(field.substr(0, equals)).empty() ||
        trim(field.substr(equals + 1)).empty()) {
      throw UsageError(fmt::format("'{}' is not a list of COLUMN=VALUE separated by commas", text));
    }
    given.emplace_back(trim(field.substr(0, equals)), trim(field.substr(equals + 1)));
  }
  return given;
}

std::string sample_text(const BayesModel& model, Index count, const Given& given,
                        std::uint64_t seed) {
  const NetworkGraph& graph = model.graph();
  std::vector<Label> evidence(graph.num_variables(), kNoLabel);
  for (const auto& [name, value] : given) {
    const auto v = graph.find(name);
    if (!v) throw UsageError(fmt::format("--given names '{}', which is not a variable", name));
    const auto label = graph.find_value(*v, value);
    if (!label) throw UsageError(fmt::format("'{}' has no value '{}'", name, value));
    if (evidence[*v] != kNoLabel) {
      throw UsageError(fmt::format("--given has two values for '{}'", name));
    }
    evidence[*v] = *label;
  }
  std::string text;
  const auto put = [&](const std::string& field) {
    text += generative::csv_field(field);
    text += ',';
  };
  for (const NetworkVariable& variable : graph.variables()) put(variable.name);
  text.back() = '\n';
  NetworkInference inference(model.network());
  std::vector<Label> row;
  for (Index n = 0; n < count; ++n) {
    Random random(seed, n);
    row = evidence;
    if (given.empty()) {
      model.network().sample(random, row);
    } else if (!inference.sample(row, random)) {
      throw UsageError("the values of --given have probability 0 under the model");
    }
    for (Index v = 0; v < row.size(); ++v) {
      put(graph.variable(v).values[static_cast<Index>(row[v])]);
    }
    text.back() = '\n';
  }
  return text;
}

std::string sample_note(const BayesModel& model) {
  const auto missing =
      generative::missing_mass(model.network().distributions(), model.network().theta());
  if (missing.distributions == 0) return {};
  return fmt::format(
      "{} distributions have a total probability below 1, by at most {:.3g}: they were scaled to 1",
      missing.distributions, missing.largest);
}

}  // namespace trellis::bayes
