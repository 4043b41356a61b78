#include "trellis/scorers/naacl_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/share.h"
#include "trellis/base/types.h"
#include "trellis/formats/links/words.h"

namespace trellis::align {
namespace {

using LinkTexts = std::set<std::string>;

struct MarkedTexts {
  LinkTexts sure;
  LinkTexts probable;

  Index size() const { return sure.size() + probable.size(); }
};

bool has_mark(const std::vector<std::string_view>& columns, std::string_view mark) {
  return columns.size() <= 5 &&
         std::find(columns.begin() + 3, columns.end(), mark) != columns.end();
}

bool is_unmarked(const std::vector<std::string_view>& columns) {
  return columns.size() == 3 ||
         (columns.size() == 4 &&
          columns[3].find_first_not_of("0123456789.") == std::string_view::npos);
}

MarkedTexts read_texts(InputFile file) {
  MarkedTexts texts;
  std::vector<std::string_view> columns;
  std::string_view line;
  while (file.read_line(line)) {
    columns.clear();
    append_words(line, columns);
    if (columns.size() < 3) {
      throw InputError(file.name(), file.line_number(),
                       fmt::format("expected 'sentence source target [S|P] [confidence]', found {} "
                                   "columns",
                                   columns.size()));
    }
    const std::string link = fmt::format("{} {} {}", columns[0], columns[1], columns[2]);
    if (is_unmarked(columns) || has_mark(columns, "S")) texts.sure.insert(link);
    if (has_mark(columns, "P")) texts.probable.insert(link);
  }
  return texts;
}

template <class IsRight>
Index num_right(const LinkTexts& links, const IsRight& is_right) {
  return static_cast<Index>(std::count_if(links.begin(), links.end(), is_right));
}

// In the script's order of operations, which decides how ties round.
NaaclFigures naacl_figures(Index right, Index submitted, Index gold) {
  NaaclFigures figures{share(right, submitted), share(right, gold), 0};
  if (right > 0) {
    figures.f = 2 * figures.recall * figures.precision / (figures.recall + figures.precision);
  }
  return figures;
}

}  // namespace

NaaclScore naacl_score(InputFile gold_file, InputFile submission_file) {
  const MarkedTexts gold = read_texts(std::move(gold_file));
  const MarkedTexts found = read_texts(std::move(submission_file));
  const auto is_sure = [&](const std::string& link) { return gold.sure.count(link) > 0; };
  const auto is_link = [&](const std::string& link) {
    return is_sure(link) || gold.probable.count(link) > 0;
  };
  const Index sure_right = num_right(found.sure, is_sure);
  const Index all_sure = sure_right + num_right(found.probable, is_sure);
  const Index all_right = num_right(found.sure, is_link) + num_right(found.probable, is_link);
  NaaclScore score;
  score.sure = naacl_figures(sure_right, found.sure.size(), gold.sure.size());
  score.probable = naacl_figures(all_right, found.size(), gold.size());
  if (found.size() > 0) {
    score.aer = 1 - share(all_sure + all_right, found.size() + gold.sure.size());
  }
  return score;
}

std::string NaaclScore::to_text() const {
  return fmt::format(
      "\nThe following results assume correct file formats.\n"
      "Make sure you have previously checked the file format\n"
      "using wa_check_submission.pl\n\n\n"
      "    Word Alignment Evaluation   \n"
      "----------------------------------\n"
      "   Evaluation of SURE alignments \n"
      "   Precision = {:.4f}  \n"
      "   Recall    = {:.4f}\n"
      "   F-measure = {:.4f}\n"
      "-----------------------------------\n"
      "   Evaluation of PROBABLE alignments\n"
      "   Precision = {:.4f}\n"
      "   Recall    = {:.4f}\n"
      "   F-measure = {:.4f}\n"
      "-----------------------------------\n"
      "   AER       = {:.4f}\n",
      sure.precision, sure.recall, sure.f, probable.precision, probable.recall, probable.f, aer);
}

}  // namespace trellis::align
