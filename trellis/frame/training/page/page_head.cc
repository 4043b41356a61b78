#include "trellis/frame/training/page/page_head.h"

#include <fmt/format.h>

#include "trellis/frame/training/page/choice_section.h"

namespace trellis::report {

void add_key_figures(const std::string& evaluated_on, const std::vector<Tile>& scores, Page& page) {
  if (scores.empty()) return;
  if (!evaluated_on.empty()) page.add(subheading(fmt::format("On {}", evaluated_on)));
  page.add(tiles(scores));
}

void add_training_overview(const std::vector<TrainingPoint>& history, const std::string& dev_metric,
                           const std::vector<Entry>& options, const Learned* learned, Page& page) {
  if (const auto training = training_tiles(history, dev_metric); !training.empty()) {
    page.add(tiles(training));
  }
  if (!options.empty()) page.add(details("Options", definitions(options)));
  add_training_section(history, dev_metric, page);
  add_choice_section(learned, page);
}

}  // namespace trellis::report
