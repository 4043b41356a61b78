#include "trellis/scorers/letor_scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/types.h"

namespace trellis::rank {
namespace {

struct Script {
  std::vector<double> gains;  // by grade
  Index least_relevant;
  Index positions;  // that are printed
  bool padded;      // there are figures beyond the last document
};

Script script_of(Convention convention) {
  if (convention == Convention::kLetor3) return {{0, 1, 3}, 1, 16, false};
  if (convention == Convention::kLetor4) return {{0, 1, 3}, 1, 10, true};
  return {{0, 1, 3, 7, 15}, 2, 10, true};
}

constexpr Index kUnknownGrade = ~Index{0};

// The scripts look grades up as strings: "02" is not a grade.
Index grade_of(std::string_view digits, const Script& script) {
  const Index grade = digits.size() == 1 ? static_cast<Index>(digits.front() - '0') : kUnknownGrade;
  return grade < script.gains.size() ? grade : kUnknownGrade;
}

struct ScriptLine {
  std::string_view grade;
  std::string_view qid;
  std::string_view docid;  // letor3, letor4
};

constexpr std::string_view kSpaces = " \t\r\v\f";

std::string_view word_of(std::string_view text) {
  return text.substr(0, text.find_first_of(kSpaces));
}

bool take(std::string_view prefix, std::string_view& text) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Takes a word of at least one character.
bool take_word(std::string_view& text, std::string_view& word) {
  word = word_of(text);
  text.remove_prefix(word.size());
  return !word.empty();
}

// "#docid = D", and with letor4 " inc = I prob = P", at the end of the line.
bool parse_note(std::string_view rest, Convention convention, std::string_view& docid) {
  constexpr std::string_view kDocid = "#docid = ";
  const Index begin = rest.rfind(kDocid);
  if (begin == std::string_view::npos) return false;
  rest.remove_prefix(begin + kDocid.size());
  if (!take_word(rest, docid)) return false;
  if (convention == Convention::kLetor3) return rest.empty();
  std::string_view value;
  return take(" inc = ", rest) && take_word(rest, value) && take(" prob = ", rest) &&
         take_word(rest, value) && rest.empty();
}

bool parse_script_line(std::string_view text, Convention convention, ScriptLine& line) {
  line.grade = text.substr(0, text.find_first_not_of("0123456789"));
  text.remove_prefix(line.grade.size());
  if (line.grade.empty() || !take(" qid:", text) || !take_word(text, line.qid)) return false;
  return convention == Convention::kMslr || parse_note(text, convention, line.docid);
}

std::string_view form_of(Convention convention) {
  if (convention == Convention::kLetor3) return "'GRADE qid:QUERY ... #docid = DOCUMENT'";
  if (convention == Convention::kLetor4) {
    return "'GRADE qid:QUERY ... #docid = DOCUMENT inc = NUMBER prob = NUMBER'";
  }
  return "'GRADE qid:QUERY ...'";
}

struct ScriptDocument {
  Index line;
  Index grade;
  double score;
};

struct ScriptQuery {
  std::string id;
  double number = 0;  // that it is sorted by
  std::vector<ScriptDocument> documents;
  std::unordered_map<std::string, Index> places;  // of docids
};

// The number that Perl makes of a text: that of the longest prefix that is a number.
double number_of(std::string_view text) {
  double number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::isfinite(number) ? number : 0;
}

void add_document(ScriptQuery& query, std::string_view docid, const ScriptDocument& document,
                  Convention convention) {
  if (convention != Convention::kMslr) {
    const auto [place, is_new] =
        query.places.try_emplace(std::string(docid), query.documents.size());
    if (!is_new) {
      query.documents[place->second] = document;
      return;
    }
  }
  query.documents.push_back(document);
}

std::vector<ScriptQuery> read_script_queries(InputFile& file, ScoreReader& scores,
                                             Convention convention) {
  const Script script = script_of(convention);
  std::vector<ScriptQuery> queries;
  std::unordered_map<std::string, Index> numbers;
  std::string_view text;
  while (file.read_line(text)) {
    const double score = scores.next(fmt::format("{}:{}", file.name(), file.line_number()));
    ScriptLine line;
    if (!parse_script_line(text, convention, line)) {
      throw InputError(file.name(), file.line_number(),
                       fmt::format("expected {}, found", form_of(convention)), text);
    }
    const auto [at, is_new] = numbers.try_emplace(std::string(line.qid), queries.size());
    if (is_new) queries.push_back({std::string(line.qid), number_of(line.qid), {}, {}});
    add_document(queries[at->second], line.docid,
                 {file.line_number(), grade_of(line.grade, script), score}, convention);
  }
  if (queries.empty())
    throw InputError(file.name(), 0, "expected documents of queries, found none");
  std::stable_sort(queries.begin(), queries.end(),
                   [](const ScriptQuery& a, const ScriptQuery& b) { return a.number < b.number; });
  return queries;
}

std::vector<Index> ranked_grades(ScriptQuery& query) {
  std::vector<ScriptDocument>& documents = query.documents;
  std::sort(documents.begin(), documents.end(),
            [](const auto& a, const auto& b) { return a.line < b.line; });
  std::stable_sort(documents.begin(), documents.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  std::vector<Index> grades;
  for (const ScriptDocument& document : documents) grades.push_back(document.grade);
  return grades;
}

struct ScriptFigures {
  std::vector<double> precision;
  std::vector<double> ndcg;
  double average_precision = 0;
  double mean_ndcg = 0;  // over all positions
};

std::vector<double> script_gains(std::span<const Index> grades, const Script& script) {
  std::vector<double> gains;
  for (const Index grade : grades) {
    gains.push_back(grade == kUnknownGrade ? 0.0 : script.gains[grade]);
  }
  return gains;
}

// DCG@1, DCG@2, …, with the scripts' order of operations.
std::vector<double> script_dcg(std::span<const double> gains) {
  std::vector<double> sums;
  double sum = 0;
  for (Index j = 1; j <= gains.size(); ++j) {
    sum += j <= 2 ? gains[j - 1] : gains[j - 1] * std::log(2.0) / std::log(static_cast<double>(j));
    sums.push_back(sum);
  }
  return sums;
}

void judge_order(std::span<const Index> grades, const Script& script, ScriptFigures& figures) {
  const auto relevant = [&](Index grade) {
    return grade != kUnknownGrade && grade >= script.least_relevant;
  };
  double found = 0;
  double sum = 0;
  const Index columns =
      script.padded ? script.positions : std::min(script.positions, grades.size());
  for (Index j = 1; j <= std::max(columns, grades.size()); ++j) {
    const bool hit = j <= grades.size() && relevant(grades[j - 1]);
    found += hit ? 1 : 0;
    if (hit) sum += found / static_cast<double>(j);
    if (j <= columns) figures.precision.push_back(found / static_cast<double>(j));
  }
  figures.average_precision = found == 0 ? 0 : sum / found;
}

ScriptFigures judge(std::span<const Index> grades, const Script& script) {
  ScriptFigures figures;
  judge_order(grades, script, figures);
  std::vector<double> gains = script_gains(grades, script);
  const std::vector<double> dcg = script_dcg(gains);
  std::sort(gains.begin(), gains.end(), std::greater<>());
  const std::vector<double> best = script_dcg(gains);
  double sum = 0;
  for (Index k = 0; k < dcg.size(); ++k) {
    const double ndcg = best[k] == 0 ? 0 : dcg[k] / best[k];
    sum += ndcg;
    if (k < script.positions) figures.ndcg.push_back(ndcg);
  }
  figures.mean_ndcg = sum / static_cast<double>(dcg.size());
  if (script.padded) figures.ndcg.resize(script.positions, 0.0);
  return figures;
}

using Column = std::vector<double> ScriptFigures::*;
using Figure = double ScriptFigures::*;

// The mean of each position over all queries, including those with fewer positions.
std::vector<double> means(std::span<const ScriptFigures> queries, Column column) {
  std::vector<double> sums;
  for (const ScriptFigures& query : queries) {
    const std::vector<double>& figures = query.*column;
    if (sums.size() < figures.size()) sums.resize(figures.size(), 0.0);
    for (Index k = 0; k < figures.size(); ++k) sums[k] += figures[k];
  }
  for (double& sum : sums) sum /= static_cast<double>(queries.size());
  return sums;
}

double mean(std::span<const ScriptFigures> queries, Figure figure) {
  double sum = 0;
  for (const ScriptFigures& query : queries) sum += query.*figure;
  return sum / static_cast<double>(queries.size());
}

// Formats numbers as Perl prints them.
std::string perl_row(std::span<const double> figures) {
  std::string text;
  for (const double figure : figures) text += fmt::format("{:.15g}\t", figure);
  return text + "\n";
}

std::string letor3_text(std::span<const ScriptFigures> queries, bool per_query) {
  std::string text;
  const auto table = [&](const char* name, Column column) {
    for (Index q = 0; q < queries.size() && per_query; ++q) {
      text += fmt::format("{} of query{}:\t{}", name, q, perl_row(queries[q].*column));
    }
    text += fmt::format("{}:\t{}\n", name, perl_row(means(queries, column)));
  };
  table("precision", &ScriptFigures::precision);
  for (Index q = 0; q < queries.size() && per_query; ++q) {
    text += fmt::format("Map of query{}:\t{:.15g}\n", q, queries[q].average_precision);
  }
  text += fmt::format("MAP:\t{:.15g}\n\n", mean(queries, &ScriptFigures::average_precision));
  table("NDCG", &ScriptFigures::ndcg);
  return text;
}

std::string letor4_row(std::string_view name, std::span<const double> figures, double last) {
  std::string text = fmt::format("{}\t", name);
  for (const double figure : figures) text += fmt::format("{:.4f}\t", figure);
  return text + fmt::format("{:.4f}\n", last);
}

std::string letor4_text(std::span<const ScriptQuery> queries,
                        std::span<const ScriptFigures> figures, const Script& script,
                        bool per_query) {
  std::string text;
  const auto table = [&](const char* name, Column column, const char* last, Figure figure) {
    text += "qid";
    for (Index k = 1; k <= script.positions; ++k) text += fmt::format("\t{}@{}", name, k);
    text += fmt::format("\t{}\n", last);
    for (Index q = 0; q < queries.size() && per_query; ++q) {
      text += letor4_row(queries[q].id, figures[q].*column, figures[q].*figure);
    }
    text += letor4_row("Average", means(figures, column), mean(figures, figure)) + "\n";
  };
  table("P", &ScriptFigures::precision, "MAP", &ScriptFigures::average_precision);
  table("NDCG", &ScriptFigures::ndcg, "MeanNDCG", &ScriptFigures::mean_ndcg);
  return text;
}

}  // namespace

std::string letor_scores(InputFile graded, ScoreReader scores, Convention convention,
                         bool per_query) {
  std::vector<ScriptQuery> queries = read_script_queries(graded, scores, convention);
  const Script script = script_of(convention);
  std::vector<ScriptFigures> figures;
  for (ScriptQuery& query : queries) figures.push_back(judge(ranked_grades(query), script));
  return convention == Convention::kLetor3 ? letor3_text(figures, per_query)
                                           : letor4_text(queries, figures, script, per_query);
}

}  // namespace trellis::rank
