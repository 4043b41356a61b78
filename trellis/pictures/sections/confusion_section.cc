#include "trellis/pictures/sections/confusion_section.h"

#include <cctype>
#include <vector>

#include "trellis/pictures/markup/number.h"

namespace trellis::report {
namespace {

constexpr Index kCommonestMistakes = 12;

Html mistakes_table(const ConfusionMatrix& confusion, const std::string& things) {
  const std::vector<Confused> pairs = most_confused(confusion, kCommonestMistakes);
  if (pairs.empty()) return {};
  Table commonest;
  commonest.caption = "Most common mistakes";
  commonest.columns = {{"gold", Align::kStart},
                       {"predicted", Align::kStart},
                       {things, Align::kEnd},
                       {"of the gold label", Align::kEnd}};
  for (const Confused& pair : pairs) {
    commonest.rows.push_back(
        {text(confusion.labels[pair.gold]), text(confusion.labels[pair.predicted]),
         text(format_count(pair.count)), text(format_fixed(100 * pair.share, 1) + " %")});
  }
  return table(commonest);
}

}  // namespace

void add_confusion_section(const ConfusionMatrix& confusion, const std::string& things,
                           Page& page) {
  if (confusion.labels.empty()) return;
  std::vector<Html> blocks = {confusion_heat_map(confusion)};
  const Html commonest = mistakes_table(confusion, things);
  if (!commonest.empty()) blocks.push_back(commonest);
  std::string lead = things +
                     " by gold label (row) and predicted label (column). The colour of a cell is "
                     "its share of the row; mistakes are off the diagonal.";
  lead[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(lead[0])));
  page.add_section("Confusion", lead, in_a_row(blocks));
}

}  // namespace trellis::report
