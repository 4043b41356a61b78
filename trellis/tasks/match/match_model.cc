#include "trellis/tasks/match/match_model.h"

namespace trellis::match {
namespace {

enum class Input { kGraphs, kPairs };
constexpr auto names_of(Input) {
  return Names{"input", "graphs", "pairs"};
}

void describe_contexts(ModelArchive& a, ContextOptions& contexts) {
  a.number("rings", contexts.rings, {}, "rings of a shape context");
  a.number("sectors", contexts.sectors, {}, "sectors of a ring");
  a.number("inner", contexts.inner, {}, "radius of the first ring, in mean distances");
  a.number("outer", contexts.outer, {}, "radius of the last ring, in mean distances");
  a.choice("difference", contexts.difference, "how two contexts are compared");
  a.number("points", contexts.points, {}, "points of a shape that are matched");
  a.number("outline", contexts.outline, {}, "points of a shape that contexts count");
}

}  // namespace

void MatchModel::describe(ModelArchive& a, MatchParts& m) {
  MatchFeatures& f = m.features;
  Input input = f.pairs() ? Input::kPairs : Input::kGraphs;
  Cover cover = f.cover();
  a.choice("input", input, "what is matched");
  a.choice("cover", cover, "whether all nodes of the smaller side have a match");
  a.choice("estimator", m.estimator, "what was minimised");
  ContextOptions contexts = f.contexts();
  bool named = f.graphs().named;
  NameView names = f.graphs().names.view();
  a.where("input pairs", input == Input::kPairs, [&] { describe_contexts(a, contexts); });
  a.where("input graphs", input == Input::kGraphs, [&] {
    a.value("named", named, "whether features have names");
    a.where("named", named, [&] { a.name_list("names", names, "of the features"); });
  });
  a.weights("weights", m.weights, {}, "by feature of an edge");
  a.value("training", m.training, "how the model was made");
  a.check([&] {
    GraphFeatures graphs;
    graphs.known = true;
    graphs.named = named;
    if (!named) graphs.width = m.weights.size();
    if (named) graphs.names = NameList(names, a.name());
    f = input == Input::kPairs ? MatchFeatures::of_pairs(contexts, cover)
                               : MatchFeatures::of_graphs(std::move(graphs), cover);
    a.require(f.dimension() > 0, "the model has no features");
    a.require(f.dimension() == m.weights.size(), "the model's weights do not fit its features");
  });
}

}  // namespace trellis::match
