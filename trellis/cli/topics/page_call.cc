#include "trellis/cli/topics/page_call.h"

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis::topics {

void PageCall::check(const std::string& report) const {
  if (map_documents && report.empty()) {
    throw UsageError("--map-documents is for the page of --report");
  }
}

report::TopicsPageOptions PageCall::options(int threads) const {
  report::TopicsPageOptions options;
  options.threads = threads;
  if (map_documents) options.map_documents = *map_documents;
  return options;
}

void add_page_options(cli::Command& command, PageCall& call) {
  command.option("--map-documents", call.map_documents,
                 fmt::format("Documents on the map of --report, of more every so-many-th; 0: there "
                             "is no map [{}]",
                             report::TopicsPageOptions().map_documents));
}

}  // namespace trellis::topics
