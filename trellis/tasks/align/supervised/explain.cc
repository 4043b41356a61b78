#include "trellis/tasks/align/supervised/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trellis/tasks/align/supervised/weight_names.h"

namespace trellis::align {
namespace {

void sort_by_size(std::vector<Contribution>& contributions) {
  std::erase_if(contributions, [](const Contribution& one) { return one.product() == 0; });
  std::stable_sort(contributions.begin(), contributions.end(),
                   [](const Contribution& a, const Contribution& b) {
                     return std::abs(a.product()) > std::abs(b.product());
                   });
}

// Explains the alignment of one pair.
class Explanation {
 public:
  Explanation(const SupervisedAligner& aligner, const SentencePair& pair, const PairExtras& extras)
      : aligner_(aligner),
        names_(weight_names(aligner)),
        parts_(aligner.parts(pair, extras, scratch_)) {
    if (parts_.num_links() == 0) return;
    aligner.decoder().decode(parts_, scratch_.decoder, best_);
    const auto s = aligner.decoder().scores(parts_, scratch_.decoder);
    scores_.assign(s.begin(), s.end());
  }

  const Links& found() const { return best_.links; }

  LinkExplanation of(Link link) {
    LinkExplanation told;
    told.link = link;
    told.found = contains(best_.links, link);
    const Index p = part_of(link);
    if (p == parts_.num_links()) return told;
    told.candidate = true;
    told.score = scores_[p];
    told.features = contributions(p);
    add_fertility(link, told);
    add_neighbours(p, told);
    add_margin(p, told);
    return told;
  }

 private:
  Index part_of(Link link) const {
    const auto at = std::find_if(parts_.links.begin(), parts_.links.end(), [&](const auto& edge) {
      return edge.left == link.source && edge.right == link.target;
    });
    return static_cast<Index>(at - parts_.links.begin());
  }
  Link link_of(Index p) const { return {parts_.links[p].left, parts_.links[p].right}; }

  std::vector<Contribution> contributions(Index part) const {
    std::vector<Contribution> all;
    const std::span<const double> w = aligner_.learned().weights;
    for (const FeatureBlock& block : parts_.blocks) {
      if (part < block.part_begin || part >= block.part_end()) continue;
      block.rows.for_each(part - block.part_begin, [&](Index k, double value) {
        const Index weight = block.weight_begin + k;
        all.push_back({names_[weight], value, block.scale * w[weight]});
      });
    }
    sort_by_size(all);
    return all;
  }

  // The penalty of the words' links beyond the first.
  void add_fertility(Link link, LinkExplanation& told) const {
    const Index levels = aligner_.layout().most_links - 1;
    const auto add = [&](Index node, Index links) {
      for (Index d = 2; d <= links; ++d) {
        const Index part = parts_.num_links() + node * levels + (d - 2);
        for (Contribution& one : contributions(part)) told.fertility.push_back(std::move(one));
      }
    };
    Index of_source = 0;
    Index of_target = 0;
    for (const Link other : best_.links) {
      of_source += other.source == link.source ? 1 : 0;
      of_target += other.target == link.target ? 1 : 0;
    }
    if (levels == 0 || !told.found) return;
    add(link.source, of_source);
    add(parts_.edges->num_left() + link.target, of_target);
  }

  void add_neighbours(Index p, LinkExplanation& told) const {
    const Index pairs_begin = scores_.size() - parts_.pairs.size();
    for (Index q = 0; q < parts_.pairs.size(); ++q) {
      const auto [a, b] = parts_.pairs[q];
      if (a != p && b != p) continue;
      const Link other = link_of(a == p ? b : a);
      if (!contains(best_.links, other)) continue;
      told.neighbours.push_back({other, scores_[pairs_begin + q], contributions(pairs_begin + q)});
    }
  }

  // Forces the link in or out: a score so large that every best alignment has it, or none.
  void add_margin(Index p, LinkExplanation& told) {
    double all = 1;
    for (const double s : scores_) all += std::abs(s);
    std::vector<double> other = scores_;
    other[p] += told.found ? -2 * all : 2 * all;
    RankedLinks rival;
    aligner_.decoder().decode_scores(parts_, other, scratch_.decoder, rival);
    told.margin = best_.score - (told.found ? rival.score : rival.score - 2 * all);
    told.proven = best_.proven() && rival.proven();
  }

