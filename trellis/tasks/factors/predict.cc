#include "trellis/tasks/factors/predict.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/pipeline.h"
#include "trellis/data/json.h"
#include "trellis/solve/factors/belief_propagation.h"
#include "trellis/solve/factors/reweighted_sums.h"
#include "trellis/structure/structure.h"
#include "trellis/tasks/factors/explain.h"
#include "trellis/tasks/factors/graph_decoder.h"

namespace trellis::factors {
namespace {

constexpr Index kBatch = 64;
// Shares this near to 0 or 1 count as 0 or 1: the accuracy of the relaxation.
constexpr double kWhole = 1e-4;

struct Marginals {
  std::vector<double> of_parts;
  double log_sum = 0;
  Convergence convergence;
};

// The memory of one thread.
struct Memory {
  GraphDecoder::Scratch decoding;
  BeliefPropagation beliefs;
  ReweightedSums reweighted;
  Decoded found;
  Marginals marginals;
};

struct Rendered {
  std::string text;
  bool whole = false;
  bool converged = false;
  double gap = 0;
};

class Predictor {
 public:
  Predictor(const FactorsModel& model, const PredictOptions& options)
      : model_(model),
        options_(options),
        decoder_(model.weights(), options.inference, options.search_limit) {}

  Rendered render(const GraphRecord& graph, Memory& memory) const {
    decoder_.decode(graph, memory.decoding, memory.found);
    if (options_.marginals) sum(graph, memory);
    return {options_.json ? to_json(record(graph, memory)) : text(graph, memory),
            memory.found.whole, memory.marginals.convergence.converged, memory.found.gap};
  }

 private:
  void sum(const GraphRecord& graph, Memory& memory) const {
    Marginals& marginals = memory.marginals;
    marginals.of_parts.resize(graph.layout.num_parts());
    const std::span<const double> s = memory.decoding.scores;
    if (*options_.marginals == Inference::kBeliefs) {
      marginals.log_sum = memory.beliefs.log_sum(graph.layout, s, {}, marginals.of_parts);
      marginals.convergence = memory.beliefs.convergence();
    } else {
      const ForestCover cover(graph.layout);
      marginals.log_sum = memory.reweighted.log_sum(cover, s, {}, marginals.of_parts);
      marginals.convergence = memory.reweighted.convergence();
    }
    if (marginals.log_sum == kImpossible) {
      throw InputError(
          graph.file, graph.line,
          "this graph has no marginals: the beliefs leave a factor without a legal assignment");
    }
  }

  bool relaxed() const { return options_.inference == Inference::kRelaxed; }

  const Domain& domain(const GraphRecord& graph, Index v) const {
    return model_.features().domains()[graph.variables[v].domain];
  }

  static bool fractional(const GraphRecord& graph, const Decoded& found, Index v) {
    return share_of(graph.layout, found.z, v, found.values[v]) < 1 - kWhole;
  }

  static std::string told(const Convergence& convergence) {
    return fmt::format("{} after {} iterations, residual {:.3g}",
                       convergence.converged ? "converged" : "not converged",
                       convergence.iterations, convergence.residual);
  }

  std::string shares(const GraphRecord& graph, Index v, std::span<const double> z) const {
    std::string text;
    for (Index k = 0; k < graph.layout.num_values(v); ++k) {
      text +=
          fmt::format(" {}:{:.6g}", domain(graph, v).values[k], share_of(graph.layout, z, v, k));
    }
    return text;
  }

