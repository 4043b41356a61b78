#include "trellis/tasks/topics/commands/page_call.h"

#include <fmt/format.h>

namespace trellis::topics {

report::TopicsPageOptions PageCall::options(int threads) const {
  report::TopicsPageOptions options;
  options.threads = threads;
  if (map_documents) options.map_documents = *map_documents;
  return options;
}

void add_page_options(frame::Command& command, PageCall& call) {
  command
      .option("--map-documents", call.map_documents,
              fmt::format("Maximum number of documents on the map of --report, evenly spaced "
                          "among all documents; 0: no map [{}]",
                          report::TopicsPageOptions().map_documents))
      .needs("report")
      .same_bits();
}

}  // namespace trellis::topics
