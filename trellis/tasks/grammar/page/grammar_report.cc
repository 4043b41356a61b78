#include "trellis/tasks/grammar/page/grammar_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "trellis/base/random.h"
#include "trellis/frame/training/page/page_head.h"
#include "trellis/frame/training/result.h"
#include "trellis/pictures/charts/bar_table.h"
#include "trellis/pictures/markup/number.h"

namespace trellis::report {
namespace {

using grammar::EvalbSums;
using grammar::TreebankScores;

constexpr std::uint64_t kBracketSampleSeed = 1;
constexpr Index kCategoriesAtOnce = 30;

std::vector<Tile> bracket_tiles(const GrammarReport& report) {
  const EvalbSums& all = report.scores.all();
  if (all.sentences == 0) return {};
  const auto count = [](Index part, Index whole, std::string_view things) {
    return fmt::format("{} of {} {}", format_count(part), format_count(whole), things);
  };
  std::vector<Tile> out{
      {"F1", format_fixed(all.f1(), 2), "of brackets, as EVALB counts them"},
      {"Recall", format_fixed(all.recall(), 2), count(all.matched, all.gold, "brackets")},
      {"Precision", format_fixed(all.precision(), 2), count(all.matched, all.test, "brackets")},
      {"Correct trees", format_fixed(all.complete_match(), 2),
       count(all.complete, all.valid(), "sentences")},
      {"Crossing", format_fixed(all.average_crossing(), 2), "brackets per sentence"},
      {"Tags", format_fixed(all.tag_accuracy(), 2), count(all.right_tags, all.words, "words")}};
  if (report.partial + report.flat > 0) {
    out.push_back({"No tree", format_count(report.partial + report.flat),
                   report.partial > 0 ? "sentences: fragments under the root"
                                      : "sentences: words in one bracket"});
  }
  return out;
}

void add_categories(const TreebankScores& scores, Page& page) {
  std::vector<ScoreRow> rows;
  for (const auto& [label, score] : scores.evalb().categories()) {
    rows.push_back({label, score.gold, score.test, score.right, score.precision(), score.recall(),
                    score.f1()});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ScoreRow& a, const ScoreRow& b) { return a.gold > b.gold; });
  const EvalbSums& all = scores.all();
  const ScoreRow overall{"all brackets",  all.gold,     all.test, all.matched,
                         all.precision(), all.recall(), all.f1()};
  const Index shown = std::min<Index>(rows.size(), kCategoriesAtOnce);
  Html body = score_table("category", std::span(rows).first(shown), overall);
  if (shown < rows.size()) {
    body += details(fmt::format("{} rarer categories", rows.size() - shown),
                    score_table("category", std::span(rows).subspan(shown), overall));
  }
  page.add_section(
      "Scores by category",
      "In percent: how many brackets of a label that were found are in the gold tree (precision), "
      "and how many gold brackets were found (recall), over the same words.",
      body);
}

void add_bracket_lengths(const TreebankScores& scores, Page& page) {
  Table rows;
  rows.columns = {{"words"},
                  {"sentences", Align::kEnd},
                  {"recall", Align::kEnd},
                  {"precision", Align::kEnd},
                  {"F1", Align::kEnd},
                  {"correct trees", Align::kEnd},
                  {"tags", Align::kEnd}};
  for (Index k = 0; k < TreebankScores::kLengths; ++k) {
    const EvalbSums& sums = scores.by_length()[k];
    if (sums.valid() == 0) continue;
    rows.rows.push_back({text(TreebankScores::length_name(k)), text(format_count(sums.valid())),
                         text(format_fixed(sums.recall(), 2)),
                         text(format_fixed(sums.precision(), 2)), text(format_fixed(sums.f1(), 2)),
                         text(format_fixed(sums.complete_match(), 2)),
                         text(format_fixed(sums.tag_accuracy(), 2))});
  }
  page.add_section("Scores by length of the sentence", "In percent.", table(rows));
}

Html bracket_pictures(const std::vector<ConstituencyPicture>& trees) {
  Html out;
  for (const ConstituencyPicture& one : trees) out += constituency_picture(one);
  return out;
}

void add_bracket_trees(const BracketAlbum& trees, Page& page) {
  if (trees.num_sentences() == 0) return;
  const std::vector<ConstituencyPicture> hardest = trees.hardest(), sample = trees.sample();
  Html body = constituency_legend();
  if (!hardest.empty()) {
    body += subheading("The hardest sentences, by their share of wrong brackets") +
            bracket_pictures(hardest);
  }
  if (!sample.empty()) {
    body += subheading("Some other sentences, drawn at random") + bracket_pictures(sample);
  }
  page.add_section("Trees",
                   "The tree found and, if it differs, the gold tree next to it. Point at a "
                   "bracket for details.",
                   body);
}

// Passes sentences to on_sentence and to the album of the page.
auto album_of(GrammarReport& page, const grammar::EvaluateOptions& options) {
  return [&page, told = options.on_sentence, parameters = options.parameters](
             const grammar::ConstituencyTree& gold, const grammar::ParsedTree& found,
             const grammar::BracketMatch& match) {
    page.trees.add(gold, found.tree, match, parameters);
    if (told) told(gold, found, match);
  };
}

grammar::Evaluation put_evaluation(grammar::Evaluation evaluation, const std::string& file,
                                   GrammarReport& page) {
  page.evaluated_on = file;
  page.scores = evaluation.scores;
  page.partial = evaluation.partial;
  page.flat = evaluation.flat;
  return evaluation;
}

}  // namespace

