// Where the time of a parser goes, with a trained model on a treebank.
//
//   parse_speed_program MODEL TREEBANK REPEATS
//
// First order: microseconds for each sentence of what prediction does (the least of REPEATS), step
// by step:
// the atoms of its words, the filter (scores of all arcs, marginals), candidate arcs with their
// labels, features and scores, the best tree. Second order: iterations of AD³ on the relaxation of
// each sentence, to a residual of 1e-6, and how many of them need no more than 200. Prints one line
// of JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <utility>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/stopwatch.h"
#include "trellis/formats/treebank/treebank_reader.h"
#include "trellis/solve/factors/ad3.h"
#include "trellis/structure/trees/label_fold.h"
#include "trellis/tasks/parse/model/parser.h"

namespace trellis::parse {
namespace {

enum Step : Index { kAtoms, kFilter, kLabels, kScores, kTree, kSteps };

void measure_steps(const ParseModel& model, const std::vector<Sentence>& sentences, int repeats) {
  const ArcScorer scorer(model.arc_weights(), model.label_rows(), model.labels().size());
  Parser::Scratch scratch;
  // The least of the repeats of each sentence: others may be at work on the machine. Between two
  // repeats of a sentence come all the others, so caches hold what they hold in prediction.
  std::vector<std::array<double, kSteps>> least(sentences.size());
  for (auto& of_sentence : least) of_sentence.fill(kInfinity);
  double arcs = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (Index i = 0; i < sentences.size(); ++i) {
      const Sentence& sentence = sentences[i];
      const auto timed = [&](Step step, const auto& work) {
        const Stopwatch watch;
        work();
        least[i][step] = std::min(least[i][step], watch.seconds());
      };
      timed(kAtoms, [&] { scratch.atoms.assign(sentence, model.tags()); });
      timed(kFilter,
            [&] { model.filter().keep(scratch.atoms, {}, scratch.filter, scratch.candidates); });
      timed(kLabels, [&] {
        scratch.arcs = label_arcs(scratch.candidates, scratch.atoms, model.label_sets());
      });
      timed(kScores,
            [&] { scorer.score(scratch.atoms, scratch.arcs, scratch.scorer, scratch.scores); });
      timed(kTree, [&] {
        const TreeShape& shape = model.shape().trees;
        if (shape.projective) {
          ProjectiveTree(scratch.arcs.parts, shape.roots)
              .maximize(scratch.scores, scratch.decoder.projective, scratch.output);
        } else {
          DependencyTree(scratch.arcs.parts, shape.roots)
              .maximize(scratch.scores, scratch.decoder.tree, scratch.output);
        }
      });
      if (repeat == 0) arcs += static_cast<double>(scratch.candidates.size());
    }
  }
  const auto count = static_cast<double>(sentences.size());
  const auto micros = [&](Step step) {
    double seconds = 0;
    for (const auto& of_sentence : least) seconds += of_sentence[step];
    return 1e6 * seconds / count;
  };
  fmt::print(
      "{{\"order\": 1, \"sentences\": {}, \"arcs\": {:.1f}, \"atoms\": {:.3f}, \"filter\": {:.3f}, "
      "\"labels\": {:.3f}, \"scores\": {:.3f}, \"tree\": {:.3f}}}\n",
      sentences.size(), arcs / count, micros(kAtoms), micros(kFilter), micros(kLabels),
      micros(kScores), micros(kTree));
}

void count_iterations(const ParseModel& model, const std::vector<Sentence>& sentences) {
  constexpr Index kFew = 200;
  const Parser parser(model);
  Parser::Scratch scratch;
  Ad3 solver;
  std::vector<double> folded, z;
  std::vector<std::uint32_t> best;
  std::vector<Index> iterations;
  Index few = 0, converged = 0, whole = 0;
  for (const Sentence& sentence : sentences) {
    parser.score(sentence, scratch);
    const LabelFold fold(scratch.arcs.parts, *scratch.pairs);
    fold.fold_best(scratch.scores, folded, best);
    z.resize(scratch.pairs->layout().num_parts());
    Ad3Options options;
    options.residual = 1e-6;
    const Ad3Result result = solver.solve(scratch.pairs->layout(), folded, options, z);
    iterations.push_back(result.convergence.iterations);
    converged += result.convergence.converged ? 1 : 0;
    few += result.convergence.converged && result.convergence.iterations <= kFew ? 1 : 0;
    whole += result.integral ? 1 : 0;
  }
  std::sort(iterations.begin(), iterations.end());
  const auto count = static_cast<double>(iterations.size());
  const auto quantile = [&](double share) {
    return iterations[std::min(iterations.size() - 1, static_cast<Index>(share * count))];
  };
  const auto percent = [&](Index number) { return 100 * static_cast<double>(number) / count; };
  fmt::print(
      "{{\"order\": 2, \"sentences\": {}, \"within_200\": {:.2f}, \"converged\": {:.2f}, "
      "\"whole\": {:.2f}, \"its_50\": {}, \"its_90\": {}, \"its_95\": {}, \"its_99\": {}, "
      "\"its_most\": {}}}\n",
      sentences.size(), percent(few), percent(converged), percent(whole), quantile(0.5),
      quantile(0.9), quantile(0.95), quantile(0.99), iterations.back());
}

int run(const char* model_path, const char* treebank, int repeats) {
  const ParseModel model = ParseModel::read(model_path);
  const std::vector<Sentence> sentences = read_treebank(InputFile(treebank), {});
  if (sentences.empty() || repeats < 1) {
    fmt::print(stderr, "expected a sentence and a repeat\n");
    return 2;
  }
  if (model.shape().order == 1) {
    measure_steps(model, sentences, repeats);
  } else {
    count_iterations(model, sentences);
  }
  return 0;
}

}  // namespace
}  // namespace trellis::parse

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "parse_speed_program MODEL TREEBANK REPEATS\n");
    return 2;
  }
  try {
    return trellis::parse::run(argv[1], argv[2], std::atoi(argv[3]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "parse_speed_program: {}\n", error.what());
    return 1;
  }
}
