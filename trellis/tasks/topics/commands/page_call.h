// How the commands of `topics` are told what the page of --report has.
#pragma once

#include <optional>
#include <string>

#include "trellis/base/types.h"
#include "trellis/frame/command.h"
#include "trellis/tasks/topics/page/topics_page.h"

namespace trellis::topics {

struct PageCall {
  std::optional<Index> map_documents;  // as it was said

  report::TopicsPageOptions options(int threads) const;
};

void add_page_options(frame::Command& command, PageCall& call);

}  // namespace trellis::topics
