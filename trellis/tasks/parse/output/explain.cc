#include "trellis/tasks/parse/output/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/formats/treebank/treebank_reader.h"
#include "trellis/tasks/parse/features/arc_templates.h"
#include "trellis/tasks/parse/model/arc_pair_scorer.h"

namespace trellis::parse {
namespace {

// All contributions to the score of one arc with its label.
class ContributionList {
 public:
  ContributionList(const ParseModel& model, const Sentence& sentence, const SentenceAtoms& atoms,
                   std::uint32_t m, const ParsedArc& arc)
      : model_(model), sentence_(sentence), modifier_(m), arc_(arc) {
    ArcFeatures features(atoms);
    features.set_modifier(m);
    features.set_head(arc.head);
    row_ = features.row();
    direction_ = features.direction();
    add(TemplateTable::kArc);
    const std::uint64_t mid = atoms.tags_between(arc.head, m);
    for (std::uint64_t tags = mid; tags != 0; tags &= tags - 1) {
      const auto tag = static_cast<Index>(std::countr_zero(tags));
      row_[atoms::coarseMid] = atoms.tag_atom(tag);
      const bool named = tag > 0 && tag < model.tags().unknown();
      add(TemplateTable::kMid, named ? std::string(model.tags().names()[tag - 1]) : "other");
    }
    for (const TemplateTable table :
         {TemplateTable::kPair, TemplateTable::kModifier, TemplateTable::kHead}) {
      add(table);
    }
  }

  std::vector<ArcContribution> take() { return std::move(list_); }

 private:
  void add(TemplateTable table, const std::string& mid = {}) {
    const auto templates = templates_of(table);
    const bool labelled = table != TemplateTable::kArc && table != TemplateTable::kMid;
    for (Index t = 0; t < templates.size(); ++t) {
      const std::uint64_t fp =
          feature_fingerprint(templates[t], template_seed(table, t, direction_), row_);
      const double weight = labelled ? label_weight(fp) : model_.arc_weights().weight(fp);
      if (weight == 0) continue;
      const std::string name = template_name(templates[t]);
      list_.push_back({labelled ? fmt::format("{}: {}", model_.labels()[arc_.label], name) : name,
                       template_values(templates[t], sentence_, arc_.head, modifier_, mid),
                       weight});
    }
  }

  double label_weight(std::uint64_t fingerprint) const {
    const std::uint32_t place = model_.label_rows().places().find(fingerprint);
    if (place == WeightView::kNone) return 0;
    for (const LabelEntry& entry : model_.label_rows().row(place)) {
      if (entry.label == arc_.label) return entry.value();
    }
    return 0;
  }