  std::string text(const GraphRecord& graph, const Memory& memory) const {
    const Decoded& found = memory.found;
    std::string text;
    if (relaxed()) {
      text +=
          fmt::format("# relaxed: {}, no assignment scores above {:.6g}; {}\n",
                      found.whole ? "whole" : "fractional", found.score, told(found.convergence));
    }
    if (found.gap > 0) {
      text += fmt::format("# not proven to be the best: no assignment scores above {:.6g}\n",
                          found.score + found.gap);
    }
    if (options_.marginals) {
      text += fmt::format("# {}: {}\n", to_string(*options_.marginals),
                          told(memory.marginals.convergence));
    }
    for (Index v = 0; v < graph.variables.size(); ++v) {
      text += graph.variables[v].name;
      if (relaxed() && fractional(graph, found, v)) {
        text += shares(graph, v, found.z);
      } else {
        text += " " + domain(graph, v).values[found.values[v]];
      }
      if (options_.marginals) text += shares(graph, v, memory.marginals.of_parts);
      text += "\n";
    }
    return text + "\n";
  }

  static Value record_of(const Convergence& convergence) {
    return Value::record({{"converged", convergence.converged},
                          {"iterations", convergence.iterations},
                          {"residual", convergence.residual}});
  }

  Value shares_record(const GraphRecord& graph, Index v, std::span<const double> z) const {
    Value shares;
    for (Index k = 0; k < graph.layout.num_values(v); ++k) {
      shares[domain(graph, v).values[k]] = share_of(graph.layout, z, v, k);
    }
    return shares;
  }

  Value record(const GraphRecord& graph, const Memory& memory) const {
    const Decoded& found = memory.found;
    Value record = Value::record({{"line", graph.line}, {"variables", Value::list()}});
    record[relaxed() ? "bound" : "score"] = found.score;
    if (relaxed()) {
      record["whole"] = found.whole;
      record["relaxation"] = record_of(found.convergence);
    } else {
      record["proven"] = found.gap <= 0;
      record["gap"] = found.gap;
    }
    if (options_.marginals) {
      record["marginals"] = record_of(memory.marginals.convergence);
      record["marginals"]["log_sum"] = memory.marginals.log_sum;
    }
    for (Index v = 0; v < graph.variables.size(); ++v) {
      Value variable = Value::record(
          {{"name", graph.variables[v].name}, {"value", domain(graph, v).values[found.values[v]]}});
      if (relaxed() && fractional(graph, found, v)) {
        variable["shares"] = shares_record(graph, v, found.z);
      }
      if (options_.marginals) {
        variable["marginals"] = shares_record(graph, v, memory.marginals.of_parts);
      }
      record["variables"].push_back(std::move(variable));
    }
    return record;
  }

