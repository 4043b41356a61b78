// Quadratic matchings of random sentences: QuadraticMatching::maximize beside the whole integer
// program (3.3) in Cbc.
//
//   quadratic_search_program WORDS LINKS PROBLEMS
//
// Sentences of WORDS words a side, at most LINKS links a word; candidates are a band about the
// diagonal and some strays, 4 to 6 a word; links near the diagonal score more, steps along it
// reward each other most. Prints one line of JSON: seconds, and the largest relative difference
// between the values that both find.
#include <Cbc_C_Interface.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/stopwatch.h"
#include "trellis/structure/matchings/quadratic_matching.h"

namespace trellis {
namespace {

struct Sentence {
  std::vector<MatchingEdges::Edge> edges;
  std::vector<EdgePair> pairs;
};

Sentence draw_sentence(Index words, Random& random) {
  Sentence sentence;
  for (std::uint32_t j = 0; j < words; ++j) {
    for (std::uint32_t k = 0; k < words; ++k) {
      const bool near = std::max(j, k) - std::min(j, k) <= 2;
      const double strays = 1 / static_cast<double>(words);
      if (near ? random.uniform() < 0.85 : random.uniform() < strays) {
        sentence.edges.push_back({j, k});
      }
    }
  }
  const auto& edges = sentence.edges;
  for (std::uint32_t a = 0; a < edges.size(); ++a) {
    for (std::uint32_t b = a + 1; b < edges.size() && edges[b].left <= edges[a].left + 1; ++b) {
      const std::uint32_t k = edges[a].right, m = edges[b].right;
      if (std::max(k, m) - std::min(k, m) <= 1) sentence.pairs.push_back({a, b});
    }
  }
  return sentence;
}

std::vector<double> draw_scores(const Sentence& sentence, const QuadraticMatching& structure,
                                Random& random) {
  std::vector<double> s;
  for (const auto& [j, k] : sentence.edges) {
    const double off = static_cast<double>(std::max(j, k) - std::min(j, k));
    s.push_back(1.2 * random.normal() - 0.4 * std::min(off, 4.0) + (off == 0 ? 0.5 : -0.5));
  }
  for (Index n = 0; n < structure.parts().num_nodes(); ++n) {
    double cost = 0;
    for (Index d = 2; d <= structure.most_links(); ++d) {
      cost += 0.5 + random.uniform();
      s.push_back(-cost);
    }
  }
  for (const auto& [a, b] : sentence.pairs) {
    const auto& e = sentence.edges;
    const bool step = e[a].left < e[b].left && e[a].right < e[b].right;
    s.push_back((step ? 1.0 : 0.3) * random.uniform());
  }
  return s;
}

// The integer program as it stands in (3.3); Cbc with its own settings.
double solve_by_cbc(const QuadraticMatching& structure, const std::vector<double>& s) {
  const LinearProgram program = structure.linear_program();
  Cbc_Model* const model = Cbc_newModel();
  Cbc_setLogLevel(model, 0);
  Cbc_setParameter(model, "ratioGap", "0");
  Cbc_setParameter(model, "allowableGap", "1e-9");
  for (Index p = 0; p < program.num_variables; ++p) {
    const char whole = p < structure.num_edges() ? 1 : 0;
    Cbc_addCol(model, fmt::format("z{}", p).c_str(), 0, 1, -s[p], whole, 0, nullptr, nullptr);
  }
  std::vector<int> columns;
  std::vector<double> coefficients;
  for (Index r = 0; r < program.rows.size(); ++r) {
    columns.clear();
    coefficients.clear();
    for (const LinearProgram::Term& term : program.rows[r].terms) {
      columns.push_back(static_cast<int>(term.variable));
      coefficients.push_back(term.coefficient);
    }
    Cbc_addRow(model, fmt::format("r{}", r).c_str(), static_cast<int>(columns.size()),
               columns.data(), coefficients.data(), 'L', program.rows[r].upper);
  }
  Cbc_solve(model);
  const double value = Cbc_isProvenOptimal(model) != 0 ? -Cbc_getObjValue(model) : std::nan("");
  Cbc_deleteModel(model);
  return value;
}

void run(Index words, Index most_links, Index problems) {
  QuadraticMatching::Scratch scratch;
  QuadraticMatching::Output y;
  double ours = 0, cbc = 0, difference = 0;
  Index branched = 0, fractional = 0, edges = 0, pairs = 0;
  for (Index i = 0; i < problems; ++i) {
    Random random(17, 1000 * words + i);
    const Sentence sentence = draw_sentence(words, random);
    const MatchingEdges graph(words, words, sentence.edges);
    const QuadraticMatching structure(graph, most_links, sentence.pairs);
    const std::vector<double> s = draw_scores(sentence, structure, random);
    const Stopwatch our_time;
    const double value = structure.maximize(s, scratch, y);
    ours += our_time.seconds();
    branched += scratch.search.summary().branched ? 1 : 0;
    std::vector<double> z(s.size());
    fractional += structure.relax(s, scratch, z).fractional_edges > 0 ? 1 : 0;
    const Stopwatch cbc_time;
    const double other = solve_by_cbc(structure, s);
    cbc += cbc_time.seconds();
    const double apart = std::abs(value - other) / std::max(1.0, std::abs(value));
    difference = std::isnan(apart) ? kInfinity : std::max(difference, apart);
    edges += sentence.edges.size();
    pairs += sentence.pairs.size();
  }
  const auto mean = [&](auto sum) {
    return static_cast<double>(sum) / static_cast<double>(problems);
  };
  fmt::print(
      "{{\"words\": {}, \"links\": {}, \"problems\": {}, \"edges\": {}, \"pairs\": {}, \"ours\": "
      "{}, "
      "\"cbc\": {}, \"unbranched\": {}, \"fractional\": {}, \"difference\": {}}}\n",
      words, most_links, problems, mean(edges), mean(pairs), mean(ours), mean(cbc),
      1 - mean(branched), mean(fractional), std::isinf(difference) ? 1e9 : difference);
}

}  // namespace
}  // namespace trellis

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "quadratic_search_program WORDS LINKS PROBLEMS\n");
    return 2;
  }
  const auto number = [&](int i) { return static_cast<trellis::Index>(std::atol(argv[i])); };
  trellis::run(number(1), number(2), number(3));
  return 0;
}