  const ParseModel& model_;
  const Sentence& sentence_;
  Index modifier_;
  ParsedArc arc_;
  AtomRow row_{};
  ArcDirection direction_ = ArcDirection::kFromRoot;
  std::vector<ArcContribution> list_;
};

std::string word_text(const Sentence& sentence, Index i) {
  return i == 0 ? "the root"
                : fmt::format("{} {}", i, sentence.word(static_cast<std::uint32_t>(i)).form);
}

// The contribution of an arc's pairs in a second-order model, if all other arcs of the tree stay
// unchanged.
void add_pairs(const ParseModel& model, const Sentence& sentence, const SentenceAtoms& atoms,
               const ParsedTree& tree, std::uint32_t m, std::uint32_t head,
               std::vector<ArcContribution>& list) {
  std::vector<std::uint32_t> heads;
  for (const ParsedArc& arc : tree.arcs) heads.push_back(arc.head);
  heads[m - 1] = head;
  const auto text = [&](std::uint32_t word) {
    return word == kNoWord ? std::string("none") : word_text(sentence, word);
  };
  for (const ArcPair& pair : model.shape().pairs_of_tree(heads)) {
    const bool siblings = pair.kind != ArcPairKind::kGrandparent;
    const bool lower = pair.head == head && (pair.second == m || (siblings && pair.first == m));
    const bool upper = !siblings && pair.head == m && pair.first == head;
    if (!lower && !upper) continue;
    const double weight = pair_score(atoms, pair, model.arc_weights());
    if (weight == 0) continue;
    std::string name = pair.kind == ArcPairKind::kConsecutive ? "neighbours" : "siblings";
    std::string values =
        fmt::format("{}, {} of {}", text(pair.first), text(pair.second), text(pair.head));
    if (!siblings) {
      name = "grandparent";
      values = fmt::format("{} > {} > {}", text(pair.first), text(pair.head), text(pair.second));
    }
    list.push_back({name, values, weight});
  }
}

// The part of word m with the best score: from the given head, or from any head except `but`.
std::optional<Index> best_part(const Parser::Scratch& scratch, std::uint32_t m,
                               std::optional<std::uint32_t> head, std::uint32_t but) {
  const DependencyArcs& parts = scratch.arcs.parts;
  std::optional<Index> best;
  for (Index p = parts.begin(m); p < parts.begin(m + 1); ++p) {
    if (head ? parts.head(p) != *head : parts.head(p) == but) continue;
    if (!best || scratch.scores[p] > scratch.scores[*best]) best = p;
  }
  return best;
}

Value record_of(const ExplainedArc& arc, const ParseModel& model) {
  Value features = Value::list();
  for (const ArcContribution& one : arc.features) {
    features.push_back(
        Value::record({{"feature", one.feature}, {"values", one.values}, {"weight", one.weight}}));
  }
  return Value::record({{"head", arc.arc.head},
                        {"label", model.labels()[arc.arc.label]},
                        {"score", arc.score},
                        {"probability", arc.probability},
                        {"candidate", arc.candidate},
                        {"features", std::move(features)}});
}

std::string to_text(const ExplainedArc& arc, const ParseModel& model, const Sentence& sentence,
                    Index top) {
  std::string text =
      fmt::format("{} of {} (score {:.4f}, probability {:.4f}{})\n", model.labels()[arc.arc.label],
                  word_text(sentence, arc.arc.head), arc.score, arc.probability,
                  arc.candidate ? "" : ", removed by the filter");
  double rest = 0;
  for (Index k = 0; k < arc.features.size(); ++k) {
    const ArcContribution& one = arc.features[k];
    if (k < top) {
      text += fmt::format("    {:+9.4f}  {} = {}\n", one.weight, one.feature, one.values);
    } else {
      rest += one.weight;
    }
  }
  if (arc.features.size() > top) {
    text += fmt::format("    {:+9.4f}  {} others\n", rest, arc.features.size() - top);
  }
  return text;
}

std::string describe(const ArcExplanation& why, const ParseModel& model, const Sentence& sentence,
                     std::uint32_t m, const ExplainOptions& options) {
  if (options.json) {
    Value record = record_of(why.chosen, model);
    record["word"] = m;
    record["form"] = sentence.word(m).form;
    if (why.other) record["other"] = record_of(*why.other, model);
    return to_json(record) + "\n";
  }
  std::string text = fmt::format("{}\n  {}", word_text(sentence, m),
                                 to_text(why.chosen, model, sentence, options.top));
  if (why.other) {
    text += "  instead of " + to_text(*why.other, model, sentence, options.top);
  } else {
    text += "  there is no other candidate\n";
  }
  return text + "\n";
}

}  // namespace

ArcExplanation explain(const Parser& parser, const Sentence& sentence, std::uint32_t m,
                       std::optional<std::uint32_t> other_head, Parser::Scratch& scratch) {
  const ParseModel& model = parser.model();
  ParsedTree tree;
  parser.parse(sentence, scratch, tree);
  std::vector<double> of_words;
  parser.marginals(tree, scratch, of_words);
  const auto explained = [&](const ParsedArc& arc, std::optional<Index> part) {
    ExplainedArc made{arc, 0, part ? scratch.marginals[*part] : 0, part.has_value(), {}};
    made.features = ContributionList(model, sentence, scratch.atoms, m, arc).take();
    if (model.shape().order == 2) {
      add_pairs(model, sentence, scratch.atoms, tree, m, arc.head, made.features);
    }
    std::stable_sort(made.features.begin(), made.features.end(),
                     [](const ArcContribution& a, const ArcContribution& b) {
                       return std::abs(a.weight) > std::abs(b.weight);
                     });
    for (const ArcContribution& one : made.features) made.score += one.weight;
    return made;
  };
  const auto part_of = [&](const ParsedArc& arc) -> std::optional<Index> {
    const DependencyArcs& parts = scratch.arcs.parts;
    for (Index p = parts.begin(m); p < parts.begin(m + 1); ++p) {
      if (parts.head(p) == arc.head && scratch.arcs.labels[p] == arc.label) return p;
    }
    return std::nullopt;
  };
  const ParsedArc chosen = tree.arcs[m - 1];
  ArcExplanation why{explained(chosen, part_of(chosen)), std::nullopt};
  const Word& word = sentence.word(m);
  const std::uint32_t label = model.labels().find(word.label);
  const bool own = word.head != kNoHead && label != NameList::kNone &&
                   (word.head != chosen.head || label != chosen.label);
  if (!other_head && own) {
    const ParsedArc truth{word.head, label};
    why.other = explained(truth, part_of(truth));
    return why;
  }
  const std::optional<Index> best = best_part(scratch, m, other_head, chosen.head);
  if (best) {
    why.other = explained({scratch.arcs.parts.head(*best), scratch.arcs.labels[*best]}, best);
  } else if (other_head) {  // with its first possible label
    const auto labels = model.label_sets().labels(
        scratch.atoms.tag(*other_head), scratch.atoms.tag(m), direction_of_arc(*other_head, m));
    for (const std::uint32_t tried : labels) {
      ExplainedArc one = explained({*other_head, tried}, std::nullopt);
      if (!why.other || one.score > why.other->score) why.other = std::move(one);
    }
  }
  return why;
}

std::string explain(const ParseModel& model, InputFile file, const ExplainOptions& options) {
  TreebankOptions reading;
  reading.format = options.format;
  TreebankReader reader(std::move(file), reading);
  Sentence sentence;
  for (Index i = 1; reader.read(sentence); ++i) {
    if (i != options.sentence) continue;
    for (const Index word : {options.word, options.head.value_or(0)}) {
      if (word > sentence.size()) {
        throw UsageError(fmt::format("sentence {} has {} words, so there is no word {}",
                                     options.sentence, sentence.size(), word));
      }
    }
    const Parser parser(model);
    Parser::Scratch scratch;
    parser.tag(Retag::kMissing, reader.name(), sentence, scratch);
    if (model.tagger() != nullptr) model.tagger()->hide_unlearned(sentence);
    std::optional<std::uint32_t> head;
    if (options.head) head = static_cast<std::uint32_t>(*options.head);
    std::string text;
    for (std::uint32_t m = 1; m <= sentence.size(); ++m) {
      if (options.word != 0 && options.word != m) continue;
      if (head == m) throw UsageError(fmt::format("word {} cannot be its own head", m));
      text += describe(explain(parser, sentence, m, head, scratch), model, sentence, m, options);
    }
    return text;
  }
  throw InputError(reader.name(), 0, fmt::format("there is no sentence {}", options.sentence));
}

}  // namespace trellis::parse