  const SupervisedAligner& aligner_;
  std::vector<std::string> names_;
  SupervisedAligner::Scratch scratch_;
  LinkParts parts_;
  RankedLinks best_;
  std::vector<double> scores_;
};

std::string word_pair(const SentencePair& pair, Link link) {
  return fmt::format("{}-{} {} ~ {}", link.source, link.target, pair.source()[link.source],
                     pair.target()[link.target]);
}

Value list_of(const std::vector<Contribution>& contributions) {
  Value list = Value::list();
  for (const Contribution& one : contributions) {
    list.push_back(Value::record({{"feature", one.feature},
                                  {"value", one.value},
                                  {"weight", one.weight},
                                  {"product", one.product()}}));
  }
  return list;
}

Value list_of(Link link) {
  return Value::list({link.source, link.target});
}

void append(const std::vector<Contribution>& contributions, std::string& text) {
  for (const Contribution& one : contributions) {
    text += fmt::format("    {:+9.4f}  {} = {:.4g}\n", one.product(), one.feature, one.value);
  }
}

}  // namespace

std::vector<LinkExplanation> explain(const SupervisedAligner& aligner, const SentencePair& pair,
                                     const PairExtras& extras, const ExplainOptions& options) {
  Explanation explanation(aligner, pair, extras);
  std::vector<LinkExplanation> told;
  for (const Link link : options.links.empty() ? explanation.found() : options.links) {
    told.push_back(explanation.of(link));
    const auto shorten = [&](std::vector<Contribution>& list) {
      if (list.size() > options.top) list.resize(options.top);
    };
    shorten(told.back().features);
    shorten(told.back().fertility);
    for (auto& neighbour : told.back().neighbours) shorten(neighbour.features);
  }
  return told;
}

std::string explain_text(const SentencePair& pair, Index number,
                         const std::vector<LinkExplanation>& links) {
  std::string text = fmt::format("pair {}\n", number);
  for (const LinkExplanation& one : links) {
    text += fmt::format("  {}  {}", word_pair(pair, one.link), one.found ? "linked" : "not linked");
    if (!one.candidate) {
      text += ": not a candidate, no evidence for this link\n";
      continue;
    }
    text += fmt::format(", score {:+.4f}, {} by {:.4f}{}\n", one.score,
                        one.found ? "better than without it" : "worse with it", one.margin,
                        one.proven ? "" : " (not proven: a search reached --search-limit)");
    append(one.features, text);
    if (!one.fertility.empty()) text += "    further links of its words\n";
    append(one.fertility, text);
    for (const auto& neighbour : one.neighbours) {
      text += fmt::format("    next to {}: {:+.4f}\n", word_pair(pair, neighbour.link),
                          neighbour.score);
      append(neighbour.features, text);
    }
  }
  return text;
}

Value explain_record(const SentencePair& pair, Index number,
                     const std::vector<LinkExplanation>& links) {
  Value list = Value::list();
  for (const LinkExplanation& one : links) {
    Value record = Value::record({{"link", list_of(one.link)},
                                  {"source", pair.source()[one.link.source]},
                                  {"target", pair.target()[one.link.target]},
                                  {"linked", one.found},
                                  {"candidate", one.candidate}});
    if (one.candidate) {
      record["score"] = one.score;
      record["margin"] = one.margin;
      if (!one.proven) record["proven"] = false;
      record["features"] = list_of(one.features);
      record["fertility"] = list_of(one.fertility);
      record["neighbours"] = Value::list();
      for (const auto& neighbour : one.neighbours) {
        record["neighbours"].push_back(Value::record({{"link", list_of(neighbour.link)},
                                                      {"score", neighbour.score},
                                                      {"features", list_of(neighbour.features)}}));
      }
    }
    list.push_back(std::move(record));
  }
  return Value::record({{"pair", number}, {"links", std::move(list)}});
}

}  // namespace trellis::align
