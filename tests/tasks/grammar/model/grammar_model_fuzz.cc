// Any bytes loaded as a grammar: an InputError, or a model that can be asked everything.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/tasks/grammar/model/grammar_model.h"
#include "trellis/tasks/grammar/model/parser.h"
#include "trellis/tasks/grammar/output/explain.h"
#include "trellis/tasks/grammar/output/inspect.h"

namespace {

using namespace trellis;
using namespace trellis::grammar;
using testing::require;

void use(const GrammarModel& model) {
  const Parser parser(model);
  Parser::Scratch scratch;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"they", "see", "cats", "with", "tails"},
        {"with", "Xyzzy", "they"}}) {
    std::vector<ParsedTree> trees;
    parser.n_best(words, 2, scratch, trees);
    require(!trees.empty());
    for (const ParsedTree& one : trees) require(one.tree.words() == words);
    std::vector<double> marginals;
    parser.marginals(trees.front().tree, scratch, marginals);
    explain(parser, words, {"NP", 0, 1}, scratch);
  }
  inspect_text(model, "fuzz", 3);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(GrammarModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