void BracketAlbum::keep(Shelf& shelf, Index most, Kept one) {
  const auto place = std::upper_bound(shelf.begin(), shelf.end(), one.key,
                                      [](double key, const Kept& kept) { return key < kept.key; });
  shelf.insert(place, std::move(one));
  if (shelf.size() > most) shelf.pop_back();
}

void BracketAlbum::add(const grammar::ConstituencyTree& gold,
                       const grammar::ConstituencyTree& found, const grammar::BracketMatch& match,
                       const grammar::EvalbParameters& parameters) {
  const Index number = num_sentences_++;
  const grammar::SentenceScore& score = match.score;
  const auto picture = [&] {
    return ConstituencyPicture{fmt::format("line {}", gold.line), found, gold, parameters};
  };
  const auto has_room = [](const Shelf& shelf, Index most, double key) {
    return shelf.size() < most || key < shelf.back().key;
  };
  const Index wrong = score.gold + score.test - 2 * score.matched;
  const double share =
      static_cast<double>(wrong) / (static_cast<double>(score.gold + score.test) + kRightBrackets);
  if (wrong > 0 && has_room(hardest_, kHardest, -share)) {
    keep(hardest_, kHardest, {-share, number, picture()});
  }
  // Draws more than kSampled, since some may be among the hardest.
  const double draw = Random(kBracketSampleSeed, number).uniform();
  if (has_room(drawn_, kHardest + kSampled, draw)) {
    keep(drawn_, kHardest + kSampled, {draw, number, picture()});
  }
}

std::vector<ConstituencyPicture> BracketAlbum::hardest() const {
  std::vector<ConstituencyPicture> pictures;
  for (const Kept& one : hardest_) pictures.push_back(one.picture);
  return pictures;
}

std::vector<ConstituencyPicture> BracketAlbum::sample() const {
  std::set<Index> hard;
  for (const Kept& one : hardest_) hard.insert(one.number);
  std::map<Index, const ConstituencyPicture*> chosen;
  for (const Kept& one : drawn_) {
    if (chosen.size() == kSampled) break;
    if (!hard.contains(one.number)) chosen[one.number] = &one.picture;
  }
  std::vector<ConstituencyPicture> pictures;
  for (const auto& [number, picture] : chosen) pictures.push_back(*picture);
  return pictures;
}

GrammarReport model_page(const grammar::GrammarModel& model, const std::string& title) {
  GrammarReport page;
  page.title = title;
  for (const auto& [key, value] : provenance_words(model.training())) {
    page.options.push_back({key, value});
  }
  return page;
}

grammar::Evaluation add_evaluation(const grammar::GrammarModel& model, InputFile treebank,
                                   grammar::EvaluateOptions options, const std::string& file,
                                   GrammarReport& page) {
  options.on_sentence = album_of(page, options);
  return put_evaluation(grammar::evaluate(model, std::move(treebank), options), file, page);
}

grammar::Evaluation add_evaluation(const grammar::GrammarModel& model,
                                   std::span<const grammar::ConstituencyTree> trees,
                                   grammar::EvaluateOptions options, const std::string& file,
                                   GrammarReport& page) {
  options.on_sentence = album_of(page, options);
  return put_evaluation(grammar::evaluate(model, trees, options), file, page);
}

std::string grammar_report(const GrammarReport& report) {
  Page page(report.title, report.subtitle);
  add_key_figures(report.evaluated_on, bracket_tiles(report), page);
  add_training_overview(report.history, report.dev_metric, report.options, report.learned, page);
  if (report.scores.all().sentences > 0) {
    add_categories(report.scores, page);
    add_bracket_lengths(report.scores, page);
  }
  add_bracket_trees(report.trees, page);
  return page.to_string();
}

}  // namespace trellis::report
