// The program of bench/paper_multilabel.py: trains submodular label sets by BMRM, and measures at
// the weights of each iteration what the constraint generators find (Petterson 2011, fig. 4.3 and
// table 4.3).
//
//   paper_multilabel_program calls DATA LABELS.xml PAIRS LAMBDA COUPLING ITERATIONS
//                            algorithm5|exact [WORK [ENUMERATED]]
//
// The generator named is the one that trains. A JSON object for each iteration, on a line:
//   iteration objective bound gap    of training
//   optimal certified proven         shares of the calls: Algorithm 5 found what the exact search
//                                    found; Algorithm 6 certified it; the exact search proved its
//                                    answer
//   risk_algorithm5 risk_exact risk_bound     mean losses, and the bound where that is not proven
//   difference                       of the objectives with these risks, relative to the exact one
//   us_algorithm5 us_algorithm6 us_exact      processor time of a call, the last one with
//                                    Algorithm 5 included
//   cuts_algorithm5 cuts_exact subproblems    means of a call
//
//   paper_multilabel_program train DATA LABELS.xml PAIRS LAMBDA COUPLING ITERATIONS
//                            algorithm5|exact [WORK [ENUMERATED]]
//
// Trains alone, by BMRM with its line search, and prints one JSON object: iterations, processor
// seconds, objective as the learner saw it, its bound, the objective that is certified by upper
// bounds of all losses, and what the generator proved (table 4.3).
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/formats/sets/label_reader.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/problem/labels/pairwise_label_model.h"