  const FactorsModel& model_;
  const PredictOptions& options_;
  GraphDecoder decoder_;
};

}  // namespace

std::vector<std::string> PredictCounts::notes(const PredictOptions& options) const {
  std::vector<std::string> notes;
  if (options.inference == Inference::kRelaxed) {
    notes.push_back(
        fmt::format("relaxed: {} of {} graphs integral, and proven best", whole, graphs));
  }
  if (search.not_proven > 0) notes.push_back(search.sentence("graphs"));
  if (options.marginals) {
    notes.push_back(fmt::format("{}: {} of {} graphs converged", to_string(*options.marginals),
                                converged, graphs));
  }
  return notes;
}

void require_inference(const PredictOptions& options) {
  if (sums(options.inference)) {
    throw UsageError(
        fmt::format("--inference {} computes sums and no best assignment: use --marginals {} for "
                    "probabilities, and --inference exact or relaxed for values",
                    to_string(options.inference), to_string(options.inference)));
  }
  if (options.marginals && !sums(*options.marginals)) {
    throw UsageError(
        fmt::format("--marginals {} computes a best assignment and no probabilities: choose "
                    "beliefs or reweighted",
                    to_string(*options.marginals)));
  }
}

PredictCounts predict(const FactorsModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out) {
  require_inference(options);
  FactorFeatures features = model.features();
  GraphReader reader(std::move(file), features);
  const Predictor predictor(model, options);
  Pipeline<GraphRecord> pipeline(options.piped ? Pipeline<GraphRecord>::kAtOnce : kBatch,
                                 options.threads);
  std::vector<Memory> memory(static_cast<Index>(pipeline.num_workers()));
  std::vector<Rendered> rendered(pipeline.batch_size());
  PredictCounts counts;
  const char* between = "";
  if (options.json) out.write("{\"graphs\":[");
  pipeline.run([&](GraphRecord& graph) { return reader.read(graph); },
               [&](const GraphRecord& graph, Index slot, int worker) {
                 rendered[slot] = predictor.render(graph, memory[static_cast<Index>(worker)]);
               },
               [&](const GraphRecord&, Index slot) {
                 if (options.json) out.write(std::exchange(between, ","));
                 out.write(rendered[slot].text);
                 if (options.piped) out.flush();
                 ++counts.graphs;
                 if (rendered[slot].whole) ++counts.whole;
                 if (rendered[slot].converged) ++counts.converged;
                 counts.search.add(rendered[slot].gap);
               });
  if (options.json) out.write("]}\n");
  return counts;
}

Evaluation evaluate_file(const FactorsModel& model, InputFile file, Inference inference,
                         int threads, Index search_limit) {
  require_inference({inference, std::nullopt});
  const std::string name = file.name();
  FactorFeatures features = model.features();
  GraphReader reader(std::move(file), features);
  const GraphDecoder decoder(model.weights(), inference, search_limit);
  Pipeline<GraphRecord> pipeline(kBatch, threads);
  std::vector<GraphDecoder::Scratch> scratch(static_cast<Index>(pipeline.num_workers()));
  std::vector<Decoded> found(pipeline.batch_size());
  Evaluation evaluation{FactorsScores(features.domains()), std::nullopt};
  if (inference == Inference::kExact) evaluation.search.emplace();
  FactorsScores& scores = evaluation.scores;
  pipeline.run([&](GraphRecord& graph) { return reader.read(graph); },
               [&](const GraphRecord& graph, Index slot, int worker) {
                 decoder.decode(graph, scratch[static_cast<Index>(worker)], found[slot]);
               },
               [&](const GraphRecord& graph, Index slot) {
                 scores.add(graph, found[slot].values);
                 if (evaluation.search) evaluation.search->add(found[slot].gap);
               });
  if (scores.variables().total == 0) {
    throw InputError(name, 0,
                     "there is nothing to compare with: expected true values (=VALUE), found none");
  }
  return evaluation;
}

Value Evaluation::record() const {
  Value record = scores.record();
  if (search) search->put(record);
  return record;
}

std::string Evaluation::to_text() const {
  std::string text = scores.to_text();
  if (search && search->not_proven > 0) text += search->sentence("graphs") + "\n";
  return text;
}

std::string explain_file(const FactorsModel& model, InputFile file, const ExplainOptions& options) {
  const std::string name = file.name();
  FactorFeatures features = model.features();
  GraphReader reader(std::move(file), features);
  const GraphDecoder decoder(model.weights(), Inference::kExact, options.search_limit);
  GraphDecoder::Scratch scratch;
  Decoded found;
  std::string text;
  Index number = 0;
  bool told = false;
  for (GraphRecord graph; reader.read(graph);) {
    ++number;
    if (options.graph != 0 && number != options.graph) continue;
    decoder.decode(graph, scratch, found);
    std::vector<VariableExplanation> all = explain(model, graph, found, options.search_limit);
    std::erase_if(all, [&](const VariableExplanation& one) {
      return !options.variable.empty() && graph.variables[one.variable].name != options.variable;
    });
    told = told || !all.empty();
    text += options.json ? to_json(explain_record(model, graph, all, options.top)) + "\n"
                         : explain_text(model, graph, all, options.top) + "\n";
    if (number == options.graph) break;
  }
  if (options.graph > number) {
    throw UsageError(
        fmt::format("{} has {} graphs, so there is no graph {}", name, number, options.graph));
  }
  if (!told) {
    throw UsageError(
        fmt::format("there is no variable '{}' in the graphs to explain", options.variable));
  }
  return text;
}

}  // namespace trellis::factors
