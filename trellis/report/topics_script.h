// The script of the page of topics. Plain JavaScript without a library; it reads the JSON that
// topics_report.cc writes and touches nothing outside its page.
#pragma once

#include <string_view>

namespace trellis::report {

inline constexpr std::string_view kTopicsDataId = "topics-data";
std::string_view topics_script();

}  // namespace trellis::report