namespace {

using namespace trellis;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The rows with a constant feature 1 behind them.
FeatureRows with_constant(const FeatureRows& rows) {
  const Index width = rows.width();
  std::vector<float> values;
  if (rows.is_dense()) {
    for (Index i = 0; i < rows.num_rows(); ++i) {
      const auto x = rows.dense_row(i);
      values.insert(values.end(), x.begin(), x.end());
      values.push_back(1);
    }
    return FeatureRows::dense(width + 1, std::move(values));
  }
  std::vector<std::uint32_t> begin = {0}, ids;
  for (Index i = 0; i < rows.num_rows(); ++i) {
    const auto x = rows.values(i);
    const auto columns = rows.ids(i);
    values.insert(values.end(), x.begin(), x.end());
    values.push_back(1);
    ids.insert(ids.end(), columns.begin(), columns.end());
    ids.push_back(static_cast<std::uint32_t>(width));
    begin.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  return FeatureRows::sparse(width + 1, std::move(begin), std::move(ids), std::move(values));
}

// Passes all calls on, and remembers the weights of the last one: where a pass was made.
class Overheard final : public SearchOracle {
 public:
  explicit Overheard(const SearchOracle& inner) : inner_(inner) {}
  Index num_examples() const override { return inner_.num_examples(); }
  Index dimension() const override { return inner_.dimension(); }
  std::span<const WeightRange> nonnegative() const override { return inner_.nonnegative(); }
  std::unique_ptr<Scratch> make_scratch() const override { return inner_.make_scratch(); }
  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const override {
    return inner_.evaluate(i, w, scratch, cut);
  }
  double accumulate(Index i, std::span<const double> w, Scratch& scratch,
                    std::span<double> gradient) const override {
    if (i == 0) weights_.assign(w.begin(), w.end());
    return inner_.accumulate(i, w, scratch, gradient);
  }
  LossBounds accumulate_bounds(Index i, std::span<const double> w, Scratch& scratch,
                               std::span<double> gradient) const override {
    if (i == 0) weights_.assign(w.begin(), w.end());
    return inner_.accumulate_bounds(i, w, scratch, gradient);
  }
  const std::vector<double>& weights() const { return weights_; }

 private:
  const SearchOracle& inner_;
  mutable std::vector<double> weights_;  // one thread trains
};

// What the generators find at some weights, and in what time: a pass each.
class CallMeter {
 public:
  CallMeter(const PairwiseLabelModel& model, const PairwiseLabelOptions& options)
      : model_(model),
        options_(options),
        parts_(model.structure(0).num_parts()),
        scores_(model.num_examples() * parts_),
        rough_(model.num_examples()) {}

  nlohmann::json measure(std::span<const double> w, double lambda) {
    for (Index i = 0; i < n(); ++i) model_.scores(i, w, of(i));
    nlohmann::json json;
    const double alone = pass_of_algorithm5(json);
    pass_of_algorithm6(alone, json);
    pass_of_exact(json);
    double norm = 0;
    for (const double weight : w) norm += weight * weight;
    const double penalty = lambda / 2 * norm;
    const double rough = json["risk_algorithm5"], exact = json["risk_exact"];
    json["difference"] = (exact - rough) / (penalty + exact);
    json["risk_difference"] = exact > 0 ? (exact - rough) / exact : 0;
    return json;
  }

 private:
  Index n() const { return model_.num_examples(); }
  double mean(double sum) const { return sum / static_cast<double>(n()); }
  std::span<double> of(Index i) { return std::span(scores_).subspan(i * parts_, parts_); }

  void set(Index i) {
    const Index labels = model_.num_labels();
    argmax_.set_problem({of(i).first(labels), model_.pairs(), of(i).subspan(labels), model_.gold(i),
                         options_.measure, 1});
  }
  double loss(Index i, double value) {
    return std::max(0.0, value - model_.structure(i).score(of(i), model_.gold(i)));
  }

  double pass_of_algorithm5(nlohmann::json& json) {
    double cuts = 0, risk = 0;
    const double start = processor_seconds();
    for (Index i = 0; i < n(); ++i) {
      set(i);
      const PairwiseMeasureAnswer answer = argmax_.algorithm5(y_);
      rough_[i] = answer.value;
      cuts += static_cast<double>(answer.cuts);
    }
    const double seconds = processor_seconds() - start;
    for (Index i = 0; i < n(); ++i) risk += loss(i, rough_[i]);
    json["us_algorithm5"] = 1e6 * mean(seconds);
    json["cuts_algorithm5"] = mean(cuts);
    json["risk_algorithm5"] = mean(risk);
    return seconds;
  }

  void pass_of_algorithm6(double alone, nlohmann::json& json) {
    Index cuts = 0;
    double certified = 0;
    const double start = processor_seconds();
    for (Index i = 0; i < n(); ++i) {
      set(i);
      argmax_.algorithm5(y_);
      if (argmax_.algorithm6(cuts)) ++certified;
    }
    json["us_algorithm6"] = 1e6 * mean(std::max(0.0, processor_seconds() - start - alone));
    json["certified"] = mean(certified);
  }

  void pass_of_exact(nlohmann::json& json) {
    std::vector<PairwiseMeasureAnswer> answers(n());
    std::vector<double> tolerance(n());
    const double start = processor_seconds();
    for (Index i = 0; i < n(); ++i) {
      set(i);
      answers[i] = argmax_.exact(options_.limits, y_);
      tolerance[i] = argmax_.tolerance();
    }
    json["us_exact"] = 1e6 * mean(processor_seconds() - start);
    double optimal = 0, proven = 0, risk = 0, bound = 0, cuts = 0, subproblems = 0;
    for (Index i = 0; i < n(); ++i) {
      const PairwiseMeasureAnswer& answer = answers[i];
      // Equal to what the search found is equal to the optimum only where that is proven.
      if (answer.proven && rough_[i] >= answer.value - 2 * tolerance[i]) ++optimal;
      if (answer.proven) ++proven;
      risk += loss(i, answer.value);
      bound += loss(i, answer.proven ? answer.value : answer.bound);
      cuts += static_cast<double>(answer.cuts);
      subproblems += static_cast<double>(answer.subproblems);
    }
    json["optimal"] = mean(optimal);
    json["proven"] = mean(proven);
    json["risk_exact"] = mean(risk);
    json["risk_bound"] = mean(bound);
    json["cuts_exact"] = mean(cuts);
    json["subproblems"] = mean(subproblems);
  }

  const PairwiseLabelModel& model_;
  PairwiseLabelOptions options_;
  Index parts_;
  std::vector<double> scores_;
  std::vector<double> rough_;  // what Algorithm 5 found
  PairwiseMeasureArgmax argmax_;
  std::vector<Label> y_;
};

// What both commands are told.
struct Call {
  label::LabelData data;
  FeatureRows rows;
  LabelPairs pairs;
  PairwiseLabelOptions options;
  BmrmOptions bmrm;

  Call(int argc, char** argv) {
    label::ReadOptions reading;
    reading.label_names = label::read_label_names(argv[3]);
    data = label::read_label_data(argv[2], reading);
    rows = with_constant(data.features);
    pairs = frequent_label_pairs(sets(), data.num_labels(), std::atof(argv[4]));
    bmrm.lambda = std::atof(argv[5]);
    options.coupling_scale = std::atof(argv[6]);
    bmrm.max_iterations = std::strtoull(argv[7], nullptr, 10);
    const std::string generator = argv[8];
    if (generator == "algorithm5") options.generator = PairwiseGenerator::kAlgorithm5;
    if (argc > 9) options.limits.work = std::strtoull(argv[9], nullptr, 10);
    if (argc > 10) options.limits.enumerated_labels = std::strtoull(argv[10], nullptr, 10);
  }
  LabelSetView sets() const { return {data.labels.begin, data.labels.ids}; }
};

int calls(Call call) {
  const PairwiseLabelModel model(call.rows, call.sets(), call.data.num_labels(), call.pairs,
                                 call.options);
  const SearchProblem problem(model);
  const Overheard oracle(problem);
  CallMeter meter(model, call.options);
  call.bmrm.line_search = false;  // Algorithm 4 as the thesis has it
  LearnControl control;
  control.certify = true;
  control.gap_tolerance = 1e-3;
  control.observer = [&](EpochRecord& record, std::span<const double>) {
    nlohmann::json json = meter.measure(oracle.weights(), call.bmrm.lambda);
    json["iteration"] = record.epoch;
    json["objective"] = record.objective - record.missed;
    json["bound"] = record.bound;
    json["gap"] = record.gap();
    std::printf("%s\n", json.dump().c_str());
    return true;
  };
  std::vector<double> w(model.dimension(), 0.0);
  bmrm(oracle, call.bmrm, w, control);
  return 0;
}

int train(const Call& call) {
  const PairwiseLabelModel model(call.rows, call.sets(), call.data.num_labels(), call.pairs,
                                 call.options);
  LearnControl control;
  control.certify = true;
  control.gap_tolerance = 1e-3;
  std::vector<double> w(model.dimension(), 0.0);
  const double start = processor_seconds();
  const LearnSummary summary = bmrm(SearchProblem(model), call.bmrm, w, control);
  const double seconds = processor_seconds() - start;
  const PairwiseStatistics statistics = model.statistics();
  const auto calls = static_cast<double>(statistics.calls);
  const nlohmann::json json = {{"instances", model.num_examples()},
                               {"labels", model.num_labels()},
                               {"pairs", model.pairs().size()},
                               {"iterations", summary.epochs},
                               {"termination", std::string(to_string(summary.termination))},
                               {"seconds", seconds},
                               {"objective", summary.objective - summary.missed},
                               {"bound", summary.bound},
                               {"certified_objective", summary.objective},
                               {"proven", static_cast<double>(statistics.proven) / calls},
                               {"improved", static_cast<double>(statistics.improved) / calls},
                               {"cuts", static_cast<double>(statistics.cuts) / calls},
                               {"subproblems", static_cast<double>(statistics.subproblems) / calls},
                               {"remaining", statistics.remaining / calls}};
  std::printf("%s\n", json.dump().c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 9 || argc > 11) return 2;
    const std::string command = argv[1];
    if (command == "calls") return calls(Call(argc, argv));
    if (command == "train") return train(Call(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 2;
}
