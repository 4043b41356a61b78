// The script that shows the words of a topic at any λ, of the topic that was chosen. A body for
// page_script(); it reads #topics-data.
#pragma once

#include <string_view>

namespace trellis::report {

std::string_view topic_terms_script();

}  // namespace trellis::report
