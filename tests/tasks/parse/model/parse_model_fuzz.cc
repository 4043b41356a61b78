// Any bytes loaded as a parser: an InputError, or a model that can be asked everything.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/tasks/parse/model/parse_model.h"
#include "trellis/tasks/parse/model/parser.h"
#include "trellis/tasks/parse/output/explain.h"
#include "trellis/tasks/parse/output/inspect.h"

namespace {

using namespace trellis;
using namespace trellis::parse;
using testing::require;

Sentence some_sentence() {
  Sentence sentence;
  for (const char* form : {"dogs", "chase", "old", "cats", "."}) {
    Word word;
    word.form = word.lemma = form;
    word.coarse = word.fine = sentence.size() % 2 == 0 ? "NOUN" : "VERB";
    word.features = "Number=Plur|Case=Nom";
    sentence.words.push_back(word);
  }
  return sentence;
}

void use(const ParseModel& model) {
  const Sentence sentence = some_sentence();
  const Parser parser(model);
  Parser::Scratch scratch;
  std::vector<ParsedTree> trees;
  parser.n_best(sentence, 3, scratch, trees);
  require(!trees.empty());
  for (const ParsedArc& arc : trees.front().arcs) {
    require(arc.head <= sentence.size() && arc.label < model.labels().size());
  }
  std::vector<double> marginals;
  parser.marginals(trees.front(), scratch, marginals);
  explain(parser, sentence, 2, 0, scratch);
  inspect_text(model, "fuzz", 3);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(ParseModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
